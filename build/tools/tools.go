//go:build tools

// Package tools keeps in go.mod what the scripts take from modules without building a program of it.
package tools

import _ "github.com/gen2brain/malgo" // miniaudio.h, for the Ollama server (see ../ollama.sh)
