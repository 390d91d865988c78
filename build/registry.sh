#!/bin/sh
# Gets Debian's docker-registry for the tests that pull models, once a machine. The package is unpacked into
# ${XDG_CACHE_HOME:-~/.cache}/assay/tools/docker-registry and not installed: installed, it would listen on port 5000 of every
# interface from then on. When it is there, nothing is done or said.
. "$(dirname "$0")/common.sh"

dir=$tools/docker-registry
if [ -x "$dir/usr/bin/docker-registry" ] || has docker-registry >/dev/null; then exit 0; fi
if ! has apt-get >/dev/null || ! has dpkg-deb >/dev/null; then die "docker-registry is a Debian package; put the program of that name on the PATH"; fi

say "getting Debian's docker-registry"
new=$(mktemp -d)
cleanup="$cleanup $new"
fetch() { (cd "$new" && apt-get -qq download docker-registry) >"$log" 2>&1; }
if ! fetch; then
	apt_get update >/dev/null 2>&1 || true
	fetch || { cat "$log" >&2; die "the Debian package docker-registry could not be fetched; see above"; }
fi
dpkg-deb -x "$new"/docker-registry_*.deb "$new/tree"
mkdir -p "$tools"
rm -rf "$dir"
mv "$new/tree" "$dir"
