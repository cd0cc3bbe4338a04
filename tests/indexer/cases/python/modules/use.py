import pkg
import pkg.core as heart  #: imports pkg/core.py
from pkg import *  #: imports pkg/__init__.py
from pkg import Motor, shown

pkg.start().turn()  #: calls pkg/core.py::start, pkg/tools.py::Wrench.turn
pkg.tools.Wrench()  #: calls pkg/tools.py::Wrench
heart.Engine()  #: calls pkg/core.py::Engine
Motor().run(None)  #: calls pkg/core.py::Engine, pkg/core.py::Engine.run
shown()  #: calls pkg/listed.py::shown
start()  #: calls pkg/core.py::start
pkg.hidden()  #: calls -
