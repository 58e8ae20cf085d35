package desk

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/glyph"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// Bounds of feedback.
const (
	MaxNote  = 2000 // code points
	MaxMarks = 200  // of one run
)

// Opinion is what a person says of an answer or of one of its sentences.
type Opinion string

// The opinions.
const (
	Correct Opinion = "correct"
	Wrong   Opinion = "wrong"
	Unclear Opinion = "unclear"
)

// Mark is a person's opinion on one sentence of one of that person's own answers, or on the whole
// of it where Sentence and Hash are empty.
type Mark struct {
	Actor                access.UserID
	Run                  run.ID
	Sentence             string // as its check names it
	Hash                 string // of the sentence under the seal of the run, hex
	Opinion              Opinion
	Note                 string
	CreatedAt, UpdatedAt time.Time
}

// MarkFilter selects marks of a list. Empty fields do not select.
type MarkFilter struct {
	Run   run.ID
	Limit int
	After string
}

// Feedback is the seam to marks. Each method is one transaction.
type Feedback interface {
	// Mark keeps an opinion in the place of the one that the actor had on the same sentence of the
	// run. Anybody else's run is problem.NotFound; one of whose sources was erased, or one that has
	// no answer, is problem.Conflict "no_answer"; a sentence beyond MaxMarks is problem.Exhausted.
	Mark(ctx context.Context, tenant access.TenantID, m Mark) (Mark, error)
	// Marks lists an actor's marks, or with no actor those of the whole tenant, oldest first, with the
	// runs that they are about. What it asks of a store does not grow with the marks of a page.
	Marks(ctx context.Context, tenant access.TenantID, actor access.UserID, f MarkFilter) (corpus.Page[Marked], error)
}

// Marked is a stored mark with the run that it is about, and what that read. Marks of one run share it.
type Marked struct {
	Mark
	Of       *run.Run
	Evidence []citation.Evidence
}

// NoAnswer is the refusal to mark what says nothing.
func NoAnswer() *problem.Error {
	return problem.New(problem.Conflict, "no_answer", "This run has no answer that can be marked or exported.")
}

// MarkView is a mark as somebody may see it now. When Withheld, its sentence and note lean on
// passages that are no longer readable, and are empty.
type MarkView struct {
	Mark
	Question string // what the run was asked
	Withheld bool
}

// Mark keeps the actor's opinion on one of the actor's own answers.
func (d *Desk) Mark(ctx context.Context, actor access.Actor, m Mark) (MarkView, error) {
	if err := wellMarked(m); err != nil {
		return MarkView{}, err
	}
	account, err := d.Run(ctx, actor, m.Run)
	if err != nil {
		return MarkView{}, err
	}
	if account.Run.Answer.Text == "" {
		return MarkView{}, NoAnswer()
	}
	m.Actor, m.Hash = actor.User, ""
	if m.Sentence != "" {
		m.Sentence = citation.Plain(m.Sentence)
		if !slices.Contains(sentencesOf(account), m.Sentence) {
			return MarkView{}, invalid(problem.Field{Pointer: "/sentence", Detail: "must be a sentence of the answer"})
		}
		m.Hash = sentenceHash(account.Run, m.Sentence)
	}
	if m, err = d.deps.Feedback.Mark(ctx, actor.Tenant, m); err != nil {
		return MarkView{}, err
	}
	return MarkView{Mark: m, Question: account.Run.Goal}, nil
}

func wellMarked(m Mark) error {
	var fields []problem.Field
	if !slices.Contains([]Opinion{Correct, Wrong, Unclear}, m.Opinion) {
		fields = append(fields, problem.Field{Pointer: "/verdict", Detail: "must be correct, wrong or unclear"})
	}
	switch {
	case !utf8.ValidString(m.Note) || strings.ContainsFunc(m.Note, glyph.Unfit):
		fields = append(fields, problem.Field{Pointer: "/note", Detail: "must be text without control characters"})
	case utf8.RuneCountInString(m.Note) > MaxNote:
		fields = append(fields, problem.Field{Pointer: "/note", Detail: "must not be longer than " + strconv.Itoa(MaxNote) + " characters"})
	}
	if fields == nil {
		return nil
	}
	return invalid(fields...)
}

