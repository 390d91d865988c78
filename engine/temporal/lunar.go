package temporal

import (
	"math"
	"time"
)

// china is how far the clock that the Chinese calendar goes by is ahead of Greenwich.
const china = 8 * time.Hour

// chineseMonth returns the first day of the month m of the Chinese year that begins in the year y. A month begins on the day of
// the new moon; the winter solstice is in the eleventh; of a year of thirteen months the first without a twelfth of the
// Sun's way is a leap month and has the number of the one before it (GB/T 33661-2017).
func chineseMonth(y, m int) time.Time {
	start := y
	if m >= 11 {
		start, m = y+1, m-12
	}
	// From the eleventh month of start-1 on, that is month -1 of start.
	solstice := dayIn(sunAfter(day(start-1, 12, 1), 270), china)
	eleventh := newMoonOnOrBefore(solstice)
	nextSolstice := dayIn(sunAfter(day(start, 12, 1), 270), china)
	last := newMoonOnOrBefore(nextSolstice)
	leap := last.Sub(eleventh).Hours()/24 > 370
	at := eleventh
	for n := -1; n < m; {
		next := newMoonAfter(at)
		if leap && at != eleventh && !hasTerm(at, next) {
			leap = false // this one has no number
		} else if at != eleventh {
			n++
			if n == m {
				return at
			}
		}
		at = next
		if at == last && n+1 == m {
			break
		}
	}
	if leap && !hasTerm(at, newMoonAfter(at)) {
		at = newMoonAfter(at)
	}
	return at
}

// hasTerm reports whether the Sun passes a multiple of 30 degrees from the day at until the day before next.
func hasTerm(at, next time.Time) bool {
	from := sunLongitude(at.Add(-china))
	to := sunLongitude(next.Add(-china))
	return math.Floor(from/30) != math.Floor(to/30)
}

// newMoonOnOrBefore returns the day in China of the last new moon up to the end of day d.
func newMoonOnOrBefore(d time.Time) time.Time {
	at := dayIn(phaseAfter(d.AddDate(0, 0, -31), 0), china)
	for {
		next := newMoonAfter(at)
		if next.After(d) {
			return at
		}
		at = next
	}
}

// newMoonAfter returns the day in China of the first new moon after that of the day at.
func newMoonAfter(at time.Time) time.Time {
	return dayIn(phaseAfter(at.AddDate(0, 0, 20), 0), china)
}

// chineseDay is the day d of the month m of the Chinese year that begins in y.
func chineseDay(y, m, d int) time.Time { return chineseMonth(y, m).AddDate(0, 0, d-1) }

// india is how far the clock of India is ahead of Greenwich.
const india = 5*time.Hour + 30*time.Minute

// sidereal turns a longitude into one counted from the stars, as the Indian calendars do (ayanamsa of Lahiri).
func sidereal(longitude float64, t time.Time) float64 {
	return wrap(longitude - 23.853 - 1.39697*julian(t))
}

// hinduDay returns the day in the year y when, at the given hour in India, it is the lunar day (1 to 30 from new moon) of the
// month (1 Chaitra to 12 Phalguna, from new moon to new moon); false when the year has none. Of two months of a name, the second
// is meant.
func hinduDay(y, month, lunarDay, hour int) (time.Time, bool) {
	begin := phaseAfter(day(y-1, 12, 1), 0)
	for begin.Year() <= y {
		next := phaseAfter(begin.AddDate(0, 0, 20), 0)
		sign := int(sidereal(sunLongitude(begin), begin) / 30)
		if (sign+1)%12+1 == month && int(sidereal(sunLongitude(next), next)/30) != sign {
			from := begin
			if lunarDay > 1 {
				from = phaseAfter(begin, float64(lunarDay-1)*12)
			}
			to := phaseAfter(from.Add(time.Hour), float64(lunarDay)*12)
			d := dayIn(from, india)
			if at := d.Add(time.Duration(hour)*time.Hour - india); at.Before(from) {
				d = d.AddDate(0, 0, 1)
				if at = d.Add(time.Duration(hour)*time.Hour - india); at.After(to) { // it does not last to that hour
					d = dayIn(to, india)
				}
			}
			d = d.AddDate(0, 0, -1)
			for range 3 { // the first day that has it at that hour
				at := d.Add(time.Duration(hour)*time.Hour - india)
				if !at.Before(from) && at.Before(to) {
					break
				}
				d = d.AddDate(0, 0, 1)
			}
			if at := d.Add(time.Duration(hour)*time.Hour - india); at.After(to) {
				d = dayIn(to, india)
			}
			if d.Year() == y {
				return d, true
			}
		}
		begin = next
	}
	return time.Time{}, false
}

// sankranti returns the day in India when the Sun enters a sign of the stars (0 Aries, 9 Capricorn) in the year y.
func sankranti(y, sign int) time.Time {
	start := day(y, 1, 1)
	offset := 23.853 + 1.39697*julian(start)
	return dayIn(sunAfter(start, wrap(float64(sign)*30+offset)), india)
}

// starDay returns the day in India when the Moon is in the star of the given number (0 to 26) at noon, after the Sun has entered
// the sign.
func starDay(y, sign, star int) (time.Time, bool) {
	from := sankranti(y, sign)
	for k := range 31 {
		d := from.AddDate(0, 0, k)
		at := d.Add(9*time.Hour - india)
		if int(sidereal(moonLongitude(at), at)/(360.0/27)) == star {
			return d, true
		}
	}
	return time.Time{}, false
}
