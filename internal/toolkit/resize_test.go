package toolkit_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// studio is a folder with pictures, and the executor of the tools that work there.
type studio struct {
	t        testing.TB
	dir      string
	executor *tool.Executor
}

func newStudio(t testing.TB) studio {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	must(t, err)
	t.Cleanup(func() { root.Close() })
	e, err := tool.NewExecutor(newWorld(), []tool.Tool{toolkit.Echo{}, toolkit.NewResize(root)}, tool.Options{Writes: true, Tries: 1, Timeout: 10 * time.Minute})
	must(t, err)
	return studio{t, dir, e}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s studio) call(name, args string) tool.Outcome {
	return s.executor.Run(context.Background(), alice, []string{toolkit.EchoText, toolkit.ResizeImage}, tool.Session{}, llm.ToolCall{ID: "1", Name: name, Arguments: args})
}

func (s studio) put(name string, data []byte) {
	s.t.Helper()
	must(s.t, os.MkdirAll(filepath.Dir(filepath.Join(s.dir, name)), 0o700))
	must(s.t, os.WriteFile(filepath.Join(s.dir, name), data, 0o600))
}

// picture draws a field of two colours in a format.
func picture(t testing.TB, format string, w, h int) []byte {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.NRGBA{200, 30, 30, 255}, color.NRGBA{20, 20, 220, 255}})
	for x := w / 2; x < w; x++ {
		for y := range h {
			m.SetColorIndex(x, y, 1)
		}
	}
	var b bytes.Buffer
	switch format {
	case "png":
		must(t, png.Encode(&b, m))
	case "jpeg":
		must(t, jpeg.Encode(&b, m, nil))
	default:
		must(t, gif.Encode(&b, m, nil))
	}
	return b.Bytes()
}

func codeOf(o tool.Outcome) tool.Code {
	if o.Failure == nil {
		return "ok"
	}
	return o.Failure.Code
}

