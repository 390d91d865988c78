#!/bin/sh
# The checks that need an NVIDIA card: at most 8 minutes.
. "$(dirname "$0")/common.sh"

if ! has nvidia-smi >/dev/null; then
	skipped "make gpu" "there is no NVIDIA card here (no nvidia-smi)"
	exit 0
fi
if ! nvidia-smi -L >"$log" 2>&1; then
	skipped "make gpu" "nvidia-smi fails here: $(head -n 1 "$log")"
	exit 0
fi
want_go
install_missing
ASSAY_GPU=1 go test -count=1 -timeout 8m -run 'Live|Status' -v ./gpu
