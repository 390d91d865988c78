package checks

import "assay/engine/evidence"

var directionflip = &Check{
	ID: "G20", Name: "directionflip", Title: "DirectionFlip", Tier: Grounding, Class: Firm,
	Scope: statementKeys, Eval: evalDirectionFlip,
	Cap: 2, LifeCap: 3, Repair: []Action{Reread, Issues}, Terminal: Issues, Advise: Issues,
}

func evalDirectionFlip(v View, k Key) []Hit {
	return flipped(v, k, evidence.Direction)
}
