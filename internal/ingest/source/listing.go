package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"time"
)

// Original is a file that a source has, which can be read as it was when it was listed. Key is its identity
// across versions, and Path what it is called towards people.
type Original struct {
	Path string
	Key  string
	Size int64
	// Root is what was named, "" for a file that was named itself. Place is the file's place in it, with
	// slashes, "" for a file that was named itself.
	Root, Place string
	// FileName is what the format is told by; "" means that the key is.
	FileName string
	// MediaType is what whoever gave it says of its type, with its charset; "" says nothing.
	MediaType string
	// URI says where the original came from; "" says nothing.
	URI string
	// Stamp tells without reading whether the file is the one that it was: as long as it is the same, so are
	// the bytes.
	Stamp string
	// Written is when the file was last written to, so that more may come; zero where none can.
	Written time.Time
	// Open opens it. One that can't be read is problem.Invalid "unreadable"; reading ends with
	// "changed_while_read" if it is written to meanwhile.
	Open func() (io.ReadCloser, error)
}

// Fresh reports whether a file was written to less than a while before now, so that more may come.
func (o Original) Fresh(now time.Time, while time.Duration) bool {
	age := now.Sub(o.Written)
	return !o.Written.IsZero() && age >= 0 && age < while
}

// Sum returns the SHA-256 of a file in lower-case hex, with the errors of Open.
func (o Original) Sum(ctx context.Context) (string, error) {
	body, err := o.Open()
	if err != nil {
		return "", err
	}
	defer body.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, bounded{ctx, body}); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// bounded reads until its context ends.
type bounded struct {
	ctx context.Context
	r   io.Reader
}

func (b bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.r.Read(p)
}

// Skipped is something that is left alone, with the reason.
type Skipped struct {
	Path  string
	Place string // in what was named, with slashes; "." is that itself, "" nothing that could be a file's
	Err   error
	// Harmless is true for what nobody would take for a document: a link, or no file at all.
	Harmless bool
}

// Listing is what there is in a source at one time.
type Listing struct {
	Root    string // what was named; "" if it was a file
	Files   []Original
	Skipped []Skipped
	// Gone says why there is nothing where the source itself says so; then having nothing is no sign of
	// being away. nil otherwise.
	Gone error
}

// Left reports whether there is something at a place of the source that was skipped, or may be, as below
// a folder that can't be read.
func (l Listing) Left(place string) bool {
	for _, s := range l.Skipped {
		if s.Place == "." || place == s.Place || strings.HasPrefix(place, s.Place+"/") {
			return true
		}
	}
	return false
}

// At is what a place of the source is called towards people.
func (l Listing) At(place string) string {
	if l.Root == "" || place == l.Root {
		return place
	}
	return strings.TrimSuffix(l.Root, "/") + "/" + place
}
