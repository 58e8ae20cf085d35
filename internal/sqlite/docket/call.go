package docket

import (
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/problem"
)

// recordVersion is the version of all records of calls written now. A golden file holds one of every
// version that was ever written.
const recordVersion = 1

// callRecord is a proposed call of a tool as stored, apart from the product's type.
type callRecord struct {
	V           int             `json:"v"`
	Tool        string          `json:"tool"`
	Sensitivity string          `json:"sensitivity"`
	Args        json.RawMessage `json:"args"` // null once they were erased
	SpecHash    string          `json:"spec_hash"`
	Evidence    string          `json:"evidence,omitempty"`
	Role        string          `json:"role,omitempty"`
	Level       string          `json:"level,omitempty"`
	Effect      string          `json:"effect"`
	Automatic   bool            `json:"automatic,omitempty"`
	Owner       string          `json:"owner,omitempty"`
	ArgsHash    string          `json:"args_hash,omitempty"` // of those that were erased
}

func packCall(c approval.Call) (string, error) {
	r := callRecord{
		V: recordVersion, Tool: c.Tool, Sensitivity: c.Sensitivity, Args: c.Args, SpecHash: c.SpecHash, Evidence: c.Evidence,
		Role: string(c.Role), Effect: string(c.Effect), Automatic: c.Automatic, Owner: string(c.Owner),
		ArgsHash: c.Erased,
	}
	if c.Level != access.NoLevel {
		r.Level = c.Level.String()
	}
	b, err := json.Marshal(r)
	if err != nil {
		return "", problem.Wrap(err, problem.Internal, "record", "A record can't be written.")
	}
	return string(b), nil
}

func unpackCall(column string) (*approval.Call, error) {
	var r callRecord
	if err := json.Unmarshal([]byte(column), &r); err != nil {
		return nil, problem.Wrap(err, problem.Internal, "record", "A stored call can't be read.")
	}
	if r.V != recordVersion {
		return nil, problem.New(problem.Internal, "record", "A stored call has version %d, which this program does not know.", r.V)
	}
	c := &approval.Call{
		Tool: r.Tool, Sensitivity: r.Sensitivity, Args: r.Args, SpecHash: r.SpecHash, Evidence: r.Evidence,
		Role: access.Role(r.Role), Effect: approval.Effect(r.Effect), Automatic: r.Automatic, Owner: access.UserID(r.Owner), Erased: r.ArgsHash,
	}
	if c.Erased != "" {
		c.Args = nil
	}
	if r.Level == "" {
		return c, nil
	}
	var err error
	c.Level, err = access.ParseLevel(r.Level)
	return c, err
}
