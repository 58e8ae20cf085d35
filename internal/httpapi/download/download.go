// Package download says in headers what an original is that a client keeps as a file.
package download

import (
	"mime"
	"net/http"
	"strconv"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Describe sets the headers of a version's original bytes.
func Describe(h http.Header, doc corpus.Document) {
	h.Set("Content-Type", mediaType(doc.MediaType))
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(doc)}))
	h.Set("ETag", `"`+string(doc.Checksum)+`"`)
	if doc.Size > 0 {
		h.Set("Content-Length", strconv.FormatInt(doc.Size, 10))
	}
}

// mediaType is the stored media type, if it is one.
func mediaType(stored string) string {
	if _, _, err := mime.ParseMediaType(stored); err != nil {
		return "application/octet-stream"
	}
	return stored
}

// fileName is a plain name for a download, made of the document's key.
func fileName(d corpus.Document) string {
	name := []rune(string(d.Key))
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' || name[i] == '\\' {
			name = name[i+1:]
			break
		}
	}
	for i, r := range name {
		if r < ' ' || r == 0x7f || r == '"' {
			name[i] = '_'
		}
	}
	if len(name) == 0 {
		return "original"
	}
	return string(name)
}
