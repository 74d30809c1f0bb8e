package flight

import "strconv"

// appendPadded writes n, which is not negative, with zeros in front up to width
// digits. Dates and amounts are written for every segment and offer of an
// answer, where fmt is several times slower.
func appendPadded(b []byte, n uint64, width int) []byte {
	for unit := pow10(width - 1); unit > 1 && n < unit; unit /= 10 {
		b = append(b, '0')
	}
	return strconv.AppendUint(b, n, 10)
}

func pow10(n int) uint64 {
	power := uint64(1)
	for range n {
		power *= 10
	}
	return power
}
