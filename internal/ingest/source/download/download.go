// Package download is the source that one address of the web is: a file that may be another tomorrow, or
// gone.
//
// Who names the address need not be who may reach what it leads to. So everything goes through the guarded
// client, and what the server says of the file counts only as far as the file bears it out.
package download

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/ingest/source/spool"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
)

// Options say how files are fetched.
type Options struct {
	// Client reaches them: one of package outbound.
	Client *http.Client
	// MaxFile bounds a file in bytes.
	MaxFile int64
	// Time bounds one look; 0 means 10 minutes.
	Time time.Duration
	// Named gives the name by which the format of a file is told, from that in the address and the media
	// type that the server says, or refuses the file.
	Named func(name, media string) (string, error)
}

// File is a source. It is for one goroutine.
type File struct {
	address string
	options Options
	body    *os.File // what was fetched last
	latest  source.Listing
	marks   http.Header // by which a server tells whether it is still the same
}

// Address reports whether a text is an address of the web, and none of a file or folder.
func Address(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// maxKey bounds a document key in code points, which an address becomes.
const maxKey = 512

// Open makes a source of an address. Nothing is fetched yet. Where in a page it leads to is dropped.
func Open(address string, o Options) (*File, error) {
	address, _, _ = strings.Cut(address, "#")
	u, err := outbound.ParseURL(address)
	if err != nil {
		return nil, err
	}
	u.Host = strings.ToLower(u.Host)
	if port := u.Port(); port == "80" && u.Scheme == "http" || port == "443" && u.Scheme == "https" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	if address = u.String(); utf8.RuneCountInString(address) > maxKey {
		return nil, problem.New(problem.Invalid, "invalid_url", "The address can't be used: it is longer than %d characters.", maxKey)
	}
	if o.Time <= 0 {
		o.Time = 10 * time.Minute
	}
	return &File{address: address, options: o, marks: http.Header{}}, nil
}

// Name is what the file is remembered by.
func (f *File) Name() string { return "url:" + f.address }

// Close gives up what was fetched.
func (f *File) Close() error {
	if f.body == nil {
		return nil
	}
	body := f.body
	f.body = nil
	return body.Close()
}

// List asks for the file. It is fetched if the server does not say that it is still the same. One that the
// server does not have is no error, but a listing of nothing that says why.
func (f *File) List(ctx context.Context) (source.Listing, error) {
	limited, release := context.WithTimeout(ctx, f.options.Time)
	defer release()
	l, err := f.ask(limited)
	switch {
	case err == nil || ctx.Err() != nil:
		return l, err
	case limited.Err() != nil:
		err = problem.New(problem.Unavailable, "too_slow", "fetching it took longer than %s.", f.options.Time)
	}
	var p *problem.Error
	if errors.As(err, &p) {
		return l, problem.Wrap(err, p.Kind, p.Code, "%s: %s", f.address, p.Detail)
	}
	return l, problem.Wrap(err, problem.Unavailable, "unreachable", "%s: it can't be reached.", f.address)
}

func (f *File) ask(ctx context.Context) (l source.Listing, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address, nil)
	if err != nil {
		return l, err
	}
	req.Header.Set("User-Agent", "kaoju")
	if f.body != nil {
		for name, values := range f.marks {
			req.Header[name] = values
		}
	}
	resp, err := f.options.Client.Do(req)
	if err != nil {
		return l, err
	}
	defer resp.Body.Close()
	switch s := resp.StatusCode; {
	case s == http.StatusOK:
		return f.take(resp)
	case s == http.StatusNotModified && f.body != nil:
		return f.latest, nil
	case s == http.StatusNotFound || s == http.StatusGone:
		return source.Listing{Root: f.address, Gone: problem.New(problem.NotFound, "not_found", "%s: the server answers with status %d: there is nothing.", f.address, s)}, nil
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		return l, problem.New(problem.Denied, "not_public", "the server answers with status %d; only what everybody may fetch is taken in from an address.", s)
	default:
		return l, problem.New(problem.Unavailable, "unreachable", "the server answers with status %d.", s)
	}
}

// take keeps what a server sends, until the next is there.
func (f *File) take(resp *http.Response) (l source.Listing, err error) {
	place, err := url.Parse(f.address)
	if err != nil {
		return l, err
	}
	name, err := f.options.Named(path.Base(place.Path), resp.Header.Get("Content-Type"))
	if err != nil {
		return l, err
	}
	body, err := spool.New()
	if err != nil {
		return l, err
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(body, sum), io.LimitReader(resp.Body, f.options.MaxFile+1))
	if err == nil && size > f.options.MaxFile {
		err = problem.New(problem.Invalid, "file_too_large", "the file is larger than %d bytes.", f.options.MaxFile)
	}
	if err != nil {
		return l, errors.Join(err, body.Close())
	}
	f.marks = http.Header{}
	for answer, question := range map[string]string{"Etag": "If-None-Match", "Last-Modified": "If-Modified-Since"} {
		if v := resp.Header.Get(answer); v != "" {
			f.marks.Set(question, v)
		}
	}
	l = source.Listing{Root: f.address, Files: []source.Original{{
		Path: f.address, Key: f.address, Size: size, Root: f.address, Place: f.address, FileName: name, MediaType: resp.Header.Get("Content-Type"), URI: f.address,
		Stamp: hex.EncodeToString(sum.Sum(nil)),
		Open:  func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(body, 0, size)), nil },
	}}}
	former := f.body
	f.body, f.latest = body, l
	if former != nil {
		err = former.Close()
	}
	return l, err
}
