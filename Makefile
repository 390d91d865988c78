# Assay's commands. Each installs what it needs and is missing, asking sudo when you are not root.
#
#   make run                          opens the window
#   make run Q="..." LIBRARY=dir      researches in the terminal and prints where the report is
#   make test | lint                  every test | every static check
#   make build                        build/bin/assay (window and terminal) and build/bin/assay-cli (terminal only)
#   make bindings                     rewrites what the page may call, after a change of app/api.go
#   make quality                      the benches on labelled data, against build/floors.json
#   make release-check | gpu          slow validators | the checks that need an NVIDIA card

.PHONY: run build test lint bindings quality release-check gpu
# As they were typed: make would take the $ in them for its own.
override Q := $(value Q)
override LIBRARY := $(value LIBRARY)
override OUT := $(value OUT)
export Q LIBRARY OUT

run build test lint bindings quality release-check gpu:
	@build/$@.sh
