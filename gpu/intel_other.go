//go:build !linux

package gpu

import "errors"

func (m Monitor) intelRegions(pciCard) ([]byte, error) { return nil, errors.ErrUnsupported }
