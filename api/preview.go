package api

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// PreviewWindow says which stretch of a version is wanted. The zero window is its beginning.
type PreviewWindow struct {
	// From and To are code points of the normalised text; To is 0 for as far as a page goes.
	From, To int
	// Anchor is the id of a place to begin near to, instead of From and To.
	Anchor string
}

// Preview is a stretch of a version as sanitised HTML. Its first element says in data-start and
// data-end which stretch it is.
type Preview struct {
	HTML string
	ETag string
	// Previous and Next are the stretches beside it; nil at the ends of the version.
	Previous, Next *PreviewWindow
	// PreviousChapter and NextChapter begin with the chapters of a book beside that in which this begins;
	// nil at the ends, and of anything else.
	PreviousChapter, NextChapter *PreviewWindow
}

// Preview returns a stretch of a version as sanitised HTML.
func (c *Client) Preview(ctx context.Context, id string, w PreviewWindow) (Preview, error) {
	q := values("anchor", w.Anchor)
	if w.From > 0 {
		q.Set("from", strconv.Itoa(w.From))
	}
	if w.To > 0 {
		q.Set("to", strconv.Itoa(w.To))
	}
	res, err := c.open(ctx, call{method: http.MethodGet, path: place("documents", id, "preview"), query: q, header: http.Header{"Accept": {"text/html"}}})
	if err != nil {
		return Preview{}, err
	}
	defer res.Body.Close()
	html, err := io.ReadAll(res.Body)
	if err != nil {
		return Preview{}, err
	}
	out := Preview{HTML: string(html), ETag: res.Header.Get("ETag")}
	for _, link := range res.Header.Values("Link") {
		switch address, rel, _ := strings.Cut(link, ">; rel="); rel {
		case `"prev"`:
			out.Previous = window(address)
		case `"next"`:
			out.Next = window(address)
		case `"prev-chapter"`:
			out.PreviousChapter = window(address)
		case `"next-chapter"`:
			out.NextChapter = window(address)
		}
	}
	return out, nil
}

// window reads the address of a stretch; nil for one that says none.
func window(address string) *PreviewWindow {
	u, err := url.Parse(strings.TrimPrefix(address, "<"))
	if err != nil {
		return nil
	}
	var w PreviewWindow
	if w.From, err = strconv.Atoi(u.Query().Get("from")); err != nil {
		return nil
	}
	if to := u.Query().Get("to"); to != "" {
		if w.To, err = strconv.Atoi(to); err != nil {
			return nil
		}
	}
	return &w
}
