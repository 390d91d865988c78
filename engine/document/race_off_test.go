//go:build !race

package document

// shrink leaves the sizes of pages whose reading must be linear as they are.
const shrink = 1
