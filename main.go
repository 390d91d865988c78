// Assay: deep research that anyone can audit, on the reader's own machine.
package main

import (
	"os"

	"assay/app"
)

func main() {
	os.Exit(app.Main(os.Args[1:]))
}
