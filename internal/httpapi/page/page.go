// Package page is what a request for a picture of a page says, and what its answer says in headers.
package page

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Request asks for a page.
type Request struct {
	ID        string `path:"id"`
	File      string `path:"file" doc:"The number of the page, from 1, and .png."`
	Width     int    `query:"width" minimum:"200" maximum:"2400" default:"1200" doc:"Pixels across. A page that is far longer than wide, or the other way round, has fewer."`
	Boxes     string `query:"boxes" doc:"Places to be marked: [[x0,y0,x1,y1],…] as in a locator, at most 200."`
	NoneMatch string `header:"If-None-Match"`
}

// MaxBoxes bounds the places that are marked on one page.
const MaxBoxes = 200

// maxCoordinate is far beyond the largest page that there can be, in points.
const maxCoordinate = 1e6

// Number returns the page that a file such as "12.png" is of; false if it is of none.
func Number(file string) (int, bool) {
	digits, ok := strings.CutSuffix(file, ".png")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n > 0 && strconv.Itoa(n) == digits
}

// Boxes reads the places that are to be marked; "" is none.
func Boxes(text string) ([]corpus.Box, []problem.Field) {
	if text == "" {
		return nil, nil
	}
	wrong := func(pointer, detail string) ([]corpus.Box, []problem.Field) {
		return nil, []problem.Field{{Pointer: pointer, Detail: detail}}
	}
	const form = "must be a list of boxes [x0, y0, x1, y1] in JSON"
	var list [][]*float64
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&list); err != nil || list == nil {
		return wrong("?boxes", form)
	}
	if _, err := d.Token(); err != io.EOF {
		return wrong("?boxes", form)
	}
	if len(list) > MaxBoxes {
		return wrong("?boxes", "must have at most "+strconv.Itoa(MaxBoxes)+" boxes")
	}
	out := make([]corpus.Box, len(list))
	for i, numbers := range list {
		pointer := "?boxes/" + strconv.Itoa(i)
		if len(numbers) != 4 {
			return wrong(pointer, "must be four numbers: x0, y0, x1, y1")
		}
		for k, n := range numbers {
			if n == nil || math.Abs(*n) > maxCoordinate {
				return wrong(pointer+"/"+strconv.Itoa(k), "must be a number of points")
			}
			out[i][k] = float32(*n)
		}
		if out[i][0] >= out[i][2] || out[i][1] >= out[i][3] {
			return wrong(pointer, "must have its corners in the order left, top, right, bottom, apart from each other")
		}
	}
	return out, nil
}

// Tag returns the entity tag of a picture with places marked on it, which it has not to be drawn for.
func Tag(png []byte, boxes []corpus.Box) string {
	h := sha256.New()
	sum := sha256.Sum256(png)
	h.Write(sum[:])
	for _, b := range boxes {
		for _, v := range b {
			bits := math.Float32bits(v)
			h.Write([]byte{byte(bits >> 24), byte(bits >> 16), byte(bits >> 8), byte(bits)})
		}
	}
	return `"` + hex.EncodeToString(h.Sum(nil)[:16]) + `"`
}

// Describe sets the headers of a picture of so many bytes, and reports whether the client has it already: then nothing is
// said of bytes. A client may keep a picture, and asks each time whether it still may show it.
func Describe(h http.Header, tag string, length int, had bool) bool {
	h.Set("ETag", tag)
	h.Set("Cache-Control", "private, no-cache")
	if !had {
		h.Set("Content-Type", "image/png")
		h.Set("Content-Length", strconv.Itoa(length))
	}
	return had
}
