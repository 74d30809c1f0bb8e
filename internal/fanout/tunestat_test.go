package fanout

import (
	"fmt"
	"slices"
)

func mid(v []float64) string {
	slices.Sort(v)
	return fmt.Sprintf("%.0f[%.0f-%.0f]", v[len(v)/2], v[0], v[len(v)-1])
}

func mid3(v []float64) string {
	slices.Sort(v)
	return fmt.Sprintf("%.3f[%.3f-%.3f]", v[len(v)/2], v[0], v[len(v)-1])
}
