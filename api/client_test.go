package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
)

// serve answers every request with fn and returns a client of it.
func serve(t *testing.T, fn http.HandlerFunc) *api.Client {
	t.Helper()
	s := httptest.NewServer(fn)
	t.Cleanup(s.Close)
	return api.NewClient(s.Client(), s.URL+"/", "secret")
}

func write(w io.Writer, s string) {
	// The client may have gone; its own check tells.
	_, _ = io.WriteString(w, s)
}

func TestRefusalsAreProblems(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   api.Problem
	}{
		"a problem": {404, `{"type":"urn:x","title":"Not Found","status":404,"detail":"Nothing.","code":"not_found","later":1}`,
			api.Problem{Type: "urn:x", Title: "Not Found", Status: 404, Detail: "Nothing.", Code: "not_found"}},
		"fields": {422, `{"code":"invalid_request","status":422,"errors":[{"pointer":"/a","detail":"is missing"}]}`,
			api.Problem{Status: 422, Code: "invalid_request", Errors: []api.FieldError{{Pointer: "/a", Detail: "is missing"}}}},
		"a proxy's page": {502, "<html>Bad Gateway</html>",
			api.Problem{Type: "about:blank", Title: "Bad Gateway", Status: 502, Code: "http_502", Detail: "The server answered 502 Bad Gateway."}},
		"nothing": {500, "", api.Problem{Type: "about:blank", Title: "Internal Server Error", Status: 500, Code: "http_500", Detail: "The server answered 500 Internal Server Error."}},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				write(w, c.body)
			})
			_, err := client.Me(t.Context())
			var p *api.Problem
			if !errors.As(err, &p) {
				t.Fatalf("%v", err)
			}
			if diff := cmp.Diff(c.want, *p); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRequestsAreWrittenAsTheContractSays(t *testing.T) {
	var got []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = append(got, strings.Join([]string{
			r.Method, r.URL.RequestURI(), r.Header.Get("Authorization"), r.Header.Get("If-Match"), r.Header.Get("Idempotency-Key"), string(body),
		}, " | "))
		write(w, `{}`)
	})
	ctx := t.Context()
	name := "n"
	_, err := client.EditKnowledgeBase(ctx, "a/b 考", api.KnowledgeBaseChange{Name: &name}, api.ETag(7))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = client.Chat(ctx, api.ChatRequest{Question: "问?", KnowledgeBaseIDs: []string{"kb"}}, "key"); err != nil {
		t.Fatal(err)
	}
	if _, err = client.Documents(ctx, "kb", api.DocumentFilter{Status: "draft"}, api.Page{Limit: 3, Cursor: "c="}); err != nil {
		t.Fatal(err)
	}
	if err = client.DeleteDocument(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`PATCH | /api/knowledge-bases/a%2Fb%20%E8%80%83 | Bearer secret | "7" |  | {"name":"n"}`,
		`POST | /api/chat | Bearer secret |  | key | {"question":"问?","knowledge_base_ids":["kb"]}`,
		`GET | /api/knowledge-bases/kb/documents?cursor=c%3D&limit=3&status=draft | Bearer secret |  |  | `,
		`DELETE | /api/documents/d | Bearer secret |  |  | `,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUploadThatCannotBeReadIsAnError(t *testing.T) {
	fault := errors.New("the disk is gone")
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		write(w, `{}`)
	})
	_, err := client.Upload(t.Context(), "kb", api.NewDocument{FileName: "a", Body: io.MultiReader(strings.NewReader("x"), failing{fault})})
	if !errors.Is(err, fault) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// frame writes one event as a server does.
func frame(n int, kind string) string {
	b, err := json.Marshal(api.Event{V: 1, ID: fmt.Sprint("r:", n), Sequence: int64(n), RunID: "r", Type: kind, Data: json.RawMessage(`{}`)})
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("id: r:%d\nevent: %s\ndata: %s\n\n", n, kind, b)
}

func follow(ctx context.Context, c *api.Client, after int64) (numbers []int64, err error) {
	err = c.Follow(ctx, "r", after, func(e api.Event) error {
		numbers = append(numbers, e.Sequence)
		return nil
	})
	return numbers, err
}

func TestBrokenStreamIsTakenUpWhereItBroke(t *testing.T) {
	var asked []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query().Get("after"))
		w.Header().Set("Content-Type", "text/event-stream")
		write(w, "retry: 2000\n\n: hb\n\n")
		switch r.URL.Query().Get("after") {
		case "0":
			write(w, frame(1, "run.created")+frame(2, "run.started")+"id: r:3\nevent: x\nda")
		case "2":
			write(w, frame(3, "run.some.new.type")+frame(4, "run.completed"))
		}
	})
	got, err := follow(t.Context(), client, 0)
	if diff := cmp.Diff([]int64{1, 2, 3, 4}, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if diff := cmp.Diff([]string{"0", "2"}, asked); diff != "" {
		t.Error(diff)
	}
}

func TestStreamThatNeverTellsAnythingIsGivenUp(t *testing.T) {
	calls := 0
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		calls++
		write(w, "retry: 2000\n\n")
	})
	if _, err := follow(t.Context(), client, 0); !errors.Is(err, io.ErrUnexpectedEOF) || calls != 2 {
		t.Errorf("%v after %d connections", err, calls)
	}
}

func TestFinishedStreamIsNotAskedForAgain(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	if got, err := follow(t.Context(), client, 9); err != nil || got != nil {
		t.Errorf("%v %v", got, err)
	}
}

func TestStreamEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		write(w, frame(1, "run.created"))
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	})
	err := client.Follow(ctx, "r", 0, func(api.Event) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestChatStreamThatBreaksIsAnError(t *testing.T) {
	whole := true
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept") != "text/event-stream" {
			t.Errorf("Accept %q", r.Header.Get("Accept"))
		}
		write(w, frame(1, "run.created"))
		if whole {
			write(w, frame(2, "run.failed"))
		}
	})
	ask := func() error {
		return client.ChatStream(t.Context(), api.ChatRequest{Question: "q"}, "", func(api.Event) error { return nil })
	}
	if err := ask(); err != nil {
		t.Error(err)
	}
	whole = false
	if err := ask(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
}

func TestWithheldCitationIsItsLabelAlone(t *testing.T) {
	b, err := json.Marshal(api.Run{Answer: api.Answer{Citations: []api.Citation{{Label: "S2", Withheld: true, Excerpt: "CANARY", DocumentID: "d"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "CANARY") || !strings.Contains(string(b), `"citations":[{"label":"S2","withheld":true}]`) {
		t.Errorf("%s", b)
	}
	var back api.Run
	if err := json.Unmarshal(b, &back); err != nil || !back.Citations[0].Withheld || back.Citations[0].Label != "S2" {
		t.Errorf("%v %+v", err, back.Citations)
	}
}
