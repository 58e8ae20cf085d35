package interval_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/sqlite/interval"
)

func TestTimesInForceAreReadInOrder(t *testing.T) {
	at := func(n int64) time.Time { return time.UnixMicro(n).UTC() }
	for column, want := range map[string][]access.Interval{
		"":                 nil,
		"5:":               {{From: at(5)}},
		"5":                {{From: at(5)}},
		"1:2 3:4 1000000:": {{From: at(1), To: at(2)}, {From: at(3), To: at(4)}, {From: at(1000000)}},
		"-7:7":             {{From: at(-7), To: at(7)}},
	} {
		got, err := interval.Parse(column)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%q: %v %s", column, err, d)
		}
	}
}

func TestATimeThatIsNoneIsAnError(t *testing.T) {
	for _, column := range []string{"x", "1:x", ":", ":5", "1:2 x:3", "1.5:2", "99999999999999999999:"} {
		if got, err := interval.Parse(column); err == nil || got != nil {
			t.Errorf("%q: %v, %v", column, got, err)
		}
	}
}
