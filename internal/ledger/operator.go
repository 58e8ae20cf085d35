package ledger

import (
	"context"
	"encoding/json"
)

// Operator is the actor of what was done on the data folder itself, by whoever holds it.
const Operator = "operator"

type operated struct{}

// ByOperator returns a context in which the operator acts, under a user's name or not.
func ByOperator(ctx context.Context) context.Context {
	return context.WithValue(ctx, operated{}, true)
}

// Attribute gives an entry that is appended under ByOperator to the operator: nobody is blamed for
// what was done in their name. The name stands in the body, as "as". What belongs to a run stays
// its actor's, as the run does.
func Attribute(ctx context.Context, e Entry) Entry {
	if ctx.Value(operated{}) == nil || e.RunID != "" || e.Actor == Operator {
		return e
	}
	body := map[string]json.RawMessage{}
	if len(e.Body) > 0 && (json.Unmarshal(e.Body, &body) != nil || body == nil) {
		body = map[string]json.RawMessage{"body": e.Body} // no object: it stands beside the name
	}
	as, err := json.Marshal(e.Actor)
	if err != nil {
		return e
	}
	body["as"] = as
	if whole, err := json.Marshal(body); err == nil {
		e.Actor, e.Body = Operator, whole
	}
	return e
}
