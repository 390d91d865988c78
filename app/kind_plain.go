//go:build !bindings && !dev && !production

package app

const kind = kindPlain
