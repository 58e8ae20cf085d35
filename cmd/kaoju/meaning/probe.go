package meaning

import (
	"context"
	"fmt"
	"time"

	"github.com/kaoju/kaoju/internal/embedding"
)

// ProbeTime is how long a model may take for its first vector before it counts as being away.
const ProbeTime = 10 * time.Second

// sample is what a probe embeds. It is nobody's text.
const sample = "Kaoju"

// Probe asks the model that versions are embedded with for one vector, within a time, and says what
// came. It sends nothing of what is stored.
func Probe(ctx context.Context, models []*embedding.Model, within time.Duration) (string, error) {
	if len(models) == 0 {
		return "there is nothing to ask", nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("no vector came within %s", within))
	defer cancel()
	if _, err := models[0].Question(ctx, sample); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return "", fmt.Errorf("it makes no vectors: %w", err)
	}
	return fmt.Sprintf("it made a vector of %d dimensions of the word %s", models[0].Space().Dimensions, sample), nil
}
