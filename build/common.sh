# Read by the other scripts: one place for the flags, the messages and the installing.
# shellcheck shell=sh disable=SC2034 # the variables are used by the scripts that read this
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

# One set of flags for every build, test and check, so that each package is compiled once: no version stamps, which would
# link everything anew after each commit, and the Go that is installed, never a downloaded one.
export GOTOOLCHAIN=local GOFLAGS=-buildvcs=false
window_tags=webkit2_41
tools=${XDG_CACHE_HOME:-$HOME/.cache}/assay/tools
bin=$root/build/bin
log=$(mktemp)
cleanup=
trap 'rm -rf "$log" $cleanup' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# say MESSAGE: what is being done, for steps that take a while.
say() { echo "assay: $*" >&2; }

# die MESSAGE: the sentence that says what is wrong and what to do, and the end.
die() {
	echo "assay: $*" >&2
	exit 1
}

# quiet WHAT-TO-DO COMMAND...: runs a command without its output; when it fails, shows the end of it and what to do.
quiet() {
	todo=$1
	shift
	if ! "$@" >"$log" 2>&1; then
		tail -n 40 "$log" >&2
		die "$todo"
	fi
}

# want PACKAGE CHECK...: notes a Debian package as missing when the check fails.
missing=
want() {
	package=$1
	shift
	"$@" >/dev/null 2>&1 || missing="$missing $package"
}

# as_root COMMAND...: as root, asking for the password where there is somebody to ask.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif ! command -v sudo >/dev/null; then
		return 1
	elif [ -t 0 ]; then
		sudo "$@"
	else
		sudo -n "$@"
	fi
}

# apt_get COMMAND...: apt-get that asks nothing and waits for whoever else is installing.
apt_get() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=900 -o Acquire::Retries=3 -qq -y --no-install-recommends "$@"
}

# install_missing: installs what want noted, once for all of it.
install_missing() {
	[ -n "$missing" ] || return 0
	command -v apt-get >/dev/null || die "these Debian packages, or what your system calls them, are needed first:$missing"
	say "installing$missing"
	if ! ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1; then
		apt_get update >"$log" 2>&1 || true
	fi
	# shellcheck disable=SC2086
	if ! apt_get install $missing >"$log" 2>&1; then
		# The lists may be older than the archive.
		apt_get update >>"$log" 2>&1 || true
		# shellcheck disable=SC2086
		if ! apt_get install $missing >>"$log" 2>&1; then
			tail -n 20 "$log" >&2
			die "run \`sudo apt-get install$missing\` and then this again"
		fi
	fi
	missing=
}

has() { command -v "$1"; }

# want_go: the compilers, which the README presumes.
want_go() {
	has go >/dev/null || die "Go is missing; install Go 1.26 or later from https://go.dev/dl and put its bin folder on the PATH"
	want gcc has gcc
	want libc6-dev test -e /usr/include/stdlib.h
}

# need_modules: the Go modules of the program, its window and its tests, and no others.
need_modules() {
	quiet "the Go modules could not be downloaded; see above, and check that the Go module proxy is reachable" \
		go list -deps -test -tags "dev,$window_tags" -f '{{""}}' ./...
}

# want_window: what the window is compiled against.
want_window() {
	want pkg-config has pkg-config
	want libgtk-3-dev test -e /usr/include/gtk-3.0/gtk/gtk.h
	want libwebkit2gtk-4.1-dev test -e /usr/include/webkitgtk-4.1/webkit2/webkit2.h
}

# need_page: the npm packages, when the lock file changed since they were installed.
need_page() {
	has npm >/dev/null || die "npm is missing; install Node 20 or later with npm"
	stamp=frontend/node_modules/.assay-lock
	if ! cmp -s frontend/package-lock.json "$stamp"; then
		say "installing the page's npm packages"
		quiet "npm ci failed in frontend; see above, and check that the npm registry is reachable" \
			npm --prefix frontend ci --no-audit --no-fund --loglevel=error
		cp frontend/package-lock.json "$stamp"
	fi
}

# build_page: the page that is embedded in the program.
build_page() {
	need_page
	quiet "the page could not be built; see above" npm --prefix frontend run --silent build
}

# build_program NAME TAGS: one program from the whole module.
build_program() {
	mkdir -p "$bin"
	go build -tags "$2" -o "$bin/$1" . || die "the program could not be compiled; see above"
}

# skipped CHECK REASON: what was not looked at, in a form that can be counted.
skipped() { echo "skipped: $1: $2"; }
