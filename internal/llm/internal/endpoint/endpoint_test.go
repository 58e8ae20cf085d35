package endpoint

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/llm"
)

// naive is a reader of events that splits the whole text at once, for comparison.
func naive(body string) []string {
	body = strings.TrimPrefix(body, "\ufeff")
	body = strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\r", "\n")
	var out, data []string
	for line := range strings.SplitSeq(body+"\n", "\n") {
		if line == "" {
			if data != nil {
				out = append(out, strings.Join(data, "\n"))
			}
			data = nil
			continue
		}
		if name, value, _ := strings.Cut(line, ":"); name == "data" {
			data = append(data, strings.TrimPrefix(value, " "))
		}
	}
	return append(out, appendJoined(data)...)
}

func appendJoined(data []string) []string {
	if data == nil {
		return nil
	}
	return []string{strings.Join(data, "\n")}
}

func read(t interface{ Fatal(...any) }, r io.Reader) []string {
	reply := &Reply{endpoint: &Endpoint{}, body: bufio.NewReaderSize(r, 16)}
	var out []string
	for {
		data, err := reply.Event()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
}

func TestEventsAreThoseOfTheNaiveReader(t *testing.T) {
	pieces := []string{"data: a", "data:b", "data", "data: ", "data:  c", ": comment", "event: x", "\n", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "id: 1", "x", "é考", ":", "\ufeff"}
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 25).Draw(t, "pieces"), "")
		want := naive(body)
		if diff := cmp.Diff(want, read(t, strings.NewReader(body))); diff != "" {
			t.Fatalf("%q (-naive +got):\n%s", body, diff)
		}
		if diff := cmp.Diff(want, read(t, iotest.OneByteReader(strings.NewReader(body)))); diff != "" {
			t.Fatalf("%q byte by byte (-naive +got):\n%s", body, diff)
		}
	})
}

func TestTextCutIntoPiecesIsJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		ascii := rapid.Bool().Draw(t, "ascii")
		// The body of the JSON string, as bytes or with everything escaped.
		var b strings.Builder
		if ascii {
			for _, u := range utf16.Encode([]rune(text)) {
				b.WriteString(`\u` + strings.Repeat("0", 4-len(strconv.FormatInt(int64(u), 16))) + strconv.FormatInt(int64(u), 16))
			}
		} else {
			quoted, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(quoted[1 : len(quoted)-1])
		}
		body := b.String()
		var j Joint
		got := ""
		for body != "" {
			end := 0 // bytes and whole escapes: one of these at a time cuts characters and surrogate pairs
			for range rapid.IntRange(1, 3).Draw(t, "step") {
				end = min(len(body), end+escapeOrByte(body[end:]))
			}
			s, err := j.Add(json.RawMessage(`"` + body[:end] + `"`))
			if err != nil {
				t.Fatalf("%q: %v", body[:end], err)
			}
			got, body = got+s, body[end:]
		}
		if want := strings.ToValidUTF8(text, "\ufffd"); got != want {
			t.Fatalf("%q becomes %q", want, got)
		}
	})
}

