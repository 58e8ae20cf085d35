package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// PageWish says how a page is to be seen. The zero wish is a page of the server's width without marks.
type PageWish struct {
	// Width is in pixels, from 200 to 2400; 0 means 1200.
	Width int
	// Boxes are marked: places in points as locators have them, at most 200.
	Boxes [][4]float64
	// ETag is that of a picture that the client has; "" if it has none.
	ETag string
}

// Picture is a page as it is seen.
type Picture struct {
	PNG  []byte // nil if the picture is the one that the client has
	ETag string
}

// Picture returns a picture of a page of a PDF document, counted from 1, or a picture as the only page of itself.
func (c *Client) Picture(ctx context.Context, id string, number int, w PageWish) (Picture, error) {
	q := values()
	if w.Width != 0 {
		q.Set("width", strconv.Itoa(w.Width))
	}
	if len(w.Boxes) > 0 {
		boxes, err := json.Marshal(w.Boxes)
		if err != nil {
			return Picture{}, err
		}
		q.Set("boxes", string(boxes))
	}
	png, etag, err := c.drawn(ctx, place("documents", id, "pages", strconv.Itoa(number)+".png"), q, "image/png", w.ETag)
	return Picture{PNG: png, ETag: etag}, err
}

// DrawingWish says which sheet of a drawing is to be seen. The zero wish is the first one.
type DrawingWish struct {
	Sheet  string // its name, as places on it say under shown
	Hidden bool   // it is a block that stands nowhere
	ETag   string // that of a drawing that the client has; "" if it has none
}

// Drawing is a sheet of a drawing as an SVG that the server made.
type Drawing struct {
	SVG  []byte // nil if the drawing is the one that the client has
	ETag string
}

// Drawing returns a sheet of a DXF or SVG drawing.
func (c *Client) Drawing(ctx context.Context, id string, w DrawingWish) (Drawing, error) {
	q := values()
	if w.Sheet != "" {
		q.Set("sheet", w.Sheet)
	}
	if w.Hidden {
		q.Set("hidden", "true")
	}
	svg, etag, err := c.drawn(ctx, place("documents", id, "drawing"), q, "image/svg+xml", w.ETag)
	return Drawing{SVG: svg, ETag: etag}, err
}

// drawn asks for what the server draws, unless it is what the client has.
func (c *Client) drawn(ctx context.Context, path string, q url.Values, media, held string) (body []byte, etag string, err error) {
	header := http.Header{"Accept": {media}}
	if held != "" {
		header.Set("If-None-Match", held)
	}
	res, err := c.open(ctx, call{method: http.MethodGet, path: path, query: q, header: header})
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	etag = res.Header.Get("ETag")
	if res.StatusCode == http.StatusNotModified {
		return nil, etag, nil
	}
	body, err = io.ReadAll(res.Body)
	return body, etag, err
}
