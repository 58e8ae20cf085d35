package wire

import (
	"encoding/json"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
)

// Event is an event of a run.
func Event(e event.Event) api.Event {
	data := e.Data
	if len(data) == 0 {
		data = json.RawMessage("{}")
	}
	return api.Event{
		V: 1, ID: e.ID(), Sequence: e.Sequence, RunID: e.RunID, Type: string(e.Type), Time: e.Time.UTC(), Attempt: e.Attempt, Data: data,
	}
}

// Entry is an entry of the ledger.
func Entry(e ledger.Entry) api.Entry {
	return api.Entry{
		ID: e.ID, Sequence: e.Sequence, TenantID: e.Tenant, Kind: string(e.Kind), RunID: e.RunID, Actor: e.Actor,
		Time: e.Time.UTC(), Body: e.Body, Previous: e.Previous, Hash: e.Hash,
	}
}
