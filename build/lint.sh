#!/bin/sh
# Every static check, the quick ones first. What cannot be looked at here is said.
. "$(dirname "$0")/common.sh"

want_go
install_missing
need_modules
failed=
# check NAME COMMAND...: runs one check and goes on after a fault, so that one run shows them all.
check() {
	name=$1
	shift
	if "$@"; then echo "ok: $name"; else
		echo "FAIL: $name"
		failed="$failed $name"
	fi
}

formatted() {
	files=$(git ls-files -co --exclude-standard '*.go' | while IFS= read -r f; do [ ! -e "$f" ] || printf '%s\n' "$f"; done | xargs gofmt -l)
	[ -z "$files" ] || { echo "not formatted; run gofmt -w on:" "$files"; false; }
}

static() {
	version=$(sed -n 's|^[[:space:]]*honnef.co/go/tools v\([^ ]*\).*|\1|p' build/tools/go.mod)
	program=$tools/staticcheck-$version-$(go env GOVERSION)
	if [ ! -x "$program" ]; then
		mkdir -p "$tools"
		(cd build/tools && go build -o "$program.part" honnef.co/go/tools/cmd/staticcheck && mv "$program.part" "$program") || return 1
	fi
	"$program" ./...
}

# bindings: the generated files that are committed are what the program generates now.
bindings() {
	dir=$(mktemp -d)
	cleanup="$cleanup $dir"
	build/bindings.sh "$dir" || return 1
	if ! diff -r "$dir/frontend/src/lib/wailsjs" frontend/src/lib/wailsjs; then
		echo "run \`make bindings\` and commit frontend/src/lib/wailsjs"
		return 1
	fi
}

scripts() { shellcheck -x -P build build/*.sh .ci/run; }

vulnerable() {
	code=0
	govulncheck ./... >"$log" 2>&1 || code=$?
	if [ "$code" = 1 ] && grep -q 'fetching vulnerabilities' "$log"; then
		skipped govulncheck "not checked, its database cannot be reached from here"
	elif [ "$code" != 0 ]; then
		cat "$log"
		false
	fi
}

check gofmt formatted
if has shellcheck >/dev/null; then check shellcheck scripts; else skipped shellcheck "not checked, the program is not installed"; fi
check vet go vet ./...
check staticcheck static
check bindings bindings
need_page
check svelte-check npm --prefix frontend run --silent check
if has govulncheck >/dev/null; then check govulncheck vulnerable; else skipped govulncheck "not checked, the program and its database are not here"; fi
[ -z "$failed" ] || die "make lint failed:$failed"
