package temporal

import "time"

// easter is Easter Sunday of the western churches (anonymous algorithm of 1876, as in Meeus, chapter 8).
func easter(y int) time.Time {
	a, b, c := y%19, y/100, y%100
	d, e := b/4, b%4
	f := (b + 8) / 25
	g := (b - f + 1) / 3
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return day(y, n/31, n%31+1)
}

// orthodoxEaster is Easter Sunday of the eastern churches, in our calendar (Meeus, chapter 8, for the Julian one).
func orthodoxEaster(y int) time.Time {
	a, b, c := y%4, y%7, y%19
	d := (19*c + 15) % 30
	e := (2*a + 4*b - d + 34) % 7
	n := d + e + 114
	return day(y, n/31, n%31+1).AddDate(0, 0, y/100-y/400-2)
}

// hebrewEpoch is 1 Tishri of the year 1, counted from 1 January of the year 1 (Reingold and Dershowitz, Calendrical
// Calculations).
const hebrewEpoch = -1373427

// hebrewElapsed is the number of days from the epoch to the new year y, before the delays for the day of the week of other years.
func hebrewElapsed(y int) int {
	months := (235*y - 234) / 19
	parts := 12084 + 13753*months
	d := 29*months + parts/25920
	if 3*(d+1)%7 < 3 {
		d++
	}
	return d
}

// hebrewNewYear is 1 Tishri of the Hebrew year y.
func hebrewNewYear(y int) time.Time {
	before, at, after := hebrewElapsed(y-1), hebrewElapsed(y), hebrewElapsed(y+1)
	delay := 0
	if after-at == 356 {
		delay = 2
	} else if at-before == 382 {
		delay = 1
	}
	return day(1, 1, 1).AddDate(0, 0, hebrewEpoch+at+delay-1)
}

// hebrewDay is the day d of the month m of the Hebrew year that begins in the autumn of autumnYear: 1 Tishri to 6 Adar (the
// second of two), 7 Nisan to 12 Elul.
func hebrewDay(autumnYear, m, d int) time.Time {
	start, next := hebrewNewYear(autumnYear+3761), hebrewNewYear(autumnYear+3762)
	if m >= 7 { // counted back from the new year
		lengths := [...]int{30, 29, 30, 29, 30, 29} // Nisan to Elul
		n := 0
		for k := m; k <= 12; k++ {
			n += lengths[k-7]
		}
		return next.AddDate(0, 0, d-1-n)
	}
	if m == 6 {
		return hebrewDay(autumnYear, 7, 1).AddDate(0, 0, d-1-29)
	}
	size := int(next.Sub(start).Hours() / 24)
	long, short := size%10 == 5, size%10 == 3
	lengths := [...]int{30, 29, 30, 29, 30}
	if long {
		lengths[1] = 30
	}
	if short {
		lengths[2] = 29
	}
	n := d - 1
	for k := 1; k < m; k++ {
		n += lengths[k-1]
	}
	return start.AddDate(0, 0, n)
}

// mecca: a month begins with the day after the new moon when that came before about sunset there, else a day later (the rule of
// the calendar of Umm al-Qura since 1423, with sunset taken as half past two of Greenwich, the Moon setting after the Sun).
const meccaSunset = 14*time.Hour + 30*time.Minute

// islamicMonth returns the days on which the month m (1 Muharram to 12 Dhu al-Hijja) begins within the year y; most years have
// one, some two.
func islamicMonth(y, m int) []time.Time {
	// The first new moon of which the month is known: that of 1 Muharram 1421, on 4 April 2000.
	const meanMonth = 29.530589
	epoch := day(2000, 4, 4)
	k := int(day(y, 1, 1).Sub(epoch).Hours()/24/meanMonth) - 1
	var out []time.Time
	for ; ; k++ {
		at := phaseAfter(epoch.Add(time.Duration(float64(k)*meanMonth*24*float64(time.Hour))).AddDate(0, 0, -3), 0)
		d := day(at.Year(), int(at.Month()), at.Day())
		start := d.AddDate(0, 0, 1)
		if at.Sub(d) > meccaSunset {
			start = d.AddDate(0, 0, 2)
		}
		if start.Year() > y {
			return out
		}
		if start.Year() == y && ((k%12)+12)%12 == m-1 {
			out = append(out, start)
		}
	}
}
