"""Pictures of bodies as files: meshes and plans. `treec.envs.sapien.view` casts rays."""
