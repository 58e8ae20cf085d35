package minilm

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/internal/llm"
	"pgregory.net/rapid"
)

// embed returns the vectors of texts at the best level.
func embed(t testing.TB, texts ...string) [][]float32 {
	t.Helper()
	out, err := model384(t).Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var loadOnce = sync.OnceValue(New)

// model384 is the model, loaded once for all tests.
func model384(t testing.TB) *Embedder {
	t.Helper()
	return loadOnce()
}

func TestTheModelIsAnEmbedder(t *testing.T) {
	var e llm.Embedder = model384(t)
	if m := e.Model(); m.Name != "all-MiniLM-L6-v2" || m.Dimensions != 384 {
		t.Errorf("the model is %+v", m)
	}
}

func TestTextsOfLikeMeaningAreNear(t *testing.T) {
	tests := []struct{ text, near, far string }{
		{"cat", "kitten", "invoice"},
		{"The pump must be stopped before the filter is changed.", "Switch the pump off prior to replacing the filter.", "Employees receive 25 days of leave."},
		{"How many days of vacation do I get?", "Annual leave is 25 working days.", "The valve opens at 6 bar."},
		{"Who approves travel expenses?", "Business trips are signed off by the line manager.", "The server restarts at midnight."},
		{"The database does not start.", "PostgreSQL fails at startup.", "Our canteen serves lunch from noon."},
		{"reset the overheating alarm", "clear the over-temperature warning", "order new office chairs"},
		{"Passwords expire every 90 days.", "You have to change your password each quarter.", "Paint dries within two hours."},
		{"hotel limit in Shanghai", "accommodation cap for trips to Shanghai", "backup of the mail server"},
		{"The contract ends in March.", "The agreement expires in spring.", "The cable is 3 m long."},
		{"wear protective gloves", "hand protection is mandatory", "the quarterly report is public"},
	}
	for _, tt := range tests {
		v := embed(t, tt.text, tt.near, tt.far)
		near, far := cosine(v[0], v[1]), cosine(v[0], v[2])
		if near < far+0.2 {
			t.Errorf("%q is at %.2f to %q and at %.2f to %q", tt.text, near, tt.near, far, tt.far)
		}
	}
}

// TestAssemblyMakesTheSameVectorsEverywhere holds what lets machines share an index: the levels of
// assembly agree to the last bit. Plain Go rounds otherwise, which stays small.
func TestAssemblyMakesTheSameVectorsEverywhere(t *testing.T) {
	texts := []string{"The pump must be stopped.", "valve", "", "Stop it.", "Error 1042: the file could not be parsed"}
	var first [][]float32
	everyLevel(t, func(t *testing.T, k *kernels) {
		got, err := at(k).Embed(context.Background(), texts)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		for i, text := range texts {
			c := cosine(got[i], first[i])
			if k.name != "scalar" && !slices.Equal(got[i], first[i]) || c < 0.99 {
				t.Errorf("%q: the cosine to the best level is %.5f", text, c)
			}
		}
	})
}

func TestRowsAreTheSameInAllAssembly(t *testing.T) {
	all := levels()
	best := all[0]
	for _, k := range all[1:] {
		if k.name == "scalar" {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				x := vectors(rt, make([]float32, lanes(rt)))
				g := gain{vectors(rt, make([]float32, len(x))), vectors(rt, make([]float32, len(x)))}
				for name, do := range map[string]func(k *kernels, x []float32){
					"gelu":    func(k *kernels, x []float32) { k.gelu(x) },
					"softmax": func(k *kernels, x []float32) { k.softmax(x) },
					"norm":    func(k *kernels, x []float32) { k.norm(x, g.shift, g, 1) },
				} {
					got, want := slices.Clone(x), slices.Clone(x)
					do(k, got)
					do(best, want)
					if !slices.Equal(got, want) {
						rt.Fatalf("%s differs from %s", name, best.name)
					}
				}
			})
		})
	}
}

