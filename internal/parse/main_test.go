package parse_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kaoju/kaoju/internal/parse"
)

// TestMain keeps what is compiled of PDFium for the next run and for the children of this one.
func TestMain(m *testing.M) {
	if base, err := os.UserCacheDir(); err == nil {
		parse.PDF().Dir = filepath.Join(base, "kaoju", "pdfium")
	}
	os.Exit(m.Run())
}
