package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/problem"
)

// uploads registers the upload of a document.
func (s *server) uploads() {
	op := operation("upload-document", http.MethodPost, "/api/knowledge-bases/{kb}/documents", "Upload a document", http.StatusAccepted)
	handle(s, op, s.upload)
}

// UploadInput is an upload whose form has not been read yet.
type UploadInput struct {
	BasePath
	Key string `header:"Idempotency-Key"`

	r *http.Request
	w http.ResponseWriter
}

// Resolve keeps the request, whose body the operation reads itself.
func (in *UploadInput) Resolve(ctx huma.Context) []error {
	in.r, in.w = humago.Unwrap(ctx)
	return nil
}

type uploaded struct {
	Status int
	Body   api.Upload
}

// upload looks at the caller's right to the knowledge base before it reads the form.
func (s *server) upload(ctx context.Context, actor access.Actor, in *UploadInput) (*uploaded, error) {
	kb := access.KnowledgeBaseID(in.KB)
	if _, err := s.deps.Desk.EditableBase(ctx, actor, kb); err != nil {
		return nil, err
	}
	f, err := s.readForm(in.w, in.r)
	if err != nil {
		return nil, err
	}
	defer f.discard()
	up, err := f.upload(kb)
	if err != nil {
		return nil, err
	}
	return once(ctx, s.keys, errandOf(actor, "upload-document", in.Key, up), func(ctx context.Context) (idempotency.Receipt, error) {
		if _, err := f.file.Seek(0, io.SeekStart); err != nil {
			return idempotency.Receipt{}, err
		}
		r, err := s.deps.Intake.Upload(ctx, actor, up, f.file)
		return idempotency.Receipt{ID: string(r.Document), Version: r.Version, Job: r.Job, Outcome: r.Outcome()}, err
	}, func(r idempotency.Receipt) (*uploaded, error) {
		return taken(up, corpus.Reservation{Document: corpus.DocumentID(r.ID), Version: r.Version, Job: r.Job}.Of(r.Outcome))
	})
}

// taken says what became of an upload.
func taken(up corpus.Upload, r corpus.Reservation) (*uploaded, error) {
	if r.Held {
		p := body(http.StatusConflict, "proposal_required", "This knowledge base publishes later versions by proposal; the upload is kept as a draft.")
		p.DocumentID, p.DocKey, p.Version, p.JobID = string(r.Document), string(up.Key), r.Version, r.Job
		return nil, p
	}
	out := &uploaded{Status: http.StatusAccepted, Body: api.Upload{
		DocumentID: string(r.Document), DocKey: string(up.Key), Version: r.Version, JobID: wire.Optional(r.Job),
		Unchanged: r.Unchanged, Published: r.Published,
	}}
	if r.Unchanged {
		out.Status = http.StatusOK
	}
	return out, nil
}

// Bounds of a form beside its file.
const (
	maxFields = 16
	maxField  = 64 << 10
)

// form is a multipart form whose file waits in the spool folder.
type form struct {
	fields map[string]string
	file   *os.File
	name   string
	media  string
	size   int64
	sum    string
}

func (f *form) discard() {
	if f.file != nil {
		// The spool file is of no use to anybody if this fails.
		_ = f.file.Close()
		_ = os.Remove(f.file.Name())
	}
}

// readForm reads the form part by part: small fields into memory, the one file into the spool.
// A client that stops sending is cut off; one that is slow is not.
func (s *server) readForm(w http.ResponseWriter, r *http.Request) (*form, error) {
	r.Body = http.MaxBytesReader(w, r.Body, s.deps.UploadBytes+maxFields*maxField)
	mediaType, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "multipart/form-data" || params["boundary"] == "" {
		return nil, problem.New(problem.Invalid, "unsupported_media_type", "Send the upload as multipart/form-data.")
	}
	f := &form{fields: map[string]string{}}
	parts := multipart.NewReader(r.Body, params["boundary"])
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if err == io.EOF { // A form that ends too early gives a wrapped one.
			break
		}
		if err == nil && n >= maxFields {
			err = badForm("The form has too many parts.")
		}
		if err == nil {
			err = s.readPart(f, part)
		}
		if err != nil {
			f.discard()
			return nil, formError(err)
		}
	}
	return f, nil
}

// formError tells a form that is not one from a fault of ours.
func formError(err error) error {
	var own *problem.Error
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &own):
		return err
	case errors.As(err, &large):
		return tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return problem.New(problem.Unavailable, "body_timeout", "The body took too long to arrive.")
	}
	return problem.Wrap(err, problem.Invalid, "malformed_form", "The form is malformed or ends too early.")
}

