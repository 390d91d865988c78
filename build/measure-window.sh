#!/bin/sh
# Measures the window, a line each: time to first paint, idle memory, size of the programs. By hand, on an otherwise idle
# machine; no test depends on it.
. "$(dirname "$0")/common.sh"

want_go
want_window
want xvfb has Xvfb
want dbus-daemon has dbus-run-session
want fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
install_missing
build_page

# stripped NAME TAGS: a program without its tables for the debugger, as it would be shipped.
stripped() { go build -ldflags "-s -w" -tags "$2" -o "$bin/$1" . || die "the program could not be compiled; see above"; }
say "compiling"
stripped assay-measured "desktop,production,$window_tags"
stripped assay-cli-measured ""

dir=$(mktemp -d)
cleanup=$dir
node build/measure-window.mjs "$bin/assay-measured" "$dir"
size() { echo "$1: $(stat -c %s "$2" | awk '{ printf "%.1f", $1 / 1048576 }') MiB"; }
size "binary of the window build, stripped" "$bin/assay-measured"
size "binary of the terminal build, stripped" "$bin/assay-cli-measured"
rm -f "$bin/assay-measured" "$bin/assay-cli-measured"
