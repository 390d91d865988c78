// Command icon draws Assay's mark as a PNG: an A whose bar is the tick of a checked statement. It is run by hand when the
// mark changes, from build/tools: go run ./icon ../appicon.png
package main

import (
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"
)

const (
	size    = 1024
	samples = 4 // each way, for smooth edges
)

type point struct{ x, y float64 }

// The mark, in a square of 64. frontend/public/icon.svg is the same by hand.
var (
	strokes = []struct {
		from, to point
		colour   color.NRGBA
	}{
		{point{17, 50}, point{32, 13}, color.NRGBA{0xff, 0xff, 0xff, 0xff}},
		{point{32, 13}, point{47, 50}, color.NRGBA{0xff, 0xff, 0xff, 0xff}},
		{point{24, 37}, point{31, 43}, color.NRGBA{0x7f, 0xd6, 0xb8, 0xff}},
		{point{31, 43}, point{52, 24}, color.NRGBA{0x7f, 0xd6, 0xb8, 0xff}},
	}
	ground       = color.NRGBA{0x23, 0x4f, 0x8e, 0xff}
	halfStroke   = 3.0
	inset, round = 2.0, 13.0
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./icon FILE.png")
	}
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			img.SetNRGBA(x, y, pixel(x, y))
		}
	}
	f, err := os.Create(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}

// pixel is the mean colour of a pixel, its samples weighed by how much they cover.
func pixel(x, y int) color.NRGBA {
	var r, g, b, a float64
	for i := range samples {
		for j := range samples {
			at := func(n, k int) float64 { return (float64(n) + (float64(k)+0.5)/samples) * 64 / size }
			c := colour(point{at(x, i), at(y, j)})
			w := float64(c.A)
			r, g, b, a = r+float64(c.R)*w, g+float64(c.G)*w, b+float64(c.B)*w, a+w
		}
	}
	if a == 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{uint8(r/a + 0.5), uint8(g/a + 0.5), uint8(b/a + 0.5), uint8(a/(samples*samples) + 0.5)}
}

// colour is what stands at a point: the last stroke that covers it, else the ground, else nothing.
func colour(p point) color.NRGBA {
	for i := len(strokes) - 1; i >= 0; i-- {
		if distance(p, strokes[i].from, strokes[i].to) <= halfStroke {
			return strokes[i].colour
		}
	}
	// A square with round corners: the distance to the smaller square whose corners are the centres of the rounding.
	low, high := inset+round, 64-inset-round
	d := math.Hypot(math.Max(math.Max(low-p.x, p.x-high), 0), math.Max(math.Max(low-p.y, p.y-high), 0))
	if d <= round {
		return ground
	}
	return color.NRGBA{}
}

// distance is how far a point is from a stretch of a line.
func distance(p, from, to point) float64 {
	dx, dy := to.x-from.x, to.y-from.y
	t := ((p.x-from.x)*dx + (p.y-from.y)*dy) / (dx*dx + dy*dy)
	t = math.Max(0, math.Min(1, t))
	return math.Hypot(p.x-from.x-t*dx, p.y-from.y-t*dy)
}
