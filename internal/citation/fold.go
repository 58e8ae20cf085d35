package citation

import (
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Normal returns the form in which two searches or sentences are the same: folded, with single
// blanks between words and none around.
func Normal(text string) string { return strings.Join(strings.Fields(analysis.Fold(text)), " ") }
