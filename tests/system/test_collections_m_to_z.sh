#!/bin/sh
# Decks of the kind that other simulators are tested with, names beginning with m to z: see collections.sh.
. "$(dirname "$0")/collections.sh"

compare_decks "$KNOTEN_SOURCE"/tests/decks/collections/[m-z]*.cir
finish
