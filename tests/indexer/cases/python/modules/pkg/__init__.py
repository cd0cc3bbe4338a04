from .core import Engine as Motor, start  #: imports pkg/core.py; references pkg/core.py::Engine, pkg/core.py::start
from . import tools  #: imports pkg/tools.py
from .listed import *  #: imports pkg/listed.py
