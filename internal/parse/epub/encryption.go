package epub

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// obfuscations are the ways in which fonts are changed so that they can't be taken out of a book. They
// are no protection of it.
func obfuscations() []string {
	return []string{"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}
}

// readEncryption refuses a book of which anything but fonts is encrypted: what could be read of it would
// have gaps that nobody sees.
func (b *book) readEncryption() error {
	_, err := b.pkg.Read("META-INF/encryption.xml", func(r *ooxml.Reader) error {
		return r.Children(func(e ooxml.Element) error {
			if e.Name != "EncryptedData" {
				return nil
			}
			algorithm, file, err := encrypted(r)
			if err != nil {
				return err
			}
			name, err := b.target("", file)
			if err != nil {
				return err
			}
			if !slices.Contains(obfuscations(), algorithm) || b.needs(name) {
				return ooxml.Refuse("document_encrypted", "is protected: its pages are encrypted, and open in the programs of its seller alone")
			}
			return nil
		})
	})
	return err
}

// encrypted reads how a file is encrypted, and which.
func encrypted(r *ooxml.Reader) (algorithm, file string, err error) {
	var walk func(e ooxml.Element) error
	walk = func(e ooxml.Element) error {
		switch e.Name {
		case "KeyInfo":
			return nil // how the key is encrypted, which is another matter
		case "EncryptionMethod":
			if algorithm == "" {
				algorithm = e.Attr("Algorithm")
			}
		case "CipherReference":
			file = e.Attr("URI")
		}
		return r.Children(walk)
	}
	return algorithm, file, r.Children(walk)
}

// needs reports whether the book is read from a file.
func (b *book) needs(name string) bool {
	same := func(other string) bool { return strings.EqualFold(name, other) }
	return same(b.opf) || same(b.nav) || same(b.ncx) || strings.HasSuffix(strings.ToLower(name), ".css") ||
		slices.ContainsFunc(b.spine, func(i item) bool { return same(i.name) })
}
