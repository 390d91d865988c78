package checks

import "assay/engine/evidence"

var directionflip = &Check{
	ID: "G20", Name: "directionflip", Title: "DirectionFlip", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalDirectionFlip, Advise: Issues,
}

func evalDirectionFlip(v View, k Key) []Hit {
	return flipped(v, k, evidence.Direction)
}
