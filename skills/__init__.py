"""What the robots can do, one folder a skill; `kitchen` holds the talk in a kitchen."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)  # a library's own skills/ has its modules in here, too
