"""What accepted facts are to code: the words they give, the questions they fit, the lines they stand on."""

from __future__ import annotations