func badForm(detail string) error {
	return problem.New(problem.Invalid, "malformed_form", "%s", detail)
}

func tooLarge() error {
	return problem.New(problem.Invalid, "too_large", "The file is larger than this server takes.")
}

// wanted are the fields of an upload.
var wanted = map[string]bool{
	"id": true, "doc_key": true, "title": true, "status": true, "access_policy": true, "source_uri": true, "source": true, "source_path": true, "adopt": true,
}

func (s *server) readPart(f *form, part *multipart.Part) error {
	name := part.FormName()
	if name == "file" {
		if f.file != nil {
			return refused([]problem.Field{{Pointer: "/file", Detail: "must be given once"}})
		}
		// A quotation mark in a name is written as %22 in a form, by browsers and by other clients alike.
		f.name, f.media = strings.ReplaceAll(part.FileName(), "%22", `"`), part.Header.Get("Content-Type")
		return s.spool(f, part)
	}
	_, twice := f.fields[name]
	switch {
	case !wanted[name]:
		return refused([]problem.Field{{Pointer: "/" + pointerPart(name), Detail: "is not a field of this form"}})
	case twice:
		return refused([]problem.Field{{Pointer: "/" + name, Detail: "must be given once"}})
	}
	b, err := io.ReadAll(io.LimitReader(part, maxField+1))
	if err != nil {
		return err
	}
	if len(b) > maxField || !utf8.Valid(b) {
		return refused([]problem.Field{{Pointer: "/" + name, Detail: "must be UTF-8 text of at most 64 KiB"}})
	}
	f.fields[name] = string(b)
	return nil
}

// pointerPart is a name of the client's own, fit to be repeated in an error.
func pointerPart(name string) string {
	out := []rune(strings.ToValidUTF8(strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1"), "?"))
	return string(out[:min(len(out), 64)])
}

// spool writes the file of a form into the spool folder.
func (s *server) spool(f *form, part io.Reader) error {
	file, err := os.CreateTemp(s.deps.Spool, "kaoju-upload-*")
	if err != nil {
		return problem.Wrap(err, problem.Internal, "internal", "The upload could not be kept.")
	}
	f.file = file
	sum := sha256.New()
	var broken error
	f.size, err = io.Copy(io.MultiWriter(sum, writerNoting{file, &broken}), io.LimitReader(part, s.deps.UploadBytes+1))
	switch {
	case broken != nil:
		return problem.Wrap(broken, problem.Internal, "internal", "The upload could not be kept.")
	case err != nil:
		return err
	case f.size > s.deps.UploadBytes:
		return tooLarge()
	}
	f.sum = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// writerNoting tells a failure to write from a failure to read.
type writerNoting struct {
	w   io.Writer
	err *error
}

func (n writerNoting) Write(b []byte) (int, error) {
	k, err := n.w.Write(b)
	*n.err = err
	return k, err
}

// upload makes the request of a form. What names and addresses must be like, the intake decides.
func (f *form) upload(kb access.KnowledgeBaseID) (corpus.Upload, error) {
	up := corpus.Upload{
		ID: corpus.DocumentID(f.fields["id"]), KnowledgeBase: kb, Key: corpus.Key(f.fields["doc_key"]),
		Title: strings.TrimSpace(f.fields["title"]), FileName: ingest.BaseName(f.name), SourceURI: f.fields["source_uri"],
		Source: f.fields["source"], Path: f.fields["source_path"],
		Checksum: corpus.Checksum(f.sum), Size: f.size, MediaType: f.media,
	}
	var fields []problem.Field
	switch f.fields["adopt"] {
	case "", "no":
	case "yes":
		up.Adopt = true
	default:
		fields = append(fields, problem.Field{Pointer: "/adopt", Detail: "must be yes or no"})
	}
	switch f.fields["status"] {
	case "", "draft":
	case "published":
		up.Publish = true
	default:
		fields = append(fields, problem.Field{Pointer: "/status", Detail: "must be draft or published"})
	}
	if f.file == nil {
		fields = append(fields, problem.Field{Pointer: "/file", Detail: "is missing"})
	}
	if text, ok := f.fields["access_policy"]; ok && text != "" {
		if text == "inherit" {
			text = `"inherit"`
		}
		up.OwnPolicy = true
		p, err := readPolicy([]byte(text))
		if err != nil {
			fields = append(fields, problem.Field{Pointer: "/access_policy", Detail: `must be "inherit" or {"allow": […], "deny": […]}`})
		}
		up.Policy = p
	}
	if up.Key == "" {
		up.Key = corpus.Key(up.FileName)
	}
	return up, refused(fields)
}
