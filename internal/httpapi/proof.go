package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/run"
)

// proofs registers what proves entries of the ledger, and what tells of a run all that happened.
func (s *server) proofs() {
	const one = "/api/ledger/{id}"
	handle(s, operation("get-entry", http.MethodGet, one, "An entry of the ledger: one's own, an auditor's any", 0), s.getEntry)
	handle(s, operation("prove-entry", http.MethodGet, one+"/proof", "The proof that the ledger holds an entry", 0), s.proveEntry)
	handle(s, operation("get-checkpoint", http.MethodGet, "/api/ledger/checkpoint", "The signed state of the ledger, to be kept elsewhere", 0), s.checkpoint)
	handle(s, operation("get-ledger-key", http.MethodGet, "/api/ledger/key", "The public key that signs checkpoints and bundles", 0), s.ledgerKey)
	handle(s, operation("get-why", http.MethodGet, "/api/runs/{id}/why", "How a run came to what it says", 0), s.why)
	handle(s, operation("get-bundle", http.MethodGet, "/api/runs/{id}/bundle", "The evidence bundle, which is verified without the server", 0), s.bundle)
}

// EntryPath names an entry in an address.
type EntryPath struct {
	ID string `path:"id"`
}

func (s *server) getEntry(ctx context.Context, actor access.Actor, in *EntryPath) (*answer[api.Entry], error) {
	e, err := s.deps.Desk.Entry(ctx, actor, in.ID)
	if err != nil {
		return nil, err
	}
	return &answer[api.Entry]{wire.Entry(e)}, nil
}

func (s *server) proveEntry(ctx context.Context, actor access.Actor, in *struct {
	EntryPath
	Size int64 `query:"size" minimum:"0" doc:"The number of entries that the log had; 0 is now."`
}) (*answer[api.Proof], error) {
	p, err := s.deps.Desk.Prove(ctx, actor, in.ID, in.Size)
	if err != nil {
		return nil, err
	}
	return &answer[api.Proof]{wire.Proof(p)}, nil
}

func (s *server) checkpoint(ctx context.Context, actor access.Actor, in *struct {
	Size int64  `query:"size" minimum:"0" doc:"The number of entries that the log had; 0 is now."`
	From string `query:"from" pattern:"^[0-9]{1,18}$" doc:"A size whose log is to be proved the beginning of the present one."`
}) (*answer[api.Checkpoint], error) {
	if in.From == "" {
		g, err := s.deps.Desk.Checkpoint(ctx, actor, in.Size)
		if err != nil {
			return nil, err
		}
		return &answer[api.Checkpoint]{wire.Checkpoint(g)}, nil
	}
	from, err := strconv.ParseInt(in.From, 10, 64)
	if err != nil {
		return nil, err
	}
	g, err := s.deps.Desk.Growth(ctx, actor, from)
	if err != nil {
		return nil, err
	}
	return &answer[api.Checkpoint]{wire.Checkpoint(g)}, nil
}

func (s *server) ledgerKey(context.Context, access.Actor, *struct{}) (*answer[api.LedgerKey], error) {
	return &answer[api.LedgerKey]{api.LedgerKey{Key: string(s.deps.Desk.LedgerKey())}}, nil
}

func (s *server) why(ctx context.Context, actor access.Actor, in *RunPath) (*answer[api.Why], error) {
	w, err := s.deps.Desk.Why(ctx, actor, run.ID(in.ID))
	if err != nil {
		return nil, err
	}
	return &answer[api.Why]{wire.Why(w)}, nil
}

// bundle sends the file as it was signed, to the byte.
func (s *server) bundle(ctx context.Context, actor access.Actor, in *RunPath) (*stream, error) {
	file, err := s.deps.Desk.Bundle(ctx, actor, run.ID(in.ID))
	if err != nil {
		return nil, err
	}
	return &stream{func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Content-Disposition", `attachment; filename="kaoju-bundle.json"`)
		h.Set("Content-Length", strconv.Itoa(len(file)))
		w.WriteHeader(http.StatusOK)
		// The client has gone if this fails; there is nobody to tell.
		_, _ = w.Write(file)
	}}, nil
}
