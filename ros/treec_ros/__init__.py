"""ROS 2 for treec: skills bound to actions, services and topics by YAML alone, and treec as a node.

Nothing here imports rclpy but the modules that talk to ROS: see `treec_ros.node`.
"""
