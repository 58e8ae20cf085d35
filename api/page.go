package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
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

// Picture returns a picture of a page of a PDF document, counted from 1.
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
	header := http.Header{"Accept": {"image/png"}}
	if w.ETag != "" {
		header.Set("If-None-Match", w.ETag)
	}
	res, err := c.open(ctx, call{method: http.MethodGet, path: place("documents", id, "pages", strconv.Itoa(number)+".png"), query: q, header: header})
	if err != nil {
		return Picture{}, err
	}
	defer res.Body.Close()
	out := Picture{ETag: res.Header.Get("ETag")}
	if res.StatusCode == http.StatusNotModified {
		return out, nil
	}
	out.PNG, err = io.ReadAll(res.Body)
	return out, err
}
