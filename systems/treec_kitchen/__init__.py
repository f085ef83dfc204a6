"""The pack `treec-kitchen`: the YAML files of the systems that ship with treec.

In a checkout they lie at the root of the repository; setup.py puts them in here when it builds.
"""
