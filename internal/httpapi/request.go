package httpapi

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// Sizes of pages.
const (
	maxPage   = 200
	maxChunks = 5000
	maxHits   = 50
)

// Paging holds the parameters of every list. A limit above the maximum is clamped.
type Paging struct {
	Limit  int    `query:"limit" minimum:"1" default:"50" doc:"Size of a page; more than the maximum is the maximum."`
	Cursor string `query:"cursor" doc:"next_cursor of the page before."`
}

func (p Paging) size(most int) int { return min(p.Limit, most) }

// days reads two dates, both inclusive and in UTC, as a half-open range of times. Empty ones do
// not bound it. The names are those of the fields or parameters.
func days(from, to, nameFrom, nameTo string) (start, end time.Time, fields []problem.Field) {
	var err error
	if from != "" {
		if start, err = time.Parse(time.DateOnly, from); err != nil || !inRange(start) {
			fields = append(fields, problem.Field{Pointer: nameFrom, Detail: "must be a date like 2026-10-01, from year 1 to 9998"})
		}
	}
	if to != "" {
		if end, err = time.Parse(time.DateOnly, to); err != nil || !inRange(end) {
			fields = append(fields, problem.Field{Pointer: nameTo, Detail: "must be a date like 2026-10-01, from year 1 to 9998"})
		} else {
			end = end.AddDate(0, 0, 1)
		}
	}
	if fields == nil && !start.IsZero() && !end.IsZero() && !start.Before(end) {
		fields = append(fields, problem.Field{Pointer: nameTo, Detail: "must not be before " + strings.TrimLeft(nameFrom, "/?")})
	}
	return start, end, fields
}

// inRange reports whether a time can be written as JSON, with a day to spare, in UTC.
func inRange(t time.Time) bool { return t.UTC().Year() >= 1 && t.UTC().Year() <= 9998 }

// instants is days that also takes times (RFC 3339); the end is then exclusive as it stands.
func instants(from, to string) (start, end time.Time, fields []problem.Field) {
	if t, err := time.Parse(time.RFC3339, from); err == nil && inRange(t) {
		start, from = t, ""
	}
	if t, err := time.Parse(time.RFC3339, to); err == nil && inRange(t) {
		end, to = t, ""
	}
	first, last, fields := days(from, to, "?from", "?to")
	if from != "" {
		start = first
	}
	if to != "" {
		end = last
	}
	return start, end, fields
}

// refused is the refusal of a request with wrong fields; nil if there are none.
func refused(fields []problem.Field) error {
	if len(fields) == 0 {
		return nil
	}
	e := problem.New(problem.Invalid, "invalid_request", "%s %s.", strings.TrimLeft(fields[0].Pointer, "/?"), fields[0].Detail)
	e.Fields = fields
	return e
}

// baseIDs keeps the difference between no list (everything that may be read) and an empty one
// (nothing).
func baseIDs(list []string) []access.KnowledgeBaseID {
	if list == nil {
		return nil
	}
	out := make([]access.KnowledgeBaseID, len(list))
	for i, id := range list {
		out[i] = access.KnowledgeBaseID(id)
	}
	return out
}

// seal writes the state of a list as an opaque cursor.
func seal(state any) *string {
	b, err := json.Marshal(state)
	if err != nil {
		return nil
	}
	s := base64.RawURLEncoding.EncodeToString(b)
	return &s
}

// unseal reads a cursor that seal made.
func unseal(cursor string, state any) error {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(b, state)
	}
	if err != nil {
		return badCursor()
	}
	return nil
}

func badCursor() error {
	return problem.New(problem.Invalid, "invalid_cursor", "The cursor is not one that this list gave for these parameters.")
}

// next is the cursor of a page on the wire: null at the end.
func next(cursor string) *string {
	if cursor == "" {
		return nil
	}
	return &cursor
}
