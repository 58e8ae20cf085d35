package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/canonical"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/seal"
)

// MaxBytes bounds a file that is read.
const MaxBytes = 16 << 20

// Report is what a bundle was found to prove.
type Report struct {
	Bundle     Bundle
	Checkpoint ledger.Checkpoint
	Key        ledger.Public
	// KeyFromFile is true if nobody said which key to trust: then the file proves that it is whole,
	// and not who made it.
	KeyFromFile bool
}

// Verify reads a bundle and checks all that it says of itself: the signed manifest, each part, each
// excerpt's hash, the entry's place in the log, and that the entry speaks of this very answer. Key
// is the public key that was kept, or "". Whatever does not hold is problem.Conflict
// "bundle_broken" and named; what is no bundle is problem.Invalid "not_a_bundle".
func Verify(r io.Reader, key ledger.Public) (Report, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return Report{}, err
	}
	b, err := parse(raw)
	if err != nil {
		return Report{}, err
	}
	out := Report{Bundle: b, Key: key, KeyFromFile: key == ""}
	if out.KeyFromFile {
		out.Key = b.Key
	} else if b.Key != key {
		return out, broken("The bundle was signed by another key than the one given.")
	}
	if out.Key.Server() == "" {
		return out, broken("The bundle's key is none.")
	}
	if out.Checkpoint, err = b.signed(out.Key); err != nil {
		return out, err
	}
	// The parts are as they were signed; what stands around them must be so too.
	if err := b.written(raw); err != nil {
		return out, err
	}
	return out, b.consistent()
}

// written checks that a file says what its bundle does and nothing else.
func (b Bundle) written(raw []byte) error {
	again, err := write(b)
	switch {
	case err == nil && bytes.Equal(again, raw):
		return nil
	case err != nil || !canonical.Equal(again, raw):
		return broken("The file is not written as a bundle is: something was added or repeated.")
	case b.Format == FirstFormat:
		return broken("The file was re-formatted. Nothing that it says was changed, but a bundle of the format %s must be as it was written, to the byte.", FirstFormat)
	}
	return nil
}

func broken(format string, args ...any) error {
	return problem.New(problem.Conflict, "bundle_broken", format, args...)
}

