package temporal

import (
	"math"
	"time"
)

// The positions of Sun and Moon, to a few hundredths of a degree between 1600 and 2400: the main terms of J. Meeus,
// Astronomical Algorithms (2nd ed. 1998), chapters 25 and 47. They tell the day of a new or full moon, which the feasts of
// the lunar calendars hang on, but for those that fall within some minutes of midnight.

// centuries since noon of 1 January 2000, with the difference between the time of the ephemeris and that of the clock (about a
// minute) left out.
func julian(t time.Time) float64 {
	return float64(t.Unix()-946728000) / 86400 / 36525
}

func sinDeg(d float64) float64 { return math.Sin(math.Mod(d, 360) * math.Pi / 180) }

func wrap(d float64) float64 {
	d = math.Mod(d, 360)
	if d < 0 {
		d += 360
	}
	return d
}

// sunLongitude is the apparent longitude of the Sun in degrees.
func sunLongitude(t time.Time) float64 {
	c := julian(t)
	m := 357.52911 + 35999.05029*c
	l := 280.46646 + 36000.76983*c
	return wrap(l + (1.914602-0.004817*c)*sinDeg(m) + 0.019993*sinDeg(2*m) + 0.000289*sinDeg(3*m) - 0.00569)
}

// moonTerms are the multiples of D, M, M' and F, and the size of each term in degrees.
var moonTerms = [...]struct {
	d, m, n, f float64
	size       float64
}{
	{0, 0, 1, 0, 6.288774}, {2, 0, -1, 0, 1.274027}, {2, 0, 0, 0, 0.658314}, {0, 0, 2, 0, 0.213618}, {0, 1, 0, 0, -0.185116}, {0, 0, 0, 2, -0.114332},
	{2, 0, -2, 0, 0.058793}, {2, -1, -1, 0, 0.057066}, {2, 0, 1, 0, 0.053322}, {2, -1, 0, 0, 0.045758}, {0, 1, -1, 0, -0.040923}, {1, 0, 0, 0, -0.034720},
	{0, 1, 1, 0, -0.030383}, {2, 0, 0, -2, 0.015327}, {0, 0, 1, 2, -0.012528}, {0, 0, 1, -2, 0.010980}, {4, 0, -1, 0, 0.010675}, {0, 0, 3, 0, 0.010034},
	{4, 0, -2, 0, 0.008548}, {2, 1, -1, 0, -0.007888}, {2, 1, 0, 0, -0.006766}, {1, 0, -1, 0, -0.005163}, {1, 1, 0, 0, 0.004987}, {2, -1, 1, 0, 0.004036},
}

// moonLongitude is the longitude of the Moon in degrees.
func moonLongitude(t time.Time) float64 {
	c := julian(t)
	l := 218.3164477 + 481267.88123421*c
	d := 297.8501921 + 445267.1114034*c
	m := 357.5291092 + 35999.0502909*c
	n := 134.9633964 + 477198.8675055*c
	f := 93.2720950 + 483202.0175233*c
	for _, x := range moonTerms {
		l += x.size * sinDeg(x.d*d+x.m*m+x.n*n+x.f*f)
	}
	return wrap(l)
}

// elongation is how far the Moon is ahead of the Sun, in degrees: 0 at new moon, 180 at full moon.
func elongation(t time.Time) float64 { return wrap(moonLongitude(t) - sunLongitude(t)) }

// moonDay is the mean length of a day of the Moon's age in hours per degree.
const hoursPerDegree = 29.530589 * 24 / 360

// phaseAfter returns the first time after t when the Moon is angle degrees ahead of the Sun.
func phaseAfter(t time.Time, angle float64) time.Time {
	at := t.Add(time.Duration(wrap(angle-elongation(t)) * hoursPerDegree * float64(time.Hour)))
	for range 6 {
		off := wrap(angle - elongation(at))
		if off > 180 {
			off -= 360
		}
		at = at.Add(time.Duration(off * hoursPerDegree * float64(time.Hour)))
	}
	if at.Before(t) {
		return phaseAfter(t.AddDate(0, 0, 2), angle)
	}
	return at
}

// sunAfter returns the first time after t when the longitude of the Sun is angle.
func sunAfter(t time.Time, angle float64) time.Time {
	const hours = 365.2422 * 24 / 360
	at := t.Add(time.Duration(wrap(angle-sunLongitude(t)) * hours * float64(time.Hour)))
	for range 6 {
		off := wrap(angle - sunLongitude(at))
		if off > 180 {
			off -= 360
		}
		at = at.Add(time.Duration(off * hours * float64(time.Hour)))
	}
	return at
}

// dayIn is the calendar day of t where clocks are ahead of Greenwich by the offset.
func dayIn(t time.Time, ahead time.Duration) time.Time {
	y, m, d := t.UTC().Add(ahead).Date()
	return day(y, int(m), d)
}
