// Package row reads and writes rows: what every part of the driver does with the results and columns
// of a statement, whatever table it is of.
package row

import (
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/problem"
)

// Queries are the statements of a transaction.
type Queries interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Scanner is a row: *sql.Row or *sql.Rows.
type Scanner interface{ Scan(...any) error }

// Collect reads all rows of a query. Rows are read out before anything else is asked of the same
// transaction.
func Collect[T any](rows *sql.Rows, err error, scan func(Scanner) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells what went wrong
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// Changed reports whether a statement changed a row.
func Changed(r sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}

// One returns problem.NotFound unless the statement changed a row.
func One(r sql.Result, err error) error {
	if ok, err := Changed(r, err); err != nil || ok {
		return err
	}
	return problem.Missing()
}

// Found turns the absence of a row into problem.NotFound, and what was read of it into nothing.
func Found[T any](v T, err error) (T, error) {
	if errors.Is(err, sql.ErrNoRows) {
		var none T
		return none, problem.Missing()
	}
	return v, err
}

// Missing turns the absence of a row into problem.NotFound.
func Missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return problem.Missing()
	}
	return err
}

// Text scans one column.
func Text[T ~string](r Scanner) (T, error) {
	var s T
	err := r.Scan(&s)
	return s, err
}

// Random makes an id that says nothing about how many there are or when it was made.
func Random(prefix string) string { return prefix + strings.ToLower(rand.Text()) }

// Written is a column of JSON, or the reason why there is none: a statement that is given one
// without text fails with the reason, so that no half of a transaction can be stored.
type Written struct {
	Text string
	Err  error
}

// Value implements driver.Valuer of database/sql.
func (w Written) Value() (driver.Value, error) { return w.Text, w.Err }

// Marshal writes a column of JSON. What can't be written (a time beyond the year 9999, a number
// that is none) is an error of the statement that was to store it.
func Marshal(v any) Written {
	b, err := json.Marshal(v)
	if err != nil {
		return Written{Err: problem.Wrap(err, problem.Internal, "record", "A record can't be written.")}
	}
	return Written{Text: string(b)}
}

// List makes nil an empty list, so that a column holds "[]" and never "null".
func List[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// At reads a time column.
func At(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// Moment reads a time column in which 0 is no time.
func Moment(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return At(micros)
}

// Micros writes such a column.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// Bound is a time in microseconds; one too far ahead for that is past every time that is stored.
func Bound(at time.Time) int64 {
	if at.Year() > 9999 {
		return math.MaxInt64
	}
	return at.UnixMicro()
}

// The bounds of a page.
const (
	defaultPage = 50
	largestPage = 1000
)

// PageSize bounds the length of a page that a caller asks for; not asking means the usual one.
func PageSize(limit int) int {
	if limit <= 0 {
		return defaultPage
	}
	return min(limit, largestPage)
}

// Cursor is the last item of a page: a time and, among those of the same time, an id. It names
// only what the page has shown.
type Cursor struct {
	Micros int64
	ID     string
}

// String writes the cursor as clients carry it.
func (c Cursor) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(c.Micros, 10) + " " + c.ID))
}

// ParseCursor reads what String wrote; "" is the beginning.
func ParseCursor(s string) (Cursor, error) {
	if s == "" {
		return Cursor{}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	micros, id, ok := strings.Cut(string(b), " ")
	n, number := strconv.ParseInt(micros, 10, 64)
	if err != nil || !ok || number != nil || id == "" {
		return Cursor{}, problem.New(problem.Invalid, "invalid_cursor", "The cursor is not one that a page of this list returned.")
	}
	return Cursor{n, id}, nil
}

// Words reads a column of strings; an empty list is nil.
func Words(column string) (out []string, err error) {
	if err = json.Unmarshal([]byte(column), &out); len(out) == 0 {
		out = nil
	}
	return out, err
}
