package httpapi

import "strings"

// nearest is the known name that was most probably meant by another: one that it
// begins, or one that at most a third of its letters, and two at least, turn it
// into. Capitals and underscores do not count. Empty where none is near.
func nearest(name string, known []string) string {
	meant := plain(name)
	if len(meant) > 2*maxNameLength {
		return ""
	}
	best, bestDistance := "", maxNameLength
	for _, candidate := range known {
		offered := plain(candidate)
		distance := editDistance(meant, offered)
		if len(meant) > 2 && strings.HasPrefix(offered, meant) {
			distance = 1
		}
		if distance <= max(2, len(offered)/3) && distance < min(bestDistance, len(offered)) {
			best, bestDistance = candidate, distance
		}
	}
	return best
}

// maxNameLength is more than the longest name of the contract has, and bounds
// the work that a misspelt one makes.
const maxNameLength = 32

// plain is a name without capitals and separators.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-':
			return -1
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, name)
}

// editDistance counts the bytes to insert, drop or replace (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
