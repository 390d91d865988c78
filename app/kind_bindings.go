//go:build bindings

package app

const kind = kindBindings
