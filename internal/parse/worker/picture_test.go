package worker_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/worker"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// Picture draws what the text of a file says: it fails as Parse does, and otherwise draws the order.
func (r *rogue) Picture(ctx context.Context, f parse.File, page, width int) (parse.Picture, error) {
	if page == 9 {
		return parse.Picture{Pages: 8}, problem.Missing()
	}
	found, err := r.Parse(ctx, f)
	if err != nil {
		return parse.Picture{}, err
	}
	return parse.Picture{PNG: []byte(found.Parsed.Text + "\x00\xff"), Size: [2]float32{float32(page) + 0.25, float32(width)}}, nil
}

// Sketch draws a label that says what the text of a file says, on the sheet that is wanted.
func (r *rogue) Sketch(ctx context.Context, f parse.File, sheet *sketch.Sheet) (sketch.Sketch, error) {
	if sheet != nil && sheet.Name == "none" {
		return sketch.Sketch{Sheets: []sketch.Sheet{{Name: "model"}}}, problem.Missing()
	}
	found, err := r.Parse(ctx, f)
	if err != nil {
		return sketch.Sketch{}, err
	}
	s := sketch.Sketch{
		Sheets: []sketch.Sheet{{Name: "model"}, {Name: "门", Hidden: true}}, Width: 5, Height: 7, Scale: [2]float64{1.25, -0.1}, Partial: true,
		Strokes: []sketch.Stroke{{Ink: sketch.Blue, Filled: true, Ops: "MLZ", Points: []int32{1, -2, 3, 4}}},
		Labels:  []sketch.Label{{Place: 3, Box: [4]int32{1, 2, 3, 4}, Lines: []sketch.Line{{Text: found.Parsed.Text, Matrix: [6]float64{1, 0, 0, 1, 0.1, 1e9}, Align: sketch.End}}}},
	}
	if sheet != nil {
		s.Sheet = *sheet
	}
	return s, nil
}

func TestAChildDrawsASheet(t *testing.T) {
	p, _ := pool(t, worker.Options{})
	for _, sheet := range []*sketch.Sheet{nil, {Name: "门", Hidden: true}} {
		want, err := new(rogue).Sketch(t.Context(), file("a <sheet>"), sheet)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Sketch(t.Context(), file("a <sheet>"), sheet)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Error(d, err)
		}
	}
	if s, err := p.Sketch(t.Context(), file("x"), &sketch.Sheet{Name: "none"}); !problem.Is(err, problem.NotFound) || err.Error() != problem.Missing().Error() || len(s.Sheets) != 1 {
		t.Errorf("a sheet that is not there, of %v: %v", s.Sheets, err)
	}
	if _, err := p.Sketch(t.Context(), file("exit"), nil); problem.CodeOf(err) != "parser_failed" {
		t.Errorf("a sheet that ends its child: %v", err)
	}
}

func TestAChildDrawsAPage(t *testing.T) {
	p, log := pool(t, worker.Options{})
	got, err := p.Picture(t.Context(), file("a page"), 3, 700)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(parse.Picture{PNG: []byte("a page\x00\xff"), Size: [2]float32{3.25, 700}}, got); d != "" {
		t.Error(d)
	}
	if p, err := p.Picture(t.Context(), file("a page"), 9, 700); !problem.Is(err, problem.NotFound) || err.Error() != problem.Missing().Error() || p.Pages != 8 {
		t.Errorf("a page that is not there, of %d: %v", p.Pages, err)
	}
	if log.String() != "" {
		t.Errorf("a refusal is no end of a child: %s", log)
	}
}

func TestWhatAPageDoesToItsChildIsItsOwnError(t *testing.T) {
	for does, code := range map[string]string{"panic 机密": "parser_failed", "exit": "parser_failed", "babble": "parser_failed", "spin": "too_slow", "flood": "too_large"} {
		t.Run(does, func(t *testing.T) {
			cpu := time.Minute
			if does == "spin" {
				cpu = 300 * time.Millisecond
			}
			p, log := pool(t, worker.Options{Memory: enough, CPU: cpu, Output: 1 << 20})
			if _, err := p.Picture(t.Context(), file(does), 1, 300); problem.CodeOf(err) != code || problem.KindOf(err) != problem.Invalid {
				t.Errorf("%v, want %s", err, code)
			}
			if got, err := p.Picture(t.Context(), file("after"), 1, 300); err != nil || string(got.PNG) != "after\x00\xff" {
				t.Errorf("the next page: %q, %v", got.PNG, err)
			}
			if strings.Contains(log.String(), "机密") {
				t.Errorf("the log tells of the file: %s", log)
			}
		})
	}
}

func TestPagesAndFilesAreReadByTheSameChildInTurn(t *testing.T) {
	p, _ := pool(t, worker.Options{})
	for _, want := range []string{"1", "2", "3", "4"} {
		if want == "1" || want == "3" {
			got, err := p.Parse(t.Context(), file("count"))
			if err != nil || got.Parsed.Text != want {
				t.Errorf("%q, %v, want %s", got.Parsed.Text, err, want)
			}
			continue
		}
		got, err := p.Picture(t.Context(), file("count"), 1, 300)
		if err != nil || string(got.PNG) != want+"\x00\xff" {
			t.Errorf("%q, %v, want %s", got.PNG, err, want)
		}
	}
}
