"""``python -m slotwise`` is the command ``slotwise``."""

import sys

from slotwise.cli import main

if __name__ == "__main__":
    sys.exit(main())
