package run

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"

	"github.com/kaoju/kaoju/internal/problem"
)

// Phase says what a run was about to do when its last step was committed.
type Phase string

// The phases. Retrieving is the runtime's own search in fixed retrieval, Asking the next model
// turn, Calling the tool calls that a model turn asked for.
const (
	Retrieving Phase = "retrieve"
	Asking     Phase = "ask"
	Calling    Phase = "call"
)

// Checkpoint is where a run stands between two steps, for a resume that continues from there. It
// holds positions, ids and hashes, and no text of a document, a query or an answer. It never
// restores a right: whatever it names is judged anew by the directory of the moment.
type Checkpoint struct {
	Attempt int
	Step    int
	Next    Phase
	// Kept names the evidence that the model's context rests on, Dropped the references that were
	// taken out of it. A dropped reference stays out for the rest of the run and is never reused.
	Kept    []Mark
	Dropped []string
	// Planned are the tool calls that the model asked for and that were not done.
	Planned []Plan
	// Proposal is the pending proposal that the run waits for; "" if there is none.
	Proposal string
	// SearchFailed is true if some search of the run failed, so that nothing found is no finding.
	SearchFailed bool
}

// Mark names a piece of evidence and its content.
type Mark struct {
	Ref  string
	Hash string // of the excerpt
}

// Plan names a tool call by its id, tool and the hash of its arguments.
type Plan struct {
	Call     string
	Tool     string
	ArgsHash string
}

// The bounds of a checkpoint. What is longer than MaxCheckpoint bytes is neither written nor read.
const (
	CheckpointVersion = 1
	MaxCheckpoint     = 64 << 10
)

// checkpointV1 is version 1 as it is stored.
type checkpointV1 struct {
	V            int      `json:"v"`
	Attempt      int      `json:"attempt"`
	Step         int      `json:"step"`
	Next         Phase    `json:"next"`
	Kept         []markV1 `json:"kept"`
	Dropped      []string `json:"dropped"`
	Planned      []planV1 `json:"planned"`
	Proposal     string   `json:"proposal"`
	SearchFailed bool     `json:"search_failed"`
}

type markV1 struct {
	Ref  string `json:"ref"`
	Hash string `json:"hash"`
}

type planV1 struct {
	Call     string `json:"call_id"`
	Tool     string `json:"tool"`
	ArgsHash string `json:"args_hash"`
}

// What the words of a checkpoint look like. None of them has room for a sentence.
var (
	markRef  = regexp.MustCompile(`^[SC][1-9][0-9]{0,5}$`)
	markHash = regexp.MustCompile(`^[0-9a-f]{64}$`)
	markID   = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,64}$`)
)

// Encode writes a checkpoint. One with a word that does not belong there, or that is too long, is
// problem.Internal "checkpoint".
func (c Checkpoint) Encode() (string, error) {
	w := checkpointV1{
		V: CheckpointVersion, Attempt: c.Attempt, Step: c.Step, Next: c.Next, Kept: []markV1{}, Dropped: []string{}, Planned: []planV1{},
		Proposal: c.Proposal, SearchFailed: c.SearchFailed,
	}
	for _, m := range c.Kept {
		w.Kept = append(w.Kept, markV1(m))
	}
	w.Dropped = append(w.Dropped, c.Dropped...)
	for _, p := range c.Planned {
		w.Planned = append(w.Planned, planV1(p))
	}
	if !c.sound() {
		return "", broken("It holds something that does not belong into a checkpoint.")
	}
	b, err := json.Marshal(w)
	if err != nil || len(b) > MaxCheckpoint {
		return "", broken("It is longer than a checkpoint may be.")
	}
	return string(b), nil
}

// DecodeCheckpoint reads what Encode wrote, in this version or an earlier one. It is strict:
// anything that Encode would not have written byte for byte, and any version that this program
// does not know, is problem.Internal "checkpoint".
func DecodeCheckpoint(text string) (Checkpoint, error) {
	if len(text) > MaxCheckpoint {
		return Checkpoint{}, broken("It is longer than a checkpoint may be.")
	}
	var head struct {
		V int `json:"v"`
	}
	if json.Unmarshal([]byte(text), &head) != nil {
		return Checkpoint{}, broken("It is no JSON object.")
	}
	if head.V != CheckpointVersion {
		return Checkpoint{}, broken("Its version is not known to this program.")
	}
	var w checkpointV1
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.DisallowUnknownFields()
	if dec.Decode(&w) != nil {
		return Checkpoint{}, broken("It holds something that does not belong into a checkpoint.")
	}
	// A checkpoint has one form. Another one, with a field twice or in other letters, is not ours.
	if again, err := json.Marshal(w); err != nil || string(again) != text {
		return Checkpoint{}, broken("It is not written as a checkpoint is.")
	}
	c := Checkpoint{Attempt: w.Attempt, Step: w.Step, Next: w.Next, Dropped: w.Dropped, Proposal: w.Proposal, SearchFailed: w.SearchFailed}
	for _, m := range w.Kept {
		c.Kept = append(c.Kept, Mark(m))
	}
	for _, p := range w.Planned {
		c.Planned = append(c.Planned, Plan(p))
	}
	if len(c.Dropped) == 0 {
		c.Dropped = nil
	}
	if !c.sound() {
		return Checkpoint{}, broken("It holds something that does not belong into a checkpoint.")
	}
	return c, nil
}

// sound reports whether every word is of its kind, and every reference stands once.
func (c Checkpoint) sound() bool {
	if c.Attempt < 1 || c.Step < 0 || !slices.Contains([]Phase{Retrieving, Asking, Calling}, c.Next) {
		return false
	}
	if c.Proposal != "" && !markID.MatchString(c.Proposal) {
		return false
	}
	seen := map[string]bool{}
	once := func(ref string) bool {
		first := !seen[ref]
		seen[ref] = true
		return first && markRef.MatchString(ref)
	}
	for _, m := range c.Kept {
		if !once(m.Ref) || !markHash.MatchString(m.Hash) {
			return false
		}
	}
	for _, ref := range c.Dropped {
		if !once(ref) {
			return false
		}
	}
	for _, p := range c.Planned {
		if !markID.MatchString(p.Call) || p.Tool != "" && !markID.MatchString(p.Tool) || !markHash.MatchString(p.ArgsHash) {
			return false
		}
	}
	return true
}

func broken(why string) error {
	return problem.New(problem.Internal, "checkpoint", "The checkpoint of the run can't be used. %s", why)
}
