#!/bin/sh
# The benches on labelled data, against the floors of build/floors.json. The data is not part of the repository: it is read
# from $ASSAY_DATA, ../shared/data if that is not set.
. "$(dirname "$0")/common.sh"

data=${ASSAY_DATA:-$root/../shared/data}
if [ ! -d "$data" ]; then
	skipped "make quality" "there is no labelled data in $data; name its folder with ASSAY_DATA"
	exit 0
fi
want_go
install_missing
build_program assay-cli ""
ASSAY_DATA=$(cd "$data" && pwd) node build/quality.mjs "$@"
