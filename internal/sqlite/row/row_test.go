package row

import (
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/problem"
)

func TestACursorComesBackAndNothingElseIsOne(t *testing.T) {
	for _, c := range []Cursor{{0, "x"}, {-5, "run_1 with blanks"}, {1 << 50, "文"}} {
		if got, err := ParseCursor(c.String()); err != nil || got != c {
			t.Errorf("%v came back as %v, %v", c, got, err)
		}
	}
	if got, err := ParseCursor(""); err != nil || got != (Cursor{}) {
		t.Errorf("the beginning: %v %v", got, err)
	}
	for _, s := range []string{"x", "!!", "eA", (Cursor{1, ""}).String(), base64.RawURLEncoding.EncodeToString([]byte("one id"))} {
		if got, err := ParseCursor(s); problem.CodeOf(err) != "invalid_cursor" {
			t.Errorf("%q is taken for %v", s, got)
		}
	}
}

func TestATimeComesBackFromItsColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMicro(rapid.Int64Range(-1<<50, 1<<52).Filter(func(n int64) bool { return n != 0 }).Draw(t, "micros")).UTC()
		if Moment(Micros(at)) != at || At(Micros(at)) != at {
			t.Fatalf("%v came back as %v", at, Moment(Micros(at)))
		}
	})
	if Micros(time.Time{}) != 0 || !Moment(0).IsZero() {
		t.Error("no time is another one")
	}
}

// changedRows is what a statement did, or why nobody knows.
type changedRows struct {
	n   int64
	err error
}

func (changedRows) LastInsertId() (int64, error)   { return 0, nil }
func (c changedRows) RowsAffected() (int64, error) { return c.n, c.err }

func TestAStatementThatChangedNothingIsTold(t *testing.T) {
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		result  sql.Result
		err     error
		changed bool
		one     string // code, or text of the error
	}{
		"one row": {changedRows{1, nil}, nil, true, ""}, "many rows": {changedRows{7, nil}, nil, true, ""}, "none": {changedRows{}, nil, false, "not_found"},
		"a failure": {nil, broken, false, "broken"}, "an unknown count": {changedRows{0, broken}, nil, false, "broken"},
	} {
		if got, err := Changed(tt.result, tt.err); got != tt.changed || (err == nil) != (tt.one == "" || tt.one == "not_found") {
			t.Errorf("%s: changed %v, %v", name, got, err)
		}
		err := One(tt.result, tt.err)
		if err == nil != (tt.one == "") || err != nil && problem.CodeOf(err) != tt.one && err.Error() != tt.one {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestARowThatIsNotThereIsNotFoundAndNothingOfItIsKept(t *testing.T) {
	wrapped := fmt.Errorf("asked for one: %w", sql.ErrNoRows)
	if v, err := Found("half", wrapped); v != "" || !problem.Is(err, problem.NotFound) || !problem.Is(Missing(wrapped), problem.NotFound) {
		t.Errorf("%q, %v", v, err)
	}
	broken := errors.New("broken")
	if v, err := Found("half", broken); v != "half" || !errors.Is(err, broken) || !errors.Is(Missing(broken), broken) || Missing(nil) != nil {
		t.Errorf("%q, %v", v, err)
	}
}

func TestWhatCannotBeWrittenFailsItsStatement(t *testing.T) {
	if _, err := Marshal(math.NaN()).Value(); problem.CodeOf(err) != "record" {
		t.Errorf("got %v", err)
	}
	if v, err := Marshal(List[string](nil)).Value(); err != nil || v != "[]" {
		t.Errorf("no list is written as %v, %v", v, err)
	}
	if a, b := Random("x_"), Random("x_"); a == b || !strings.HasPrefix(a, "x_") || a != strings.ToLower(a) {
		t.Errorf("ids %s and %s", a, b)
	}
}
