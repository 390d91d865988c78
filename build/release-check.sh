#!/bin/sh
# What is too slow for every change: each fuzz target for FUZZTIME (60s), the builds for the other systems, and a real MediaWiki and
# searx, which are installed where they are missing.
. "$(dirname "$0")/common.sh"

want_go
want mediawiki test -e /var/lib/mediawiki/index.php
want php-cli has php
want php-sqlite3 php -r 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);'
want php-intl php -r 'exit(extension_loaded("intl") ? 0 : 1);'
want php-mbstring php -r 'exit(extension_loaded("mbstring") ? 0 : 1);'
want php-xml php -r 'exit(extension_loaded("xml") ? 0 : 1);'
want searx has searx-run
install_missing
failed=
if ASSAY_TEST_PEERS=1 go test -count=1 -v -run TestPeersReal ./engine/search >"$log" 2>&1 && ! grep -q -- '--- SKIP' "$log"; then
	echo "ok: MediaWiki and searx answer through our providers"
else
	tail -n 30 "$log"
	failed=" peers"
fi
for system in windows darwin; do
	if GOOS=$system CGO_ENABLED=0 go build ./... ; then echo "ok: compiles for $system"; else failed="$failed $system"; fi
done
targets=$(grep -rn --include='*_test.go' -o '^func Fuzz[A-Za-z0-9_]*' app checks engine gpu 2>/dev/null | sed 's/^\(.*\)\/[^/]*:[0-9]*:func \(.*\)/\1 \2/' | sort)
count=0
while read -r package name; do
	[ -n "$package" ] || continue
	count=$((count + 1))
	if go test -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-60s}" "./$package" >"$log" 2>&1; then
		echo "ok: $package $name, $(grep -o 'execs: [0-9]*' "$log" | tail -n 1)"
	else
		tail -n 30 "$log"
		failed="$failed $name"
	fi
done <<LIST
$targets
LIST
echo "fuzzed $count targets"
[ -z "$failed" ] || die "make release-check failed:$failed"
