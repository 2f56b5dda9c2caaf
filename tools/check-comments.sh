#!/bin/bash
# Comments read no worse than the limits of their room, which only fall: tools/comments.limits.
exec python3 "$(dirname "$0")/comments.py" --check
