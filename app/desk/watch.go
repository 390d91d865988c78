package desk

import "assay/gpu"

// The monitor's nouns, for those who see the desk only.
type (
	MemorySampler = gpu.Sampler
	MemorySample  = gpu.Sample
	MemoryPoint   = gpu.Point
	MemoryPlan    = gpu.Plan
)
