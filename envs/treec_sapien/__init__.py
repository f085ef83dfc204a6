"""Kitchens with physics: SAPIEN simulates, mplib plans."""

import warnings

# Physics and planning need no Vulkan; without it, importing sapien warns each time.
warnings.filterwarnings("ignore", message="Failed to find system libvulkan")
