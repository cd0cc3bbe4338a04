"""`python -m agrama` is the same as `agrama`."""

import sys

from agrama.cli import main

sys.exit(main())
