//go:build !linux && !windows && !darwin

package desk

import "errors"

// keepAwake is not known for this system.
func keepAwake() (let func(), err error) {
	return nil, errors.New("it is not known how, on this system")
}
