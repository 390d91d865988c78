#!/bin/sh
# Writes app/serve/testdata/openapi.json, which is what `assay serve openapi` prints, and from it the Go client with which the tests of
# app/serve drive a whole run. The generator runs at the version named here and is no part of the program or of its tools.
. "$(dirname "$0")/common.sh"

generator=github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
home=$(mktemp -d)
cleanup="$cleanup $home"
ASSAY_HOME=$home ASSAY_UPDATE=1 go test ./app/serve -run '^TestOpenAPIIsKept$' -count=1 >"$log" 2>&1 || { cat "$log" >&2; die "the description could not be made; see above"; }
GOFLAGS=-mod=mod go run "$generator" -generate types,client -package serve_test -o app/serve/generated_test.go app/serve/testdata/openapi.json
gofmt -w app/serve/generated_test.go
