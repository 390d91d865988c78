#!/bin/sh
# Builds the program with its window, and the one for the terminal, which needs no desktop library.
. "$(dirname "$0")/common.sh"

want_go
want_window
install_missing
build_page
say "compiling; the first time takes some minutes"
build_program assay "desktop,production,$window_tags"
build_program assay-cli ""
echo "build/bin/assay and build/bin/assay-cli are ready"
