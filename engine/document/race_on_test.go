//go:build race

package document

// shrink divides the sizes of pages whose reading must be linear: the race detector makes each step some ten times dearer, and
// reading that is not linear shows in a part of the size as well.
const shrink = 16
