package sqlite

import (
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
)

// proposedCall is a proposed call of a tool as stored.
type proposedCall struct {
	V           int             `json:"v"`
	Tool        string          `json:"tool"`
	Sensitivity string          `json:"sensitivity"`
	Args        json.RawMessage `json:"args"`
	SpecHash    string          `json:"spec_hash"`
	Evidence    string          `json:"evidence,omitempty"`
	Role        string          `json:"role,omitempty"`
	Level       string          `json:"level,omitempty"`
	Effect      string          `json:"effect"`
	Automatic   bool            `json:"automatic,omitempty"`
	Owner       string          `json:"owner,omitempty"`
}

func packCall(c approval.Call) written {
	r := proposedCall{
		V: recordVersion, Tool: c.Tool, Sensitivity: c.Sensitivity, Args: c.Args, SpecHash: c.SpecHash, Evidence: c.Evidence,
		Role: string(c.Role), Effect: string(c.Effect), Automatic: c.Automatic, Owner: string(c.Owner),
	}
	if c.Level != access.NoLevel {
		r.Level = c.Level.String()
	}
	return marshal(r)
}

func unpackCall(column string) (*approval.Call, error) {
	var r proposedCall
	if err := unpack(column, "call", &r); err != nil {
		return nil, err
	}
	c := &approval.Call{
		Tool: r.Tool, Sensitivity: r.Sensitivity, Args: r.Args, SpecHash: r.SpecHash, Evidence: r.Evidence,
		Role: access.Role(r.Role), Effect: approval.Effect(r.Effect), Automatic: r.Automatic, Owner: access.UserID(r.Owner),
	}
	if r.Level == "" {
		return c, nil
	}
	var err error
	c.Level, err = access.ParseLevel(r.Level)
	return c, err
}
