package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/failpoint"
)

// serves starts a server on the folder, which dies at a point; "" means at none.
func (b *deathbed) serves(at failpoint.Point) (*exec.Cmd, string) {
	b.t.Helper()
	cmd := b.process(at, "serve", "--listen", "127.0.0.1:0", "--log-level", "error")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url := addressIn.FindString(lines.Text()); url != "" {
			go io.Copy(io.Discard, out) //nolint:errcheck // nobody reads on
			return cmd, url
		}
	}
	b.t.Fatal("the server did not say where it is")
	return nil, ""
}

// request makes a request of the administrator, and fails where the server is gone.
func request(token, method, url, kind string, body io.Reader) (status int, raw []byte, err error) {
	req, err := http.NewRequest(method, url, body)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
		req.Header.Set("Idempotency-Key", "upload-1")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	raw, err = io.ReadAll(res.Body)
	return res.StatusCode, raw, err
}

// form returns an upload of one file.
func form(t *testing.T, name, text string) (kind string, body *bytes.Buffer) {
	t.Helper()
	body = new(bytes.Buffer)
	w := multipart.NewWriter(body)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = io.WriteString(part, text)
	}
	if err = errors.Join(err, w.WriteField("status", "published"), w.Close()); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), body
}

func TestAnUploadIsWhollyInOrWhollyOutWhereverItsServerDies(t *testing.T) {
	for i, at := range []failpoint.Point{failpoint.UploadReceived, failpoint.BlobKept, failpoint.ReservationWritten, failpoint.ReservationMade,
		failpoint.ParseEnded, failpoint.JobEnded, failpoint.VersionPublished} {
		t.Run(string(at), func(t *testing.T) {
			elsewhere(t, i)
			t.Parallel()
			b := newDeathbed(t)
			token := strings.TrimSpace(b.run("token", "create", "--user", "admin"))
			token = token[strings.LastIndexAny(token, " \n")+1:]
			dying, url := b.serves(at)
			kind, body := form(t, "pump.md", formed(2200))
			// Where it dies after the reservation, the answer may come before the death.
			_, _, _ = request(token, "POST", url+"/api/knowledge-bases/k/documents", kind, body)
			b.killed(dying.Wait(), at, nil)
			b.reopen()
			b.tidy()
			ids := b.column(`SELECT id FROM documents`)

			_, url = b.serves("")
			kind, body = form(t, "pump.md", formed(2200))
			status, raw, err := request(token, "POST", url+"/api/knowledge-bases/k/documents", kind, body)
			var up api.Upload
			if err == nil {
				err = json.Unmarshal(raw, &up)
			}
			if err != nil || status/100 != 2 || up.Version != 1 {
				t.Fatalf("the same upload again: %d %s %v", status, raw, err)
			}
			if len(ids) > 0 && up.DocumentID != ids[0] {
				t.Errorf("the same upload is now the document %s, and was %s", up.DocumentID, ids)
			}
			if up.JobID != nil {
				for job := (api.Job{}); job.State != "succeeded"; {
					status, raw, err := request(token, "GET", url+"/api/jobs/"+*up.JobID, "", nil)
					if err = errors.Join(err, json.Unmarshal(raw, &job)); err != nil || status != 200 || job.State == "failed" || job.State == "cancelled" {
						t.Fatalf("the job: %d %s %v", status, raw, err)
					}
				}
			}
			if diff := cmp.Diff([]string{"1 published"}, b.versions("pump.md")); diff != "" {
				t.Errorf("versions in the end, -want +got:\n%s", diff)
			}
			if !b.finds("edition2200", "edition2200 runs") {
				t.Error("the file is not found")
			}
		})
	}
}
