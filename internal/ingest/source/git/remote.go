package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
)

// elsewhere lists the files of a repository that is reached through HTTP. The state's objects are fetched
// if it is another than before, without those of the states before it.
func (r *Repository) elsewhere(ctx context.Context) (l source.Listing, err error) {
	base, refs, err := r.advertised(ctx)
	if err != nil {
		return l, err
	}
	h, err := wanted(refs, r.address.Ref)
	if err != nil {
		return l, err
	}
	if h == r.commit && r.kept != nil {
		return r.latest, nil
	}
	p, err := r.fetch(ctx, base, refs, h)
	if err != nil {
		return l, err
	}
	former, kept := r.from.objects, r.kept
	r.from.objects = p
	if l, err = r.state(ctx, h); err != nil {
		r.from.objects = former
		return l, errors.Join(err, p.Close())
	}
	p.file.ctx = context.WithoutCancel(ctx) // Its files are read after this look.
	r.kept, r.latest, r.commit = p, l, h
	if kept != nil {
		err = kept.Close()
	}
	return l, err
}

const service = "git-upload-pack"

// maxRefs bounds what a server says of its branches and tags, in bytes.
const maxRefs = 32 << 20

// advertised asks which states there are. base is where the rest is asked for: where a redirect led to.
func (r *Repository) advertised(ctx context.Context) (base *url.URL, refs *packp.AdvRefs, err error) {
	ask := *r.address.Remote
	ask.Path += "/info/refs"
	ask.RawPath, ask.RawQuery = "", "service="+service
	resp, err := r.do(ctx, http.MethodGet, &ask, nil, "advertisement")
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	refs = packp.NewAdvRefs()
	if err := refs.Decode(io.LimitReader(resp.Body, maxRefs)); err != nil && !errors.Is(err, packp.ErrEmptyAdvRefs) {
		return nil, nil, err
	}
	at := *resp.Request.URL
	place, ok := strings.CutSuffix(at.Path, "/info/refs")
	if !ok {
		return nil, nil, noRepository(nil)
	}
	return &url.URL{Scheme: at.Scheme, Host: at.Host, Path: place}, refs, nil
}

// wanted returns the object that a name stands for.
func wanted(refs *packp.AdvRefs, ref string) (plumbing.Hash, error) {
	if ref == "" && refs.Head != nil {
		return *refs.Head, nil
	}
	for _, name := range candidates(ref) {
		if h, ok := refs.References[name.String()]; ok {
			return h, nil
		}
	}
	if plumbing.IsHash(ref) {
		return plumbing.NewHash(ref), nil
	}
	return plumbing.ZeroHash, unknownRef(ref)
}

// fetch asks for the objects of one state.
func (r *Repository) fetch(ctx context.Context, base *url.URL, refs *packp.AdvRefs, h plumbing.Hash) (*pack, error) {
	req := packp.NewUploadPackRequest()
	req.Wants = []plumbing.Hash{h}
	take := func(c capability.Capability) bool {
		return refs.Capabilities.Supports(c) && req.Capabilities.Set(c) == nil
	}
	take(capability.OFSDelta)
	take(capability.NoProgress)
	if take(capability.Shallow) {
		req.Depth = packp.DepthCommits(1)
	}
	if take(capability.Filter) {
		req.Filter = packp.FilterBlobLimit(uint64(min(r.options.MaxFile, r.options.Limits.Object))+1, packp.BlobLimitPrefixNone)
	}
	sides := take(capability.Sideband64k)
	var body bytes.Buffer
	if err := errors.Join(req.UploadRequest.Encode(&body), pktline.NewEncoder(&body).EncodeString("done\n")); err != nil {
		return nil, err
	}
	at := base.JoinPath(service)
	resp, err := r.do(ctx, http.MethodPost, at, body.Bytes(), "result")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer := packp.NewUploadPackResponse(req)
	if err := answer.Decode(resp.Body); err != nil {
		return nil, problem.Wrap(err, problem.Invalid, "no_such_ref", "The server does not give this state of the repository.")
	}
	var in io.Reader = answer
	if sides {
		in = sideband.NewDemuxer(sideband.Sideband64k, answer)
	}
	return keep(ctx, in, r.options.Limits)
}

// do asks the server. A token goes to the host of the address alone.
func (r *Repository) do(ctx context.Context, method string, at *url.URL, body []byte, kind string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "git/2 (kaoju)")
	if body != nil {
		req.Header.Set("Content-Type", "application/x-"+service+"-request")
	}
	if own := r.address.Remote; at.Scheme == "https" && own.Scheme == "https" && outbound.HostPort(at) == outbound.HostPort(own) && r.options.Token != nil {
		if user, token := r.options.Token(outbound.HostPort(at)); token != "" {
			req.SetBasicAuth(user, token)
		}
	}
	resp, err := r.options.Client.Do(req)
	if err != nil {
		var p *problem.Error
		if errors.As(err, &p) || ctx.Err() != nil {
			return nil, err
		}
		return nil, problem.Wrap(err, problem.Unavailable, "repository_unreachable", "The server can't be reached.")
	}
	if err := judge(resp, "application/x-"+service+"-"+kind); err != nil {
		_ = resp.Body.Close() // What it says is not read.
		return nil, err
	}
	return resp, nil
}

// judge says what an answer that is no success means. What the server says of it is not repeated.
func judge(resp *http.Response, want string) error {
	switch s := resp.StatusCode; {
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		return problem.New(problem.Denied, "repository_denied", "The server wants a token for this repository, or another one (KAOJU_GIT_TOKENS).")
	case s == http.StatusTooManyRequests || s >= 500:
		return problem.New(problem.Unavailable, "repository_unreachable", "The server answers with status %d.", s)
	case s != http.StatusOK:
		return noRepository(resp)
	}
	if got, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); got != want {
		return noRepository(resp)
	}
	return nil
}

func noRepository(resp *http.Response) error {
	if resp != nil && resp.StatusCode != http.StatusOK {
		return problem.New(problem.NotFound, "no_repository", "The server answers with status %d: there is no repository, or it asks for a token (KAOJU_GIT_TOKENS).", resp.StatusCode)
	}
	return problem.New(problem.NotFound, "no_repository", "What is there is no Git repository.")
}
