package progress_test

import (
	"context"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/progress"
)

func TestWhoListensIsTold(t *testing.T) {
	var got [][2]int
	ctx := progress.With(t.Context(), func(done, total int) { got = append(got, [2]int{done, total}) })
	inner, cancel := context.WithCancel(ctx)
	cancel()
	progress.Tell(inner, 1, 3)
	progress.Tell(progress.With(inner, nil), 2, 3) // nobody listens here any more
	progress.Of(ctx)(3, 3)
	if len(got) != 2 || got[0] != [2]int{1, 3} || got[1] != [2]int{3, 3} {
		t.Errorf("told %v", got)
	}
}

func TestNobodyNeedListen(t *testing.T) {
	progress.Tell(t.Context(), 1, 2)
	if progress.Of(t.Context()) != nil {
		t.Error("somebody listens")
	}
}
