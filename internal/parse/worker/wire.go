package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// A message is a mark, four bytes of length, most significant first, and as much JSON. The bytes of
// the file follow the request; places on pages follow the part of an answer that they belong to.

// mark tells a message from anything else that a library might print.
const mark = "kj1:"

// The operations of a child.
const (
	opParse   = "parse"
	opResolve = "resolve"
	opProbe   = "probe"
	opPicture = "picture"
	opUnpack  = "unpack"
	opSketch  = "sketch"
)

// headBytes bounds the JSON of a request: names and a locator.
const headBytes = 1 << 20

// request asks a child for a file's content, for the text at a place of it, or for a picture of a page or a sheet.
type request struct {
	Op        string `json:"op"`
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int    `json:"size"`
	Place     *place `json:"place,omitempty"`
	Page      int    `json:"page,omitempty"`
	Width     int    `json:"width,omitempty"`
	// Sheet is that of a drawing; nil means the first.
	Sheet *sketch.Sheet `json:"sheet,omitempty"`
}

// answer is what a child made of a file: one of Result, Problem, Picture, Sketch and Text. Beside the problem that a page
// or a sheet is not there, Picture or Sketch says which are. A long result comes in
// parts, so that the child need not hold all of it in the form of messages too.
type answer struct {
	// More says that another part follows, with the next blocks.
	More   bool    `json:"more,omitempty"`
	Result *result `json:"result,omitempty"`
	// Places is how many bytes follow, with the places of Result on pages.
	Places  int            `json:"places,omitempty"`
	Text    string         `json:"text,omitempty"`
	Problem *fault         `json:"problem,omitempty"`
	Picture *parse.Picture `json:"picture,omitempty"`
	Sketch  *sketch.Sketch `json:"sketch,omitempty"`
	// Contents are files that were in the file, one a part.
	Contents []parse.Content `json:"contents,omitempty"`
	// Held is how many bytes the child holds after the file.
	Held int64 `json:"held"`
	// Progress comes before an answer, or between the files of one, as often as the child likes: how many parts have been read, and how many there are.
	Progress *[2]int `json:"progress,omitempty"`
	// Alone answers a probe.
	Alone bool `json:"alone,omitempty"`
}

// place is a locator on its way.
type place struct{ corpus.Locator }

func (p place) MarshalJSON() ([]byte, error) { return json.Marshal(p.Locator) }

func (p *place) UnmarshalJSON(b []byte) (err error) {
	p.Locator, err = corpus.ParseLocator(b)
	return err
}

// fault is an error on its way.
type fault struct {
	Kind   problem.Kind `json:"kind"`
	Code   string       `json:"code"`
	Detail string       `json:"detail"`
}

func faultOf(err error) *fault {
	if err == nil {
		return nil
	}
	var p *problem.Error
	if !errors.As(err, &p) {
		return &fault{problem.Internal, "parser_failed", "The parser failed on this file."}
	}
	return &fault{p.Kind, p.Code, p.Detail}
}

func (f *fault) error() error {
	if f == nil {
		return nil
	}
	return &problem.Error{Kind: f.Kind, Code: f.Code, Detail: f.Detail}
}

// send writes one message.
func send(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(b) > math.MaxInt32 {
		return errTooLong
	}
	if _, err := w.Write(binary.BigEndian.AppendUint32([]byte(mark), uint32(len(b)))); err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// sendPart writes an answer with a result, and the places that follow it.
func sendPart(w io.Writer, part answer) error {
	if err := send(w, part); err != nil || part.Places == 0 {
		return err
	}
	_, err := w.Write(part.Result.places)
	return err
}

// maxParts bounds what a child may say about how many parts a file has.
const maxParts = 1 << 30

// receiveAnswer reads an answer with all of its parts, and what the child says of its progress before it, or between files that
// it takes out, of at most so many bytes together. told is called with that; nil means that nobody wants to know.
func receiveAnswer(r io.Reader, most int64, told func(done, total int)) (answer, error) {
	const head = int64(len(mark) + 4)
	left := &io.LimitedReader{R: r, N: most + head}
	places := parse.MaxPlaces
	var all answer
	for first := true; ; {
		if left.N < head {
			return answer{}, errTooLong
		}
		var part answer
		if err := receive(left, left.N-head, &part); err != nil {
			return answer{}, err
		}
		if p := part.Progress; p != nil {
			if !first && all.Contents == nil || p[0] < 0 || p[0] > p[1] || p[1] > maxParts {
				return answer{}, errGarbled
			}
			if told != nil {
				told(p[0], p[1])
			}
			continue
		}
		if !part.Result.within(&places) {
			return answer{}, errGarbled
		}
		if err := part.settle(left); err != nil {
			return answer{}, err
		}
		switch {
		case part.More && part.Result == nil && part.Contents == nil:
			return answer{}, errGarbled
		case first:
			all = part
		case all.Contents != nil:
			all.Contents = append(all.Contents, part.Contents...)
			all.Held, all.Problem = part.Held, part.Problem
		case part.Result == nil || all.Result == nil:
			return answer{}, errGarbled
		default:
			all.Result.Blocks = append(all.Result.Blocks, part.Result.Blocks...)
			all.Held = part.Held
		}
		if !part.More {
			all.More = false
			return all, nil
		}
		first = false
	}
}

var (
	errTooLong = errors.New("a message is longer than is allowed")
	errGarbled = errors.New("what was said is no message")
	errEmpty   = errors.New("an answer holds nothing")
)

// receive reads one message of at most so many bytes. At the end of the stream it is io.EOF.
func receive(r io.Reader, most int64, v any) error {
	var head [len(mark) + 4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	if string(head[:len(mark)]) != mark {
		return errGarbled
	}
	n := int64(binary.BigEndian.Uint32(head[len(mark):]))
	if n > most {
		return errTooLong
	}
	body, err := take(r, n)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}

// take reads so many bytes. The buffer grows with what comes: a length alone takes no memory.
func take(r io.Reader, n int64) ([]byte, error) {
	var body bytes.Buffer
	if _, err := io.CopyN(&body, r, n); err != nil {
		return nil, fmt.Errorf("a message breaks off: %w", noEOF(err))
	}
	return body.Bytes(), nil
}

// settle reads the places that follow an answer.
func (a *answer) settle(r *io.LimitedReader) error {
	switch {
	case a.Places < 0, a.Places > 0 && a.Result == nil:
		return errGarbled
	case int64(a.Places) > r.N:
		return errTooLong
	case a.Result == nil:
		return nil
	}
	places, err := take(r, int64(a.Places))
	if err != nil {
		return err
	}
	return a.Result.settle(places)
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
