"""The commands of ROS 2."""
