// Package interval reads the times in which a version was in force from the form in which the
// driver keeps them.
package interval

import (
	"strconv"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
)

// Parse reads pairs of microseconds, "from:to", apart by spaces, the end missing while the version
// still is in force.
func Parse(column string) (out []access.Interval, err error) {
	for _, pair := range strings.Fields(column) {
		from, to, _ := strings.Cut(pair, ":")
		var i access.Interval
		if i.From, err = micros(from); err == nil && to != "" {
			i.To, err = micros(to)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	return out, nil
}

func micros(s string) (time.Time, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	return time.UnixMicro(n).UTC(), err
}
