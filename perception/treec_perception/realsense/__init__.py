"""RealSense cameras and their recordings, through librealsense (pyrealsense2)."""
