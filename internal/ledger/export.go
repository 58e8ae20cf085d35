package ledger

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"

	"github.com/kaoju/kaoju/internal/problem"
)

// A ledger that leaves its server is a file of lines, each one JSON object: the entries in order,
// and at the end the signed checkpoint over them with the public key. In a person's file entries
// stand without their place in the tenant's chain, and each line has its leaf instead.

// Line is an entry in a person's file.
type Line struct {
	Entry
	No   int64  `json:"no,omitempty"`   // place in the person's own log; 0 in a tenant's file
	Leaf string `json:"leaf,omitempty"` // in base64; "" in a tenant's file
}

// seal is the last line of a file.
type seal struct {
	Checkpoint string `json:"checkpoint"`
	Key        Public `json:"key"`
}

// Export writes a log as a file, and holds what it writes against the chain and the tree on the way: it
// signs for nothing that the file does not hold.
type Export struct {
	out  *json.Encoder
	walk auditor
}

// NewExport begins a file.
func NewExport(w io.Writer, name Name) *Export {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &Export{out: enc, walk: auditor{Name: name}}
}

// Entry writes the next entry, or refuses one that does not follow those before it as problem.Conflict
// "ledger_broken", which names its place.
func (x *Export) Entry(e Entry) error {
	if err := x.walk.next(e); err != nil {
		return err
	}
	if x.walk.Person == "" {
		return x.out.Encode(Line{Entry: e})
	}
	return x.out.Encode(Line{e.Apart(), x.walk.tree.size, encode(x.walk.Leaf(e))})
}

// End writes the end, a checkpoint over the entries that were written. One over others is problem.Conflict
// "ledger_broken", and the file stays without an end.
func (x *Export) End(c Checkpoint, key Public) error {
	switch tree := x.walk.tree.tree(); {
	case c.Name != x.walk.Name:
		return OtherLog(c.Name)
	case tree.Size != c.Tree.Size:
		return problem.New(problem.Conflict, "ledger_broken", "%d entries were written, and the signed tree is over %d: an entry is missing.", tree.Size, c.Tree.Size)
	case tree != c.Tree:
		return problem.New(problem.Conflict, "ledger_broken", "The %d entries that were written are not those of the signed tree: one of them was changed.", tree.Size)
	}
	return x.out.Encode(seal{c.Note, key})
}

// Report says what a file was found to hold.
type Report struct {
	Checkpoint Checkpoint
	Head       Head // of a tenant's chain; the zero Head in a person's file
	Key        Public
	// KeyFromFile is true if nobody said which key to trust: then the file proves that it is whole,
	// and not who made it.
	KeyFromFile bool
}

// maxLine bounds one line of a file.
const maxLine = 16 << 20

// VerifyFile checks a file that Export wrote, on a machine that has nothing else. Key is the public
// key that was kept, or "". What was changed is problem.Conflict with the number of the line.
func VerifyFile(r io.Reader, key Public, kept ...Checkpoint) (Report, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	lines.Split(wholeLines)
	c := &courier{kept: kept, trusted: key}
	n := 0
	for lines.Scan() {
		n++
		if err := c.line(n, lines.Bytes()); err != nil {
			return c.report, err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return c.report, fileBroken(n+1, "is longer than a line of a ledger can be")
	} else if err != nil {
		return c.report, err
	}
	if !c.ended {
		return c.report, fileBroken(n+1, "is missing: the file was cut off before its signed end")
	}
	return c.report, nil
}

// courier reads a file line by line. Which log it is shows only at the end, so that leaves of
// either kind are made on the way.
type courier struct {
	kept    []Checkpoint
	trusted Public
	report  Report
	ended   bool
	walk    *auditor
}

func (c *courier) line(n int, raw []byte) error {
	if c.ended {
		return fileBroken(n, "stands after the end")
	}
	if bytes.HasPrefix(raw, []byte(`{"checkpoint":`)) {
		return c.end(n, raw)
	}
	var l Line
	if err := strict(raw, &l); err != nil {
		return fileBroken(n, "is not a line as the ledger writes it")
	}
	if c.walk == nil {
		c.walk = &auditor{Name: Name{Tenant: l.Tenant}, watched: watch(c.kept)}
		if l.Leaf != "" {
			c.walk.Person = l.Actor
		}
	}
	own := c.walk.Person != ""
	switch {
	case own && l.No != c.walk.tree.size+1:
		return fileBroken(n, "is out of order, or one before it is missing")
	case own && (l.Leaf != encode(c.walk.Name.Leaf(l.Entry)) || l.Sequence != 0 || l.Previous != ""), !own && (l.Leaf != "" || l.No != 0):
		return fileBroken(n, "was changed after it was written")
	}
	if err := c.walk.next(l.Entry); err != nil {
		var p *problem.Error
		if errors.As(err, &p) {
			return problem.New(problem.Conflict, p.Code, "Line %d: %s", n, p.Detail)
		}
		return err
	}
	c.report.Head = c.walk.Head()
	return nil
}

// end checks the last line against all before it.
func (c *courier) end(n int, raw []byte) error {
	c.ended = true
	var s seal
	if err := strict(raw, &s); err != nil {
		return fileBroken(n, "is not the end as the ledger writes it")
	}
	c.report.Key, c.report.KeyFromFile = c.trusted, c.trusted == ""
	if c.report.KeyFromFile {
		c.report.Key = s.Key
	} else if s.Key != c.trusted {
		return problem.New(problem.Conflict, "signature", "Line %d: the file was signed by another key than the one given.", n)
	}
	checkpoint, err := c.report.Key.Checkpoint(s.Checkpoint)
	if err != nil {
		return fileBroken(n, "has a signature that does not hold")
	}
	c.report.Checkpoint = checkpoint
	if c.walk == nil {
		c.walk = &auditor{Name: checkpoint.Name, watched: watch(c.kept)}
	}
	switch tree := c.walk.tree.tree(); {
	case c.walk.Name != checkpoint.Name:
		return fileBroken(n, "signs for another log than that of the entries")
	case tree.Size < checkpoint.Tree.Size:
		return problem.New(problem.Conflict, "ledger_broken", "Line %d: %d entries are missing before the end.", n, checkpoint.Tree.Size-tree.Size)
	case tree != checkpoint.Tree:
		return problem.New(problem.Conflict, "log_rewritten", "Line %d: the entries before it are not those that were signed: they were rewritten as a whole.", n)
	}
	return c.walk.end()
}

func fileBroken(line int, what string) error {
	return problem.New(problem.Conflict, "ledger_broken", "Line %d %s.", line, what)
}

// strict decodes a line and refuses one that is not written exactly as an export writes it, so that
// no byte of a file is without meaning.
func strict(raw []byte, v any) error {
	if err := json.Unmarshal(raw, v); err != nil {
		return err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	if !bytes.Equal(bytes.TrimSuffix(b.Bytes(), []byte("\n")), raw) {
		return errors.New("written otherwise")
	}
	return nil
}

// wholeLines is bufio.ScanLines, but for a carriage return, which belongs to the line, and for a
// last line without its end, which was cut.
func wholeLines(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), append([]byte("\x00"), data...), nil
	}
	return 0, nil, nil
}

func encode(l Leaf) string { return base64.StdEncoding.EncodeToString(l[:]) }
