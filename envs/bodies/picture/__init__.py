"""Bodies as files to look at: meshes, a plan; `envs.sapien.view` casts the rays of a picture."""
