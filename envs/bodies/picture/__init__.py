"""Bodies as files to look at: meshes, a plan; `treec.envs.sapien.view` casts rays."""
