package delivery

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/ingest/source/watch"
)

// away is a source elsewhere that can't be reached, with the seconds at which it was asked.
type away struct {
	began time.Time
	asked []int
}

func (a *away) Name() string { return "git+https://host.example/r" }

func (a *away) List(context.Context) (source.Listing, error) {
	a.asked = append(a.asked, int(time.Since(a.began)/time.Second))
	return source.Listing{}, errors.New("away")
}

func (a *away) Close() error { return nil }

func TestASourceElsewhereThatFailsIsAskedLessAndLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, notes := &away{began: time.Now()}, 0
		f := following{&Delivery{}, []Source{a}, watch.Every, func(string) { notes++ }, map[string]string{}, map[string]turn{}}
		var outcomes []watch.Outcome
		for range 136 { // as when a folder changes every ten seconds
			outcomes = append(outcomes, f.look(t.Context()))
			time.Sleep(10 * time.Second)
		}
		if want := []int{0, 30, 90, 210, 450, 750, 1050, 1350}; !slices.Equal(a.asked, want) || notes != 1 {
			t.Errorf("it was asked after %v s, want %v; %d notes", a.asked, want, notes)
		}
		if outcomes[0] != watch.Failed || outcomes[44] != watch.Failed || outcomes[45] != watch.Done {
			t.Errorf("looks came to %v", outcomes)
		}
	})
}

func TestASourceElsewhereThatAnswersIsAskedEveryWhile(t *testing.T) {
	ended := time.Now()
	failed := turn{}.again(ended, time.Hour, false)
	if well := failed.again(ended, time.Hour, true); well != (turn{due: ended.Add(time.Hour)}) {
		t.Errorf("after an answer it is %+v", well)
	}
	if short := failed.again(ended, 10*time.Second, false); short.wait != 10*time.Second {
		t.Errorf("it is asked after %s", short.wait)
	}
}
