#!/bin/sh
# Gets the documents of the fifty questions into a folder: prepare.sh DIR. Four packages of Debian 12 are fetched and unpacked, and
# none is installed. Of the handbook, which is there in 26 languages, the English edition is kept; packed texts are unpacked.
set -eu
[ $# = 1 ] || { echo "prepare.sh: name a folder for the documents" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
cd "$new"
for package in debian-history doc-debian debian-handbook debian-faq; do
	[ -d "$dir/$package" ] && continue
	apt-get -qq download "$package" 2>"$new/log" || { cat "$new/log" >&2; echo "prepare.sh: the Debian package $package could not be fetched" >&2; exit 1; }
	dpkg-deb -x "$package"_*.deb "$package"
	find "$package" -path '*debian-handbook/html/*' -mindepth 6 -maxdepth 6 -type d ! -name en-US -exec rm -rf {} +
	find "$package" -name '*.gz' ! -name 'changelog*' -exec gunzip -f {} +
	find "$package" -name '*.[0-9].[0-9].txt' -delete # earlier editions of the constitution and the contract
	mv "$package" "$dir/$package"
done
