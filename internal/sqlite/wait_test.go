package sqlite

import (
	"context"
	"testing"

	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/wake"
)

func TestWritersWakeThoseWhoWait(t *testing.T) {
	db, ctx := filled(t, t.TempDir()), context.Background()
	listen := func(b *wake.Bells, name string) func() bool {
		rung, drop := b.Listen(name)
		t.Cleanup(drop)
		return func() bool {
			select {
			case <-rung:
				return true
			default:
				return false
			}
		}
	}
	events, jobs := listen(db.core.Events, "run_1"), listen(db.core.Jobs, "")
	r := &run.Run{ID: "run_1", Tenant: "acme", Actor: "u1", State: run.Queued, Attempt: 1}
	if err := db.Journal().Create(ctx, r, []event.Event{event.New(event.RunCreated, nil)}); err != nil {
		t.Fatal(err)
	}
	if !events() || jobs() {
		t.Fatalf("after a new run: events %v, jobs %v", events(), jobs())
	}
	events = listen(db.core.Events, "run_1")
	if _, err := db.Journal().Cancel(ctx, "acme", "u1", "run_1"); err != nil || !events() {
		t.Fatalf("after a cancel: %v, %v", events(), err)
	}
	upload(t, db, "acme", "u1", "text")
	if !jobs() {
		t.Fatal("an upload woke no worker")
	}
}
