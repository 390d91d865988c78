#!/bin/sh
# Writes what the page may call, from the methods of app.API, into frontend/src/lib/wailsjs of DIR (this repository if
# none is given). It needs no desktop library.
target=${1:-}
. "$(dirname "$0")/common.sh"

build_program assay-bindings bindings
target=${target:-$root}
[ -e "$target/wails.json" ] || cp wails.json "$target/"
mkdir -p "$target/frontend/src/lib"
cd "$target"
# Interfaces and not classes: what crosses is data.
export tsoutputtype=interfaces
quiet "the bindings could not be generated; see above" "$bin/assay-bindings"
# The generator marks its files executable.
find frontend/src/lib/wailsjs -type f -exec chmod 644 {} +
