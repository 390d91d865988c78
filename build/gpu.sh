#!/bin/sh
# The checks that need an NVIDIA card, in at most 8 minutes: read the card, load a model of an Ollama server that is there,
# compare what was predicted with what was taken. The tests are those named Live.
#
# OLLAMA_HOST names the server (127.0.0.1:11434 if not set), ASSAY_GPU_MODEL the model (its smallest if not set), ASSAY_OLLAMA
# a server program that uses the card and is started by tests that need one of their own.
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
began=$(date +%s)
# left: the seconds that are left of the 8 minutes, at least 1.
left() {
	rest=$((began + 470 - $(date +%s)))
	[ "$rest" -ge 1 ] || rest=1
	echo "$rest"
}
# within COMMAND...: runs a command for as long as is left.
within() { timeout -k 5 "$(left)" "$@"; }
failed=

build_program assay-cli ""
say "what is read of the card, beside what the tool prints"
within "$bin/assay-cli" gpu --wake || failed="$failed probe"
within nvidia-smi --query-gpu=index,name,memory.total,memory.used,memory.free,memory.reserved,pstate --format=csv || true
within "$bin/assay-cli" gpu --json --wake >"$log" || failed="$failed probe"
grep -q '"usable_bytes":[0-9]' "$log" || { echo "FAIL: no card is said to be usable"; failed="$failed usable"; }
# What the tool prints is read as what the probe reads.
nvidia-smi >"$log" && within "$bin/assay-cli" gpu --from "$log" || failed="$failed table"

say "load, predict and compare"
packages=$(go list -f '{{.Dir}} {{.ImportPath}}' ./gpu ./engine/ollama ./app/desk ./app/cli | while read -r dir package; do
	if grep -qs 'func TestLive' "$dir"/*_test.go; then echo "$package"; fi
done)
# shellcheck disable=SC2086
ASSAY_GPU=1 within go test -count=1 -timeout "$(left)s" -run Live -v $packages || failed="$failed live"

if "$bin/assay-cli" --help | grep -q '^  fit '; then
	if [ -n "${ASSAY_GPU_MODEL:-}" ]; then
		within "$bin/assay-cli" fit "$ASSAY_GPU_MODEL" || failed="$failed fit"
	else
		skipped "assay fit" "no model is named in ASSAY_GPU_MODEL"
	fi
else
	skipped "assay fit" "this build has no fit command"
fi
[ -z "$failed" ] || die "make gpu failed:$failed"
say "done in $(($(date +%s) - began)) s"
