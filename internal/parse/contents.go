package parse

import (
	"archive/zip"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/archive"
	"github.com/kaoju/kaoju/internal/parse/progress"
)

// FormatZIP is the word of the format of archives.
const FormatZIP = "zip"

// MaxArchiveBytes bounds an archive.
const MaxArchiveBytes = 50 << 20

// The bounds of what is in an archive. Archives inside archives are not opened.
const (
	archiveEntries  = 2000
	archiveExpanded = 128 << 20
	archiveRatio    = 200
)

// HoldsOthers is the notice of a file that has no text of its own, and others in it.
const HoldsOthers = "archive"

// Content is a file that came inside another one, to become a document of its own.
type Content struct {
	// Path names it inside the other file, with slashes: the path of an entry, or the part and the name of
	// what is attached to a message.
	Path      string
	Name      string // of the file alone
	MediaType string // as it was declared, or ""
	Data      []byte
	// Code and Detail say why it can't be taken. There is no Data then.
	Code, Detail string
}

// Holds reports whether a file is of a format that can hold others.
func Holds(f File) bool {
	word := FormatOf(f)
	return word == FormatEML || word == FormatZIP
}

// Contents implements Reader.
func (l Limits) Contents(ctx context.Context, f File, yield func(Content) error) error {
	if !Holds(f) {
		return nil
	}
	l = l.orDefault()
	kind, err := l.admit(ctx, f)
	if err != nil {
		return err
	}
	if kind.word == FormatZIP {
		return l.named(f, unpack(ctx, f.Data, yield))
	}
	m, err := l.openMail(ctx, f.Data)
	if err != nil {
		return l.named(f, err)
	}
	all := m.Attachments()
	for i, a := range all {
		progress.Tell(ctx, i, len(all))
		if formatOf(a.Name, a.MediaType) == nil {
			continue // the message lists it by name
		}
		if err := errors.Join(ctx.Err(), yield(Content{Path: a.Part + "/" + a.Name, Name: a.Name, MediaType: a.MediaType, Data: a.Data()})); err != nil {
			return err
		}
	}
	return nil
}

// readZIP checks an archive. It has no text of its own. One of which nothing can be taken is refused for
// the reason of its first entry.
func readZIP(_ context.Context, _ Limits, data []byte) (corpus.Parsed, error) {
	entries, err := openArchive(data)
	if err != nil {
		return corpus.Parsed{}, err
	}
	var first error
	for _, e := range entries {
		err := takable(e)
		if err == nil {
			return corpus.Parsed{Notices: []string{HoldsOthers}}, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = archive.Refuse("empty_document", "is an archive without any file")
	}
	return corpus.Parsed{}, first
}

// openArchive returns the files of an archive, without those that systems put beside what people see.
func openArchive(data []byte) ([]archive.Entry, error) {
	if !strings.HasPrefix(string(data[:min(len(data), 4)]), "PK") {
		return nil, archive.Refuse("content_mismatch", "has a name for a zip archive, but its content is something else")
	}
	all, err := archive.Open(data, archive.Options{Entries: archiveEntries, Names: entryNames})
	var files []archive.Entry
	for _, e := range all {
		if !e.Folder() && !aside(e.Name) {
			files = append(files, e)
		}
	}
	return files, err
}

// aside reports a hidden file, or one in a hidden folder.
func aside(name string) bool {
	for step := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(step, ".") || step == "__MACOSX" {
			return true
		}
	}
	return false
}

// entryNames returns the names of entries as text. Those that are not UTF-8 are in one encoding, which all
// of them together tell.
func entryNames(files []*zip.File) []string {
	var foreign []string
	for _, f := range files {
		if !utf8.ValidString(f.Name) {
			foreign = append(foreign, f.Name)
		}
	}
	var read []string
	if d, ok := decode([]byte(strings.Join(foreign, "\n")), ""); ok {
		read = strings.Split(d.text, "\n")
	}
	out := make([]string, len(files))
	for i, f := range files {
		switch {
		case utf8.ValidString(f.Name):
			out[i] = f.Name
		case len(read) == len(foreign):
			out[i], read, foreign = read[0], read[1:], foreign[1:]
		default:
			out[i] = strings.ToValidUTF8(f.Name, "\ufffd")
		}
	}
	return out
}

// takable returns why an entry can't be taken, as far as its name and flags tell.
func takable(e archive.Entry) error {
	switch kind := formatOf(e.Name, ""); {
	case e.Encrypted():
		return archive.Refuse("document_encrypted", "is encrypted: it opens with a password only")
	case kind == nil:
		return archive.Refuse("unknown_type", "is of a type that is not supported")
	case kind.word == FormatZIP:
		return archive.Refuse("archive_nested", "is an archive inside another, which is not opened")
	case e.File.UncompressedSize64 == 0:
		return archive.Refuse("empty_document", "is empty: it has no bytes")
	}
	return nil
}

// unpack takes the files out of an archive.
func unpack(ctx context.Context, data []byte, yield func(Content) error) error {
	entries, err := openArchive(data)
	if err != nil {
		return err
	}
	bounds := archive.Bounds{Expanded: archiveExpanded, Ratio: archiveRatio}
	for i, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		progress.Tell(ctx, i, len(entries))
		c := Content{Path: e.Name, Name: baseName(e.Name)}
		err := takable(e)
		if err == nil {
			c.Data, err = bounds.Read(e)
		}
		if errors.Is(err, archive.ErrDamaged) {
			err = archive.Refuse("archive_malformed", "is damaged in the archive, or packed in a way that is not known here")
		}
		var r *archive.Refusal
		switch {
		case archive.IsTooLarge(err):
			return err
		case errors.As(err, &r):
			c.Code, c.Detail = r.Code, "The file "+quoted(e.Name)+" "+r.Cause+"."
		case err != nil:
			return err
		}
		if err := yield(c); err != nil {
			return err
		}
	}
	return nil
}
