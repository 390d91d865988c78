//go:build !linux

package ollama

// helperEnv and helper are for tests that run on Linux.
const helperEnv = "ASSAY_TEST_SERVE"

func helper() {}
