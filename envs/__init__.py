"""What a skill acts on: environments, and the domains, scenes and agents that live in them."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)  # a library's own envs/ has its modules in here, too
