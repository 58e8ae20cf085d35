package sqlite

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/problem"
)

// cursor is the last item of a page: a time and, among those of the same time, an id. It names
// only what the page has shown.
type cursor struct {
	micros int64
	id     string
}

func (c cursor) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(c.micros, 10) + " " + c.id))
}

func parseCursor(s string) (cursor, error) {
	if s == "" {
		return cursor{}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	micros, id, ok := strings.Cut(string(b), " ")
	n, number := strconv.ParseInt(micros, 10, 64)
	if err != nil || !ok || number != nil || id == "" {
		return cursor{}, problem.New(problem.Invalid, "invalid_cursor", "The cursor is not one that a page of this list returned.")
	}
	return cursor{n, id}, nil
}
