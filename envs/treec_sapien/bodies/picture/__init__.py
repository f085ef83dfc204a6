"""Pictures of bodies as files: meshes and plans. `treec_sapien.view` casts rays."""
