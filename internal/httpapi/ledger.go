package httpapi

import (
	"bufio"
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/ledger"
)

// ledger registers the reading of the ledger.
func (s *server) ledger() {
	handle(s, operation("list-ledger", http.MethodGet, "/api/ledger", "Entries of the ledger: one's own, an auditor's tenant whole", 0), s.listLedger)
	handle(s, operation("export-ledger", http.MethodGet, "/api/ledger/export", "The caller's whole log as lines of JSON with a signed end: one's own entries, an auditor's tenant whole", 0), s.exportLedger)
}

// exportLedger sends a log as a file that is verified without the server. One that breaks off on its
// way has no signed end, and its connection is cut.
func (s *server) exportLedger(ctx context.Context, actor access.Actor, _ *nothing) (*stream, error) {
	if _, err := s.deps.Desk.Checkpoint(ctx, actor, 0); err != nil {
		return nil, err
	}
	return &stream{func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "application/x-ndjson")
		w.Header().Set("Content-Disposition", `attachment; filename="kaoju-ledger.jsonl"`)
		w.WriteHeader(http.StatusOK)
		out := newSender(w, s.deps.Pace.Write)
		defer out.settle()
		if err := s.writeLedger(hc.Context(), actor, out); err != nil {
			s.deps.Log.WarnContext(hc.Context(), "ledger not sent whole", "request_id", requestID(hc.Context()), "error", err)
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

func (s *server) writeLedger(ctx context.Context, actor access.Actor, to io.Writer) error {
	buffer := bufio.NewWriterSize(to, 1<<16)
	var x *ledger.Export
	end, err := s.deps.Desk.ExportLedger(ctx, actor,
		func(name ledger.Name) { x = ledger.NewExport(buffer, name) }, func(e ledger.Entry) error { return x.Entry(e) })
	if err != nil {
		return err
	}
	if err := x.End(end.Checkpoint, end.Key); err != nil {
		return err
	}
	return buffer.Flush()
}

func (s *server) listLedger(ctx context.Context, actor access.Actor, in *struct {
	Paging
	RunID string `query:"run_id"`
	Actor string `query:"actor"`
	From  string `query:"from" doc:"A day in UTC, inclusive, or a time."`
	To    string `query:"to" doc:"A day in UTC, inclusive, or a time, exclusive."`
}) (*answer[api.List[api.Entry]], error) {
	from, to, fields := instants(in.From, in.To)
	if err := refused(fields); err != nil {
		return nil, err
	}
	var at struct {
		After int64 `json:"a"`
	}
	if in.Cursor != "" {
		if err := unseal(in.Cursor, &at); err != nil {
			return nil, err
		}
		if at.After <= 0 {
			return nil, badCursor()
		}
	}
	entries, last, err := s.deps.Desk.Ledger(ctx, actor, desk.LedgerFilter{
		RunID: in.RunID, Actor: in.Actor, From: from, To: to, After: at.After, Limit: in.size(maxPage),
	})
	if err != nil {
		return nil, err
	}
	own, err := s.deps.Desk.OwnRuns(ctx, actor, entries)
	if err != nil {
		return nil, err
	}
	out := api.List[api.Entry]{Items: wire.Each(entries, wire.Entry)}
	for i := range out.Items {
		out.Items[i].OwnRun = own[out.Items[i].RunID]
	}
	if at.After = last; last > 0 {
		out.NextCursor = seal(at)
	}
	return &answer[api.List[api.Entry]]{out}, nil
}
