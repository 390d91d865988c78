package research

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// Calibration is a map from the confidence of the rule of succession, (k+1)/(n+2), to the share of claims of that confidence that were
// right in labelled data. It is monotone. It is data: who uses it and who audits it each work the value out for themselves.
type Calibration struct {
	ID       string             `json:"id"` // ID("cal", knots...)
	Method   string             `json:"method"`
	Knots    []CalibrationKnot  `json:"knots"` // by X, at least one; linear between, level outside
	N        int                `json:"n"`     // labelled claims that it was fitted on
	FittedOn string             `json:"fitted_on"`
	Sets     []CalibrationSet   `json:"sets"`
	Held     CalibrationFigures `json:"held"` // on the other half, no topic of which was fitted on
}

// CalibrationKnot is a point of the map.
type CalibrationKnot struct {
	X Ratio `json:"x"` // (k+1)/(n+2)
	Y Ratio `json:"y"` // (right+1)/(n+2) of the claims there
	N int   `json:"n"`
}

// CalibrationSet is where labels came from.
type CalibrationSet struct {
	Name   string `json:"name"`
	Origin string `json:"origin"`
	Fitted int    `json:"fitted"`
	Held   int    `json:"held"`
}

// CalibrationFigures say how far a map can be trusted.
type CalibrationFigures struct {
	N     int     `json:"n"`
	ECE   float64 `json:"ece"`   // expected calibration error, bins of equal mass
	Brier float64 `json:"brier"` // mean squared error
	// The same without the map.
	RawECE   float64 `json:"raw_ece"`
	RawBrier float64 `json:"raw_brier"`
}

//go:embed calibration.json
var calibrationData []byte

// Calibrations returns the maps that runs were made under, oldest first; the last is in force. A map is never changed or taken out: a
// record names the one it was made under.
var Calibrations = sync.OnceValue(func() []Calibration {
	var out []Calibration
	if err := json.Unmarshal(calibrationData, &out); err != nil {
		panic(fmt.Sprintf("calibration.json is part of the program and cannot be read: %v", err))
	}
	return out
})

// CalibrationID is the name of a map with these knots.
func CalibrationID(knots []CalibrationKnot) string {
	var parts []string
	for _, k := range knots {
		parts = append(parts, string(k.X), string(k.Y))
	}
	return ID("cal", parts...)
}
