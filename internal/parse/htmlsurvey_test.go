package parse

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A page is looked over before it is rendered, and that too ends when nobody waits for it any more.
func TestLookingAPageOverStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	text := strings.Repeat("<p>", 3*checkEvery) + "<table><tr><td>a<td>b</table>"
	if seen, err := surveyPage(ctx, text, manner{}); err != nil || len(seen.tables) != 1 || !seen.tables[0] {
		t.Errorf("%+v, %v", seen, err)
	}
	cancel()
	if _, err := surveyPage(ctx, text, manner{}); !errors.Is(err, context.Canceled) {
		t.Errorf("it went on: %v", err)
	}
}
