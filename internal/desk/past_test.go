package desk

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

func TestAPastIsGivenWholeToItsActorAlone(t *testing.T) {
	o := recordedRun()
	past, err := o.desk().Past(t.Context(), alice, "r")
	must(t, err)
	if len(past.Tape) != 4 || past.Tape[1].Turn.Response == nil || len(past.Evidence) != 3 || past.Run.ID != "r" || !past.Integrity.Verified() {
		t.Errorf("%+v", past)
	}
	if _, err := o.desk().Past(t.Context(), access.Actor{Tenant: "acme", User: "bob"}, "r"); !problem.Is(err, problem.NotFound) {
		t.Errorf("somebody else: %v", err)
	}
}

func TestAPastOfWhichSomethingIsLostIsRefusedInTheSameWords(t *testing.T) {
	ways := map[string]func(*office){
		"taken away": func(o *office) { o.deny("d1") },
		"deleted":    func(o *office) { o.documents = o.documents[1:] },
		"erased": func(o *office) {
			o.documents = o.documents[1:]
			o.run.Notices, o.run.Answer.Text, o.run.Checks = []string{run.Erased}, "", nil
			for i := range o.tape {
				o.tape[i].Recording, o.tape[i].Erased = run.Recording{}, true
			}
		},
		"lost on its way": func(o *office) { o.run.Notices = []string{run.ScopeChanged} },
	}
	var want string
	for name, lose := range ways {
		o := recordedRun()
		if o.documents[0].ID != "d1" {
			t.Fatal("the first document is another")
		}
		lose(o)
		_, err := o.desk().Past(t.Context(), alice, "r")
		if problem.CodeOf(err) != "not_replayable" || !problem.Is(err, problem.Conflict) {
			t.Fatalf("%s: %v", name, err)
		}
		if want == "" {
			want = err.Error()
		}
		if diff := cmp.Diff(want, err.Error()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
