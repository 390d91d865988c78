#!/bin/sh
# Builds the real Ollama server from its Go module for the tests, once a machine and version, for the CPU.
# The result is ${XDG_CACHE_HOME:-~/.cache}/assay/tools/ollama-VERSION/ollama; when it is there, nothing is done or said.
#
# The module leaves out three C++ headers, because module archives have no directories called "vendor": nlohmann/json and
# stb come from Debian, miniaudio from the module github.com/gen2brain/malgo.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/tools"
version=$(sed -n 's|^[[:space:]]*github.com/ollama/ollama v\([^ ]*\).*|\1|p' go.mod)
[ -n "$version" ] || { echo "ollama.sh: build/tools/go.mod does not name github.com/ollama/ollama" >&2; exit 1; }
dir=${XDG_CACHE_HOME:-$HOME/.cache}/assay/tools/ollama-$version
[ -x "$dir/ollama" ] && exit 0

mkdir -p "$dir"
# One build at a time; whoever waited finds the work done.
exec 9>"$dir/lock"
if command -v flock >/dev/null; then flock 9; fi
[ -x "$dir/ollama" ] && exit 0

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
missing=
command -v g++ >/dev/null || missing="$missing g++"
[ -e /usr/include/nlohmann/json.hpp ] || missing="$missing nlohmann-json3-dev"
[ -e /usr/include/stb/stb_image.h ] || missing="$missing libstb-dev"
if [ -n "$missing" ]; then
	echo "ollama.sh: installing$missing" >&2
	# shellcheck disable=SC2086
	if ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >"$dir/apt.log" 2>&1; then
		$sudo apt-get update -qq >>"$dir/apt.log" 2>&1 || true
		$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >>"$dir/apt.log" 2>&1 ||
			{ cat "$dir/apt.log" >&2; echo "ollama.sh: install$missing by hand, then run this again" >&2; exit 1; }
	fi
fi

echo "ollama.sh: building the Ollama $version server, some minutes, once" >&2
inc=$(mktemp -d)
trap 'rm -rf "$inc"' EXIT
export GOTOOLCHAIN=local
go mod download github.com/gen2brain/malgo
mkdir "$inc/miniaudio"
cp "$(go list -m -f '{{.Dir}}' github.com/gen2brain/malgo)/miniaudio.h" "$inc/miniaudio/"
# Without the version flag /api/version says 0.0.0. The name changes last, so that a build that was stopped is built again.
CGO_ENABLED=1 CGO_CPPFLAGS="-I$inc" CGO_CFLAGS="-O2 -w" CGO_CXXFLAGS="-O2 -w" go build \
	-ldflags "-s -w -X github.com/ollama/ollama/version.Version=$version" -o "$dir/ollama.part" github.com/ollama/ollama
mv "$dir/ollama.part" "$dir/ollama"
