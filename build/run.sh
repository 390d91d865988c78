#!/bin/sh
# Opens the window. With Q=QUESTION and LIBRARY=DIR, or without a display, does the research in the terminal.
. "$(dirname "$0")/common.sh"

want_go
question=${Q:-}
library=${LIBRARY:-}

if [ -z "$question" ] && [ -n "$library" ]; then
	die "the question is empty; give one with \`make run Q=\"...\" LIBRARY=dir\`"
fi

if [ -z "$question" ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
	want_window
	install_missing
	build_page
	say "compiling; the first time takes some minutes"
	build_program assay "desktop,production,$window_tags"
	"$bin/assay"
	exit
fi

if [ -z "$question" ]; then
	say "there is no display here, so the research runs in the terminal instead of the window"
	if [ -t 0 ]; then
		printf 'Your question: '
		read -r question
		printf 'The folder with your documents: '
		read -r library
	else
		# Nobody to ask: the program's own documents are the library, so that something real is seen to work.
		question="What does the Apache License say about patents?"
		library=$root/build/cache/own-documents
		mkdir -p "$library"
		cp LICENSE "$library/LICENSE.txt"
		[ ! -e README.md ] || cp README.md "$library/"
		say "nobody is there to ask; the sample question is: $question"
	fi
fi
[ -n "$question" ] || die "there is no question; give one with \`make run Q=\"...\" LIBRARY=dir\`"
[ -n "$library" ] || die "there are no documents; name their folder with \`make run Q=\"...\" LIBRARY=dir\`"
[ -d "$library" ] || die "the folder $library does not exist; name the folder of your documents with LIBRARY=dir"

install_missing
say "compiling; the first time takes a few minutes"
build_program assay-cli ""
out=${OUT:-$root/reports/$(date +%Y%m%d-%H%M%S)}
# It prints where the report is. make turns every failure into its own code 2, so the program's is said.
"$bin/assay-cli" research "$question" --library "$library" --offline --yes --out "$out" || {
	code=$?
	say "the research ended with code $code (assay --help says what the codes mean; make itself ends with 2)"
	exit "$code"
}