// The table of the arguments of resize_image: what the schema passes goes on to the file, and is ok
// or told apart there.
func TestResizeTakesTheseArgumentsAndNoOthers(t *testing.T) {
	s := newStudio(t)
	s.put("a.png", picture(t, "png", 40, 20))
	for args, want := range map[string]tool.Code{
		`{"path":"a.png","width":10}`:                        "ok",
		`{"path":"a.png","width":4096}`:                      "ok",
		`{"path":"a.png","width":9}`:                         tool.InvalidArguments,
		`{"path":"a.png","width":4097}`:                      tool.InvalidArguments,
		`{"path":"a.png","width":-128}`:                      tool.InvalidArguments,
		`{"path":"a.png","width":0}`:                         tool.InvalidArguments,
		`{"path":"a.png","width":"128"}`:                     tool.InvalidArguments,
		`{"path":"a.png","width":128}`:                       "ok",
		`{"path":"a.png","width":128.0}`:                     "ok",
		`{"path":"a.png","width":1.28e2}`:                    "ok",
		`{"path":"a.png","width":128.5}`:                     tool.InvalidArguments,
		`{"path":"a.png","width":null}`:                      tool.InvalidArguments,
		`{"path":"a.png","width":true}`:                      tool.InvalidArguments,
		`{"path":"a.png","width":[128]}`:                     tool.InvalidArguments,
		`{"path":"a.png"}`:                                   tool.InvalidArguments,
		`{"width":128}`:                                      tool.InvalidArguments,
		`{}`:                                                 tool.InvalidArguments,
		`{"path":7,"width":128}`:                             tool.InvalidArguments,
		`{"path":null,"width":128}`:                          tool.InvalidArguments,
		`{"path":"a.png","width":128,"extra":{"deep":[1]}}`:  "ok",
		`{"path":"a.png","width":128,"format":"png"}`:        "ok",
		`{"path":"","width":128}`:                            tool.NotImage,
		`{"path":"a.png","Width":128}`:                       tool.InvalidArguments,
		`{"path":"a.png","width":128,"WIDTH":9}`:             tool.InvalidJSON,
		`[]`:                                                 tool.InvalidArguments,
		`[{"path":"a.png","width":128}]`:                     tool.InvalidArguments,
		`"path"`:                                             tool.InvalidArguments,
		`128`:                                                tool.InvalidArguments,
		`null`:                                               tool.InvalidArguments,
		`true`:                                               tool.InvalidArguments,
		`{"path":"a.png","width":128`:                        tool.InvalidJSON,
		`{"path":"a.png","width":128}}`:                      tool.InvalidJSON,
		`{"path":"a.png","width":128}{"path":"a","width":9}`: tool.InvalidJSON,
		`{"path":"a.png","width":128} 1`:                     tool.InvalidJSON,
		`{"path":"a.png","width":128,}`:                      tool.InvalidJSON,
		`{"path":"a.png","width":0128}`:                      tool.InvalidJSON,
		`{"path":"a.png","width":NaN}`:                       tool.InvalidJSON,
		`{"path":"a.png","width":128,"width":64}`:            tool.InvalidJSON,
		`{'path':'a.png','width':128}`:                       tool.InvalidJSON,
		``:                                                   tool.InvalidJSON,
		`{"path":"a.png\u0000","width":128}`:                 tool.InvalidJSON,
	} {
		if got := codeOf(s.call(toolkit.ResizeImage, args)); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

func TestResizeWritesThePictureBesideTheOriginal(t *testing.T) {
	s := newStudio(t)
	for _, c := range []struct{ name, format, out string }{
		{"a.png", "png", "a-100.png"}, {"b.JPG", "jpeg", "b-100.JPG"}, {"deep/er/c.jpeg", "jpeg", "deep/er/c-100.jpeg"}, {"平面图.gif", "gif", "平面图-100.gif"},
		{"x.y.png", "png", "x.y-100.png"}, {".hidden.png", "png", ".hidden-100.png"},
	} {
		original := picture(t, c.format, 40, 20)
		s.put(c.name, original)
		args, _ := json.Marshal(map[string]any{"path": c.name, "width": 100})
		o := s.call(toolkit.ResizeImage, string(args))
		if o.Failure != nil {
			t.Fatalf("%s: %v", c.name, o.Failure)
		}
		var result struct {
			Path          string
			Width, Height int
			Format        string
		}
		must(t, json.Unmarshal(o.Result.Content, &result))
		f, err := os.Open(filepath.Join(s.dir, c.out))
		must(t, err)
		defer f.Close()
		m, format, err := image.Decode(f)
		must(t, err)
		if result.Path != c.out || format != c.format || m.Bounds().Dx() != 100 || m.Bounds().Dy() != 50 || result.Width != 100 || result.Height != 50 || result.Format != format {
			t.Errorf("%s: %+v, %s %v", c.name, result, format, m.Bounds())
		}
		left, _, _, _ := m.At(10, 25).RGBA()
		_, _, right, _ := m.At(90, 25).RGBA()
		if left>>8 < 150 || right>>8 < 150 {
			t.Errorf("%s: the colours moved: red %d at the left, blue %d at the right", c.name, left>>8, right>>8)
		}
		if kept, _ := os.ReadFile(filepath.Join(s.dir, c.name)); !bytes.Equal(kept, original) {
			t.Errorf("%s was changed", c.name)
		}
		again := s.call(toolkit.ResizeImage, string(args))
		if again.Failure != nil || string(again.Result.Content) != string(o.Result.Content) {
			t.Errorf("%s again: %+v", c.name, again)
		}
	}
	var left []string
	must(t, filepath.WalkDir(s.dir, func(path string, _ os.DirEntry, err error) error {
		if strings.Contains(filepath.Base(path), ".kaoju-") {
			left = append(left, path)
		}
		return err
	}))
	if left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestResizeStaysInItsFolder(t *testing.T) {
	s := newStudio(t)
	secret := filepath.Join(t.TempDir(), "secret.png")
	must(t, os.WriteFile(secret, picture(t, "png", 40, 20), 0o600))
	s.put("in/a.png", picture(t, "png", 40, 20))
	s.put("b.png", picture(t, "png", 40, 20))
	for from, to := range map[string]string{
		"out.png": secret, "outside": filepath.Dir(secret), "up.png": "../" + filepath.Base(filepath.Dir(secret)) + "/secret.png", "inside.png": "in/a.png", "loop.png": "loop.png", "gone.png": "nothing.png",
	} {
		must(t, os.Symlink(to, filepath.Join(s.dir, from)))
	}
	for path, want := range map[string]tool.Code{
		"b.png": "ok", "./b.png": "ok", "in/../b.png": "ok", "inside.png": "ok", "in//a.png": "ok",
		secret: tool.OutsideRoot, "/etc/passwd": tool.OutsideRoot, "../b.png": tool.OutsideRoot, "in/../../b.png": tool.OutsideRoot, "..": tool.OutsideRoot,
		"out.png": tool.OutsideRoot, "outside/secret.png": tool.OutsideRoot, "up.png": tool.OutsideRoot, "loop.png": tool.OutsideRoot,
		"gone.png": tool.NotFound, "nothing.png": tool.NotFound, "B.PNG": tool.NotFound, "in": tool.NotImage, ".": tool.NotImage, "in/a.png/x.png": tool.OutsideRoot,
	} {
		args, _ := json.Marshal(map[string]any{"path": path, "width": 16})
		o := s.call(toolkit.ResizeImage, string(args))
		if got := codeOf(o); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
		if o.Failure != nil && strings.Contains(o.Failure.Detail, s.dir) {
			t.Errorf("%s: the detail names the folder: %s", path, o.Failure.Detail)
		}
	}
	if list, _ := os.ReadDir(filepath.Dir(secret)); len(list) != 1 {
		t.Errorf("something was written outside: %v", list)
	}
	// The name of the result may be a link that leads away: it is replaced, and what it leads to stays.
	target := filepath.Join(t.TempDir(), "target.png")
	must(t, os.WriteFile(target, []byte("kept"), 0o600))
	must(t, os.Remove(filepath.Join(s.dir, "b-16.png")))
	must(t, os.Symlink(target, filepath.Join(s.dir, "b-16.png")))
	if o := s.call(toolkit.ResizeImage, `{"path":"b.png","width":16}`); o.Failure != nil {
		t.Error(o.Failure)
	}
	if kept, _ := os.ReadFile(target); string(kept) != "kept" {
		t.Error("a link was followed")
	}
}

// claimed is a PNG whose header claims a size, with as little behind it as there can be.
func claimed(w, h uint32) []byte {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	b = binary.BigEndian.AppendUint32(b, w)
	b = binary.BigEndian.AppendUint32(b, h)
	b = append(b, 8, 2, 0, 0, 0)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[12:]))
}

func TestResizeTakesOnlyPicturesOfABoundedSize(t *testing.T) {
	s := newStudio(t)
	whole := picture(t, "png", 40, 20)
	for name, data := range map[string][]byte{
		"text.png": []byte("not a picture"), "empty.png": nil, "cut.png": whole[:len(whole)/2], "bomb.png": claimed(60000, 60000), "wide.png": claimed(1<<31-1, 1),
		"high.png": claimed(1, 40000), "header.png": claimed(100, 100), "named.jpg": whole, "named.gif": picture(t, "jpeg", 9, 9), "plain": whole, "a.svg": []byte("<svg/>"),
		"zero.png": claimed(0, 10),
	} {
		s.put(name, data)
		if got := codeOf(s.call(toolkit.ResizeImage, fmt.Sprintf(`{"path":%q,"width":16}`, name))); got != tool.NotImage {
			t.Errorf("%s: %s", name, got)
		}
	}
	// A picture that is high and narrow would become far too high.
	s.put("tower.png", picture(t, "png", 2, 2000))
	if got := codeOf(s.call(toolkit.ResizeImage, `{"path":"tower.png","width":4096}`)); got != tool.NotImage {
		t.Error(got)
	}
	list, err := os.ReadDir(s.dir)
	must(t, err)
	for _, e := range list {
		if strings.Contains(e.Name(), "-16") || strings.Contains(e.Name(), "-4096") || strings.HasPrefix(e.Name(), ".kaoju") {
			t.Errorf("%s was written", e.Name())
		}
	}
}

func TestAnyPathStaysInside(t *testing.T) {
	s := newStudio(t)
	s.put("a.png", picture(t, "png", 4, 4))
	parent := filepath.Dir(s.dir)
	before, err := os.ReadDir(parent)
	must(t, err)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"..", ".", "a.png", "", "/", "\\", "~", "a", "etc", "%2e%2e", "．．", "a.png/"}), 1, 6).Draw(t, "parts")
		args, _ := json.Marshal(map[string]any{"path": strings.Join(parts, "/"), "width": 16})
		switch got := codeOf(s.call(toolkit.ResizeImage, string(args))); got {
		case "ok", tool.OutsideRoot, tool.NotFound, tool.NotImage:
		default:
			t.Fatalf("%s: %s", args, got)
		}
	})
	after, err := os.ReadDir(parent)
	must(t, err)
	if len(after) != len(before) {
		t.Errorf("something was written beside the folder: %v", after)
	}
}