// parse reads the one JSON object that a bundle is. Archives and other files are refused by name.
func parse(raw []byte) (b Bundle, err error) {
	no := func(format string, args ...any) (Bundle, error) {
		return Bundle{}, problem.New(problem.Invalid, "not_a_bundle", format, args...)
	}
	if len(raw) > MaxBytes {
		return no("The file is larger than the %d MiB that a bundle can have.", MaxBytes>>20)
	}
	if bytes.HasPrefix(raw, []byte("PK\x03\x04")) || bytes.HasPrefix(raw, []byte("\x1f\x8b")) {
		return no("The file is an archive. A bundle is one JSON file; nothing is unpacked.")
	}
	var head struct {
		Format *string `json:"format"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return no("The file is no JSON from byte %d on: it was cut, or it is no bundle.", syntax.Offset)
		}
		return no("The file is no bundle.")
	}
	if head.Format == nil || *head.Format != Format && *head.Format != FirstFormat {
		return no("The file does not say that it is a bundle in the format %s or %s.", Format, FirstFormat)
	}
	if name, ok := repeated(raw); ok {
		return no("The file has the member %q more than once.", name)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&b); err != nil {
		return no("The file has members or values that no bundle has.")
	}
	// Entries were sealed without spaces between.
	var entry bytes.Buffer
	if json.Compact(&entry, b.Entry.Body) == nil {
		b.Entry.Body = entry.Bytes()
	}
	return b, nil
}

// repeated finds a member that an object has more than once, in any depth. The value is JSON.
func repeated(raw []byte) (string, bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	type level struct {
		names map[string]bool // nil in a list
		name  bool            // whether a name comes next
	}
	var open []level
	for {
		token, err := dec.Token()
		if err != nil {
			return "", false
		}
		top := len(open) - 1
		if d, ok := token.(json.Delim); ok && (d == '}' || d == ']') {
			open = open[:top]
			continue
		}
		if top >= 0 && open[top].names != nil {
			if open[top].name {
				name, _ := token.(string)
				if open[top].names[name] {
					return name, true
				}
				open[top].names[name], open[top].name = true, false
				continue
			}
			open[top].name = true
		}
		switch token {
		case json.Delim('{'):
			open = append(open, level{map[string]bool{}, true})
		case json.Delim('['):
			open = append(open, level{})
		}
	}
}

// signed checks the manifest's signature and each part against it, then the proof.
func (b Bundle) signed(key ledger.Public) (ledger.Checkpoint, error) {
	origin, lines, err := key.Open(b.Manifest)
	if err != nil || lines[0] != manifest {
		return ledger.Checkpoint{}, broken("The signature of the manifest does not hold.")
	}
	parts, err := b.parts()
	if err != nil {
		return ledger.Checkpoint{}, broken("A part of the bundle has no one form, in which it could have been signed.")
	}
	want := map[string]string{}
	for _, l := range lines[1:] {
		name, hash, _ := strings.Cut(l, " ")
		want[name] = hash
	}
	for _, p := range parts {
		if hash, ok := want[p.name]; !ok {
			return ledger.Checkpoint{}, broken("The part %s was added after the bundle was signed.", p.name)
		} else if hash != p.hash {
			return ledger.Checkpoint{}, broken("The part %s was changed after the bundle was signed.", p.name)
		}
	}
	if len(parts) != len(lines)-1 {
		return ledger.Checkpoint{}, broken("The bundle has %d parts, and %d were signed: one was taken out.", len(parts), len(lines)-1)
	}
	for i, p := range parts {
		if lines[i+1] != p.name+" "+p.hash {
			return ledger.Checkpoint{}, broken("The part %s is not in the place where it was signed.", p.name)
		}
	}
	c, err := b.Proof.Verify(key, b.Entry)
	if one, failed := canonical.JSON(b.Entry.Body); err != nil && failed == nil && b.Format != FirstFormat {
		// The body was written anew; the entry is over the one form of it.
		e := b.Entry
		e.Body = one
		c, err = b.Proof.Verify(key, e)
	}
	if err != nil {
		return c, broken("The proof does not show that the entry is in the ledger.")
	}
	if c.Name.Origin(key.Server()) != origin {
		return c, broken("The manifest was signed in the name of another log than the proof's.")
	}
	return c, nil
}

// ended is what the bundle needs of the body of the ledger's entry of a run that ended.
type ended struct {
	Form          int            `json:"form"`
	State         string         `json:"state"`
	Reason        string         `json:"finish_reason"`
	Attempt       int            `json:"attempt"`
	Route         string         `json:"route"`
	Kind          string         `json:"kind"`
	Engine        string         `json:"engine"`
	Model         string         `json:"model"`
	Host          string         `json:"host"`
	GoalHash      string         `json:"goal_hash"`
	PromptHash    string         `json:"prompt_hash"`
	RecordingHash string         `json:"recording_hash"`
	AnswerHash    string         `json:"answer_hash"`
	Citations     []cited        `json:"citations"`
	ToolCalls     []ToolCall     `json:"tool_calls"`
	Checks        map[string]int `json:"checks"`
}

type cited struct {
	Ref      string `json:"ref"`
	Withheld bool   `json:"withheld"`
	Document string `json:"document_id"`
	Version  int    `json:"version"`
	Hash     string `json:"excerpt_hash"`
}

// consistent holds the parts against the entry that the ledger has of the run: whoever signs can't
// sign an answer that the ledger does not speak of.
func (b Bundle) consistent() error {
	var e ended
	if b.Entry.Kind != ledger.RunEnded || json.Unmarshal(b.Entry.Body, &e) != nil {
		return broken("The entry is not that of a run that ended.")
	}
	r := b.Run
	for _, c := range []struct{ what, bundle, ledger string }{
		{"run", r.ID, b.Entry.RunID}, {"tenant", r.Tenant, b.Entry.Tenant}, {"actor", r.Actor, b.Entry.Actor}, {"state", r.State, e.State},
		{"reason", r.Reason, e.Reason}, {"route", r.Route, e.Route}, {"kind", r.Kind, e.Kind}, {"engine", r.Engine, e.Engine}, {"model", r.Model, e.Model},
		{"host", r.Host, e.Host}, {"prompt hash", r.PromptHash, e.PromptHash}, {"recording hash", r.RecordingHash, e.RecordingHash},
		{"attempt", fmt.Sprint(r.Attempt), fmt.Sprint(e.Attempt)},
	} {
		if c.bundle != c.ledger {
			return broken("The %s of the bundle is not that of the ledger's entry.", c.what)
		}
	}
	if !slices.Equal(b.ToolCalls, e.ToolCalls) {
		return broken("The calls of tools of the bundle is not that of the ledger's entry.")
	}
	if r.Goal != "" && !e.opens(r.GoalNonce, r.Goal, e.GoalHash) {
		return broken("The question is not the one of the ledger's entry.")
	}
	if !b.Answer.Reduced {
		if !e.opens(b.Answer.Nonce, b.Answer.Text, e.AnswerHash) {
			return broken("The answer is not the one of the ledger's entry.")
		}
		verdicts := map[string]int{}
		for _, c := range b.Checks {
			verdicts[c.Verdict]++
		}
		if !maps.Equal(verdicts, e.Checks) {
			return broken("The checks are not those of the ledger's entry.")
		}
	}
	return b.supported(e)
}

// opens reports whether a text is the one of a hash. An entry of the second form has hashes under nonces
// alone, one of the first plain hashes alone.
func (e ended) opens(nonce, text, hash string) bool {
	if (e.Form == ledger.SecondForm) != (len(nonce) == nonceLength) || e.Form != ledger.SecondForm && nonce != "" {
		return false
	}
	return seal.Hash(nonce, text) == hash
}

// nonceLength is that of 32 bytes in hex.
const nonceLength = 64

// supported holds each excerpt against its hash, and the hashes of what the answer cites against
// those that the ledger has.
func (b Bundle) supported(entry ended) error {
	known := map[string]Evidence{}
	for _, e := range b.Evidence {
		known[e.Label] = e
		if !e.Withheld && !entry.opens(e.Nonce, e.Excerpt, e.Hash) {
			return broken("The excerpt of %s is not the one of its hash.", e.Label)
		}
		if e.Withheld && !b.Answer.Reduced && e.Cited {
			return broken("The answer is whole, but what it cites as %s is withheld.", e.Label)
		}
	}
	listed := map[string]bool{}
	for _, c := range entry.Citations {
		listed[c.Ref] = true
		e, ok := known[c.Ref]
		if !ok {
			return broken("The ledger's entry cites %s, which the bundle does not have.", c.Ref)
		}
		if c.Withheld && !e.Withheld {
			return broken("The ledger's entry does not show what is cited as %s.", c.Ref)
		}
		if !e.Withheld && (e.Hash != c.Hash || e.DocumentID != c.Document || e.Version != c.Version || !e.Cited) {
			return broken("What is cited as %s is not what the ledger's entry cites.", c.Ref)
		}
	}
	for _, e := range b.Evidence {
		if e.Cited && !listed[e.Label] {
			return broken("The ledger's entry does not cite %s.", e.Label)
		}
	}
	return nil
}
