"""``python -m slotwise`` runs the ``slotwise`` command."""

import sys

from slotwise.cli import main

if __name__ == "__main__":
    sys.exit(main())
