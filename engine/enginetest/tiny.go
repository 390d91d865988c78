package enginetest

import "assay/engine/tiny"

// Tiny is the shape of a model made by code; see [tiny.Model].
type Tiny = tiny.Model
