"""Rules about what files say of ROS 2."""
