// Package archive opens zip archives. It takes nothing on trust: sizes in headers are ignored, names are
// labels and never paths, and an archive whose directory is made to mislead is refused as a whole.
package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Refusal is why a file can't be read: a stable code, and a cause that continues "The file NAME …".
type Refusal struct{ Code, Cause string }

// Error returns the code and the cause.
func (r *Refusal) Error() string { return r.Code + ": the file " + r.Cause }

// Refuse makes a Refusal.
func Refuse(code, cause string, args ...any) error {
	return &Refusal{code, fmt.Sprintf(cause, args...)}
}

// Malformed refuses an archive that is damaged.
func Malformed(cause string) error { return Refuse("archive_malformed", "%s", cause) }

// Options say what an archive may hold.
type Options struct {
	Entries int
	// Fold takes names that differ in case as the same.
	Fold bool
	// Names returns the names of all entries as text, given them as they are; nil leaves them so.
	Names func([]*zip.File) []string
}

// Entry is a file or folder in an archive.
type Entry struct {
	Name string
	File *zip.File
}

// Folder reports whether an entry is no file.
func (e Entry) Folder() bool { return strings.HasSuffix(e.Name, "/") }

// Encrypted reports whether it takes a password to read an entry.
func (e Entry) Encrypted() bool { return e.File.Flags&1 != 0 }

// noteMark is how an entry begins in the directory of an archive.
const noteMark = "PK\x01\x02"

// Open reads the directory of an archive and checks all of it. An archive that is damaged, or made to
// mislead whoever unpacks it, is a Refusal.
func Open(data []byte, o Options) ([]Entry, error) {
	if bytes.Count(data, []byte(noteMark)) > 8*o.Entries {
		return nil, tooMany(o)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, Malformed("is damaged or cut off: its archive has no readable directory")
	}
	out := make([]Entry, len(z.File))
	for i, f := range z.File {
		out[i] = Entry{f.Name, f}
	}
	if o.Names != nil {
		for i, name := range o.Names(z.File) {
			out[i].Name = name
		}
	}
	if err := check(out, int64(len(data)), o); err != nil {
		return nil, err
	}
	return out, nil
}

func tooMany(o Options) error {
	return Refuse("archive_entry_limit", "is an archive of more than the %d entries that are allowed", o.Entries)
}

// check looks at all entries, whether they will be read or not.
func check(entries []Entry, size int64, o Options) error {
	seen := make(map[string]bool, len(entries))
	type extent struct{ from, to int64 }
	var extents []extent
	for _, e := range entries {
		if badName(e.Name) {
			return Refuse("archive_bad_name", "is an archive with an entry whose name leads out of it")
		}
		if mode := e.File.Mode(); !mode.IsRegular() && !mode.IsDir() {
			return Refuse("archive_special_entry", "is an archive with a link or device in it")
		}
		key := e.Name
		if o.Fold {
			key = strings.ToLower(key)
		}
		if seen[key] {
			return Refuse("archive_duplicate_name", "is an archive with two entries of the same name")
		}
		seen[key] = true
		from, err := e.File.DataOffset()
		if err != nil || from > size || e.File.CompressedSize64 > uint64(size-from) {
			return Malformed("is damaged: its archive names an entry that is not there")
		}
		if e.File.CompressedSize64 > 0 {
			extents = append(extents, extent{from, from + int64(e.File.CompressedSize64)})
		}
	}
	slices.SortFunc(extents, func(a, b extent) int { return int(min(max(a.from-b.from, -1), 1)) })
	for i := 1; i < len(extents); i++ {
		if extents[i].from < extents[i-1].to {
			return Malformed("is an archive whose entries overlap")
		}
	}
	if len(entries) > o.Entries {
		return tooMany(o)
	}
	return nil
}

// badName reports a name that could lead anywhere if it were a path. It never becomes one here.
func badName(name string) bool {
	if name == "" || strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' {
		return true
	}
	for _, r := range name {
		if r == '\\' || unicode.IsControl(r) || r == '\uff0f' || r == '\u2215' || r == '\u2044' {
			return true
		}
	}
	return slices.Contains(strings.Split(name, "/"), "..")
}

// ratioFloor is the size below which the ratio says nothing: small files of equal lines are small.
const ratioFloor = 8 << 20

// Most is how many bytes an entry may become, at so many for one in the archive.
func Most(f *zip.File, ratio int64) int64 { return int64(f.CompressedSize64)*ratio + ratioFloor }

// Bounds are what the entries of one archive may become.
type Bounds struct {
	Expanded int64 // bytes of all entries that are read, together
	Ratio    int64 // of one entry, to one byte in the archive
}

// tooLarge is the code of an archive that becomes more than is allowed.
const tooLarge = "archive_expansion_limit"

// TooLarge refuses an archive that becomes more than is allowed.
func TooLarge() error {
	return Refuse(tooLarge, "expands to more than its limits allow, as if made to fill the memory")
}

// IsTooLarge reports whether an error is TooLarge.
func IsTooLarge(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Code == tooLarge
}

// ErrDamaged is for an entry that does not hold what the archive says, or that can't be unpacked here.
var ErrDamaged = errors.New("the entry is damaged, or packed in a way that is not known here")

// Read returns the bytes of an entry, and takes them off what is left of the bounds. An entry beyond
// them is a Refusal of the archive, a damaged one ErrDamaged. What the archive says of sizes is not
// believed.
func (b *Bounds) Read(e Entry) ([]byte, error) {
	in, err := e.File.Open()
	if err != nil {
		return nil, ErrDamaged
	}
	defer in.Close()
	most := min(Most(e.File, b.Ratio), b.Expanded)
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	b.Expanded -= int64(len(data))
	switch {
	case int64(len(data)) > most:
		return nil, TooLarge()
	case err != nil:
		return nil, ErrDamaged
	}
	return data, nil
}
