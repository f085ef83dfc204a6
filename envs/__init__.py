"""Environments that skills act on, with their domains, scenes and agents."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)  # a library's own envs/ has its modules in here, too