func TestEchoGivesBackWhatItGot(t *testing.T) {
	s := newStudio(t)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ReplaceAll(rapid.String().Draw(t, "text"), "\x00", "")
		args, _ := json.Marshal(map[string]any{"text": text})
		o := s.call(toolkit.EchoText, string(args))
		var back struct{ Text string }
		if o.Failure != nil || json.Unmarshal(o.Result.Content, &back) != nil || back.Text != text {
			t.Fatalf("%q: %+v", text, o)
		}
	})
	for args, want := range map[string]tool.Code{`{"text":7}`: tool.InvalidArguments, `{}`: tool.InvalidArguments, `x`: tool.InvalidJSON, `{"text":"a"}{"text":"b"}`: tool.InvalidJSON, `{"text":"","more":1}`: "ok"} {
		if got := codeOf(s.call(toolkit.EchoText, args)); got != want {
			t.Errorf("%s: %s", args, got)
		}
	}
}

func TestToolsOfADecisionAreNotRun(t *testing.T) {
	for _, k := range []toolkit.ByDecision{toolkit.NewCreateTask(), toolkit.NewExportDocument(), toolkit.NewExportHistory()} {
		if k.Spec().Sensitivity == tool.Read {
			t.Errorf("%s would need no decision", k.Spec().Name)
		}
		var f *tool.Failure
		if _, err := k.Call(t.Context(), tool.Call{Actor: access.Actor{}}); !asFailure(err, &f) || f.Code != tool.NotAllowed {
			t.Errorf("%s ran: %v", k.Spec().Name, err)
		}
	}
}

func asFailure(err error, f **tool.Failure) bool {
	got, ok := err.(*tool.Failure)
	*f = got
	return ok
}