func TestVectorsHaveLengthOne(t *testing.T) {
	texts := []string{"", " ", "pump", "变频器过热", strings.Repeat("The valve is closed. ", 100), "\xff", "👍"}
	for i, v := range embed(t, texts...) {
		squares := 0.0
		for _, x := range v {
			squares += float64(x) * float64(x)
		}
		if len(v) != Dimensions || math.Abs(squares-1) > 1e-5 {
			t.Errorf("%q has %d numbers of length %g", texts[i], len(v), squares)
		}
	}
}

func TestNoTextsHaveNoVectors(t *testing.T) {
	if v := embed(t); len(v) != 0 {
		t.Errorf("got %d vectors", len(v))
	}
}

func TestVectorsKeepTheOrderOfTheirTexts(t *testing.T) {
	var texts []string
	for i, word := range strings.Fields(strings.Repeat("pump valve filter leave travel ", 4)) {
		texts = append(texts, strings.Repeat(word+" ", 1+i*37%120))
	}
	all := embed(t, texts...)
	for _, i := range []int{0, 1, 7, 18, 19} {
		if alone := embed(t, texts[i]); !slices.Equal(alone[0], all[i]) {
			t.Errorf("text %d has another vector in a list", i)
		}
	}
}

func TestWhatFollowsTheLimitHasNoInfluence(t *testing.T) {
	whole := strings.Repeat("pump ", MaxTokens-2)
	v := embed(t, whole, whole+"and then something else entirely", strings.Repeat("pump ", MaxTokens-3)+"valve")
	if !slices.Equal(v[0], v[1]) {
		t.Error("words after the limit changed the vector")
	}
	if slices.Equal(v[0], v[2]) {
		t.Error("the last word within the limit did not change the vector")
	}
}

func TestManyMayEmbedAtOnce(t *testing.T) {
	texts := []string{"The pump is on.", strings.Repeat("The valve is closed. ", 8), "leave", ""}
	e := New() // they also load it at once
	want := embed(t, texts...)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := e.Embed(context.Background(), texts)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range want {
				if !slices.Equal(got[i], want[i]) {
					t.Errorf("text %d has another vector when many embed", i)
				}
			}
		})
	}
	wg.Wait()
	if len(e.passes) != cap(e.passes) {
		t.Errorf("%d of %d passes were given back", len(e.passes), cap(e.passes))
	}
}

// ending is a context that ends after it was asked a number of times.
type ending struct {
	context.Context
	asked, after int
}

func (c *ending) Err() error {
	if c.asked++; c.asked > c.after {
		return context.DeadlineExceeded
	}
	return nil
}

func TestWorkStopsWhenTheContextEnds(t *testing.T) {
	e := model384(t)
	texts := slices.Repeat([]string{strings.Repeat("pump ", batchTokens/2-10)}, 4) // two for each pass
	whole := &ending{Context: context.Background(), after: 1 << 30}
	if _, err := e.Embed(whole, texts); err != nil {
		t.Fatal(err)
	}
	if want := 1 + 2*(miniLM.layers+1); whole.asked != want {
		t.Errorf("two passes asked %d times, want once before all, between layers and at the end: %d", whole.asked, want)
	}
	for after := range whole.asked {
		ctx := &ending{Context: context.Background(), after: after}
		got, err := e.Embed(ctx, texts)
		if !errors.Is(err, context.DeadlineExceeded) || got != nil || ctx.asked != after+1 {
			t.Errorf("after %d questions: %d vectors, %v, asked %d times", after, len(got), err, ctx.asked)
		}
	}
	if len(e.passes) != cap(e.passes) {
		t.Errorf("%d of %d passes were given back", len(e.passes), cap(e.passes))
	}
}

func TestWhoWaitsForAPassLeavesWhenTheContextEnds(t *testing.T) {
	e := New()
	for range cap(e.passes) {
		<-e.passes
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := e.Embed(ctx, []string{"pump"})
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestMeanIsTakenFromTheDirectionOfAllTexts(t *testing.T) {
	mean := Mean()
	squares := 0.0
	for _, v := range mean {
		squares += float64(v) * float64(v)
	}
	if len(mean) != Dimensions || squares < 0.001 || squares > 0.2 {
		t.Fatalf("the mean has %d numbers and a squared length of %g", len(mean), squares)
	}
	mean[0] = 9
	if Mean()[0] == 9 {
		t.Error("a caller can change the mean of others")
	}
}
