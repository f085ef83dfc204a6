"""Kitchens with physics: SAPIEN simulates, mplib plans."""

import warnings

# Physics and planning need no Vulkan; where there is none, importing sapien says so each time.
warnings.filterwarnings("ignore", message="Failed to find system libvulkan")
