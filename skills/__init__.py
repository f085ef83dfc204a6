"""The skills of the robots, one folder each."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)  # a library's own skills/ has its modules in here, too
