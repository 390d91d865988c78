package gpu

import (
	"context"
	"errors"
)

func systemProgram(context.Context, int) (string, error) { return "", errors.ErrUnsupported }
