package world

// die is a stream of hashed facts: casting the same names onto the same die
// always shows the same number.
type die uint64

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// cast mixes names into the die. The names are kept apart, so that "AB", "C" and
// "A", "BC" differ.
func (d die) cast(names ...string) die {
	h := uint64(d)
	for _, name := range names {
		for i := range len(name) {
			h = (h ^ uint64(name[i])) * fnvPrime
		}
		h = (h ^ 0xff) * fnvPrime
	}
	return die(h)
}

// number mixes a number into the die.
func (d die) number(n int) die {
	h := uint64(d)
	for shift := 0; shift < 64; shift += 8 {
		h = (h ^ uint64(n)>>shift&0xff) * fnvPrime
	}
	return die(h)
}

// below is a number from 0 to n-1. The finalizer is SplitMix64's, for the low
// bits of an FNV hash alone are too regular.
func (d die) below(n int) int {
	z := uint64(d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// within is a number from low to high, both included.
func (d die) within(low, high int) int { return low + d.below(high-low+1) }

// chance is true for so many of a thousand dice.
func (d die) chance(permille int) bool { return d.below(1000) < permille }

// Facts are numbered draws for one thing, for renderings to decide what the
// world leaves open.
type Facts struct{ die die }

// Facts draws for the thing that the names stand for.
func (w *World) Facts(names ...string) Facts { return Facts{w.die.cast(names...)} }

// Chance is true for so many of a thousand draws.
func (f Facts) Chance(draw, permille int) bool { return f.die.number(draw).chance(permille) }

// Within is a number from low to high, both included.
func (f Facts) Within(draw, low, high int) int { return f.die.number(draw).within(low, high) }