// escapeOrByte is the length of the escape that s begins with, or of a byte.
func escapeOrByte(s string) int {
	switch {
	case strings.HasPrefix(s, `\u`):
		return 6
	case strings.HasPrefix(s, `\`):
		return 2
	}
	return 1
}

func TestJointRefusesWhatIsNoString(t *testing.T) {
	for _, raw := range []string{``, `5`, `"`, `{}`, `"a`, `"\x"`} {
		if s, err := new(Joint).Add(json.RawMessage(raw)); err == nil {
			t.Errorf("%s gives %q", raw, s)
		}
	}
}

func TestRetryAfterIsReadInBothForms(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"0": 0, "7": 7 * time.Second, " 1.5 ": 1500 * time.Millisecond, now.Add(time.Minute).Format(http.TimeFormat): time.Minute, now.Add(-time.Hour).Format(http.TimeFormat): 0,
	} {
		if got, ok := retryAfter(value, now); !ok || got != want {
			t.Errorf("%q: %s, %t", value, got, ok)
		}
	}
	for _, value := range []string{"", "soon", "-1", "NaN", "1e300", "Inf"} {
		if got, ok := retryAfter(value, now); ok {
			t.Errorf("%q: %s", value, got)
		}
	}
}

func TestJitterStaysBelowItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "d"))
		if got := jitter(d); got < 0 || got > d || d > 0 && got == d {
			t.Fatalf("jitter(%s) = %s", d, got)
		}
	})
}

func TestFingerprintsTellDataApartWithoutItsWords(t *testing.T) {
	a, b := fingerprint([]byte("the salary is 5,000")), fingerprint([]byte("the salary is 6,000"))
	if a == b || !strings.HasPrefix(a, "19 bytes (sha256 ") || strings.Contains(a, "salary") {
		t.Errorf("%q and %q", a, b)
	}
}

// TestErrorsHoldNoWordsOfTheOtherSide makes an endpoint say a secret in every place where an HTTP
// client might repeat it.
func TestErrorsHoldNoWordsOfTheOtherSide(t *testing.T) {
	const canary = "CANARY-salary-5000"
	for name, raw := range map[string]string{
		"a body of 400":          "HTTP/1.1 400 Bad Request\r\nContent-Length: 18\r\n\r\n" + canary,
		"a body of 401":          "HTTP/1.1 401 Unauthorized\r\nContent-Length: 25\r\n\r\n{\"e\":\"" + canary + "\"}",
		"the status line":        canary + " is no HTTP\r\n\r\n",
		"the status code":        "HTTP/1.1 " + canary + "\r\n\r\n",
		"a header without colon": "HTTP/1.1 200 OK\r\n" + canary + "\r\n\r\n",
		"the transfer encoding":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + canary + "\r\n\r\n",
		"the length":             "HTTP/1.1 200 OK\r\nContent-Length: " + canary + "\r\n\r\n",
		"a redirect":             "HTTP/1.1 302 Found\r\nLocation: ://" + canary + "\r\nContent-Length: 0\r\n\r\n",
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				c, err := listener.Accept()
				if err != nil {
					return
				}
				_, _ = http.ReadRequest(bufio.NewReader(c))
				_, _ = c.Write([]byte(raw))
				_ = c.Close()
			}
		}()
		e, err := New(Config{BaseURL: "http://" + listener.Addr().String() + "/v1", Model: "m", Client: &http.Client{}, Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		reply, _, err := e.Do(t.Context(), Call{Path: "chat", Body: []byte("{}")})
		if err == nil {
			reply.Close()
			t.Fatalf("%s: no error", name)
		}
		for ; err != nil; err = errors.Unwrap(err) {
			if strings.Contains(err.Error(), "CANARY") || strings.Contains(err.Error(), "salary") {
				t.Errorf("%s: %v", name, err)
			}
		}
		_ = listener.Close()
	}
}

func TestAssignedIDsAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SampledFrom([]string{"", "a", "b", "kaoju_call_1", "kaoju_call_2"})
		var req llm.Request
		seen := map[string]bool{}
		for _, id := range rapid.SliceOf(some).Draw(t, "before") {
			req.Messages = append(req.Messages, llm.Message{Calls: []llm.ToolCall{{ID: id}}})
			seen[id] = true
		}
		ids := NewIDs(req)
		for _, id := range rapid.SliceOf(some).Draw(t, "now") {
			got := ids.Assign(id)
			if got == "" || seen[got] {
				t.Fatalf("%q is assigned twice or empty", got)
			}
			seen[got] = true
		}
	})
}

func FuzzCount(f *testing.F) {
	for _, s := range []string{"1", "-1", "1.0", "1e3", "null", `"1"`, "1e400", "{}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var v struct {
			N Count `json:"n"`
		}
		if json.Unmarshal([]byte(`{"n":`+s+`}`), &v) == nil && v.N.N != nil && (*v.N.N < 0 || *v.N.N > maxCount) {
			t.Errorf("%s is counted as %d", s, *v.N.N)
		}
	})
}
