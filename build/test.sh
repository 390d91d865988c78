#!/bin/sh
# Every test: Go with the race detector, the page's units, end to end in a browser against the real bindings, and the real
# window on a screen of its own. All parts run, also after a fault in one.
. "$(dirname "$0")/common.sh"
exec </dev/null

want_go
want_window
# For the Ollama server, installed here with the rest so that apt runs once.
want g++ has g++
want nlohmann-json3-dev test -e /usr/include/nlohmann/json.hpp
want libstb-dev test -e /usr/include/stb/stb_image.h
# For the tests in a browser and in the window.
want chromium has chromium
want xvfb has Xvfb
want xauth has xauth
want xdotool has xdotool
want dbus-daemon has dbus-run-session
want fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
# Peers and tools that Go tests speak to.
want kiwix-tools has kiwix-serve
want zim-tools has zimwriterfs
want poppler-utils has pdftotext
install_missing
need_modules

build/ollama.sh || die "the Ollama server for the tests could not be built; see above, and run build/ollama.sh by hand"
build/registry.sh || say "no registry to pull models from; the tests that pull for real are skipped"
build_page

failed=
# part NAME COMMAND...: one part of the tests, timed.
part() {
	name=$1
	shift
	began=$(date +%s)
	if "$@"; then result=ok; else
		result=FAIL
		failed="$failed $name"
	fi
	echo "== $name: $result, $(($(date +%s) - began)) s"
}

# go test vets what it tests; make lint does that for all of it.
go_tests() { go test -race -vet=off -timeout 15m -json ./... | node build/gotest.mjs 'go test -race'; }

# Under the race detector computing takes ten times as long, so that some tests of these two try a part of their moments,
# faults or fixtures there (enginetest.Sparse). Here they try all.
whole_tests() { go test -vet=off -timeout 15m -json ./engine ./checks | node build/gotest.mjs 'go test of what is computed, whole'; }

programs() {
	# The files of the window's builds are seen by no other check.
	go vet -tags "dev,$window_tags" ./app &&
		build_program assay-dev "dev,$window_tags" &&
		build_program assay "desktop,production,$window_tags" &&
		# The real peers of the browser's tests: a model server and a registry, kept by a test.
		go test -c -o "$bin/peers" ./engine/enginetest
}

part go go_tests
part go-whole whole_tests
part units npm --prefix frontend run --silent test
part programs programs
part browser-and-window npm --prefix frontend run --silent e2e
[ -z "$failed" ] || die "make test failed:$failed"