// sentencesOf are the sentences of an answer that can be seen, as its checks name them.
func sentencesOf(a Account) (out []string) {
	for _, s := range citation.Sentences(a.Run.Answer.Text) {
		out = append(out, s.Text)
	}
	return out
}

// Marks lists the actor's own marks, oldest first.
func (d *Desk) Marks(ctx context.Context, actor access.Actor, f MarkFilter) (corpus.Page[MarkView], error) {
	if f.Run != "" {
		if _, _, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, f.Run); err != nil {
			return corpus.Page[MarkView]{}, err
		}
	}
	return d.marks(ctx, actor, actor.User, f)
}

// AllMarks lists the marks of the whole tenant for the operator of the data folder, oldest first,
// with what the user may read in whose name the operator acts.
func (d *Desk) AllMarks(ctx context.Context, actor access.Actor, f MarkFilter) (corpus.Page[MarkView], error) {
	if !actor.Operator {
		return corpus.Page[MarkView]{}, problem.Missing()
	}
	return d.marks(ctx, actor, "", f)
}

func (d *Desk) marks(ctx context.Context, reader access.Actor, of access.UserID, f MarkFilter) (out corpus.Page[MarkView], err error) {
	err = d.within(ctx, reader, access.Request{View: access.Cited}, func(scope access.Scope) error {
		page, err := d.deps.Feedback.Marks(ctx, reader.Tenant, of, f)
		if err != nil {
			return err
		}
		out = corpus.Page[MarkView]{Next: page.Next}
		rights, seen := d.rights(scope), map[run.ID]judged{}
		for _, m := range page.Items {
			j, known := seen[m.Run]
			if !known {
				if j, err = rights.judge(ctx, m); err != nil {
					return err
				}
				seen[m.Run] = j
			}
			out.Items = append(out.Items, j.mark(m.Mark))
		}
		return nil
	})
	if err != nil {
		return corpus.Page[MarkView]{}, err
	}
	return out, nil
}

// judged is a run as the reader of marks may see it now.
type judged struct {
	question  string
	sentences []string
	lost      bool // something that the run read
}

func (r *rights) judge(ctx context.Context, m Marked) (judged, error) {
	account, err := r.account(ctx, m.Of, m.Evidence)
	if err != nil {
		return judged{}, err
	}
	j := judged{question: m.Of.Goal, sentences: sentencesOf(account), lost: account.Reduced}
	for _, list := range [][]Source{account.Cited, account.Read} {
		j.lost = j.lost || slices.ContainsFunc(list, func(s Source) bool { return s.Withheld })
	}
	return j, nil
}

// mark withholds a sentence that cannot be seen in its answer any more, and a note once anything
// that the run read is lost: a note may repeat what was read. Whether there was a note is not told then, since
// none is left where something was erased.
func (j judged) mark(m Mark) MarkView {
	v := MarkView{Mark: m, Question: j.question}
	if j.lost && (m.Note != "" || m.Sentence == "") || m.Hash != "" && !slices.Contains(j.sentences, m.Sentence) {
		v.Sentence, v.Note, v.Withheld = "", "", true
	}
	return v
}

// sentenceHash names a sentence of an answer apart from equal ones of others.
func sentenceHash(r *run.Run, sentence string) string { return r.Seal.Hash(run.NameSentence, sentence) }

// MarkOf returns the actor's own mark of a sentence of a run, or of the whole of it.
func (d *Desk) MarkOf(ctx context.Context, actor access.Actor, id run.ID, sentence string) (MarkView, error) {
	r, _, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
	if err != nil {
		return MarkView{}, err
	}
	hash := ""
	if sentence != "" {
		hash = sentenceHash(r, citation.Plain(sentence))
	}
	for f := (MarkFilter{Run: id, Limit: MaxMarks}); ; {
		page, err := d.Marks(ctx, actor, f)
		if err != nil {
			return MarkView{}, err
		}
		if i := slices.IndexFunc(page.Items, func(v MarkView) bool { return v.Hash == hash }); i >= 0 {
			return page.Items[i], nil
		}
		if f.After = page.Next; f.After == "" {
			return MarkView{}, problem.Missing()
		}
	}
}
