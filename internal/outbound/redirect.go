package outbound

import (
	"io"
	"net/http"

	"github.com/kaoju/kaoju/internal/problem"
)

// harmless lists the headers that a request keeps when a redirect leads it to another origin.
// All others may carry credentials, whatever they are called.
func harmless() []string {
	return []string{"Accept", "Accept-Language", "Content-Type", "If-Modified-Since", "If-None-Match", "Range", "User-Agent"}
}

// redirects makes the rule that http.Client asks before it follows one: at most limit of them,
// none from https to http, none that would send a body or credentials to another origin.
func redirects(limit int) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		if limit < 0 {
			return http.ErrUseLastResponse
		}
		if len(via) > limit {
			return refusedRedirect("there are more than %d of them", limit)
		}
		if err := checkURL(req.URL); err != nil {
			return err
		}
		if via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme == "http" {
			return refusedRedirect("it leads from https to http")
		}
		for _, v := range via {
			if origin(v.URL) != origin(req.URL) {
				return depart(req)
			}
		}
		return nil
	}
}

// depart prepares a request for an origin that the caller did not address.
func depart(req *http.Request) error {
	if req.Body != nil && req.Body != http.NoBody {
		return refusedRedirect("it would send the request's content to another host")
	}
	kept := http.Header{}
	for _, name := range harmless() {
		if v := req.Header.Values(name); len(v) > 0 {
			kept[name] = v
		}
	}
	req.Header = kept
	return nil
}

func refusedRedirect(format string, args ...any) error {
	return problem.New(problem.Invalid, "redirect_refused", "A redirect was not followed: "+format+".", args...)
}

// bounded is a body that fails with code response_too_large instead of going on past the limit.
// It never ends as if it were complete.
type bounded struct {
	io.ReadCloser
	left, limit int64
}

// Read reads up to the limit; one byte more is the error.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, tooLarge(b.limit)
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n - 1, tooLarge(b.limit)
	}
	return n, err
}

func tooLarge(limit int64) error {
	return problem.New(problem.Exhausted, "response_too_large", "The response is larger than %d bytes.", limit)
}
