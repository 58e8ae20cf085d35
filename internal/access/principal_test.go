package access_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

var permissionNames = []string{"read", "ask", "write", "decide", "admin"}

func TestPermissionsAreReadAsTheyAreWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.SampledFrom(permissionNames), rapid.ID[string]).Draw(t, "names")
		p, err := access.ParsePermissions(names)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{}
		for _, n := range permissionNames {
			if slices.Contains(names, n) {
				want = append(want, n)
			}
		}
		if d := cmp.Diff(want, p.Names()); d != "" {
			t.Fatal(d)
		}
		if again, err := access.ParsePermissions(p.Names()); err != nil || again != p {
			t.Fatalf("%v came back as %v, %v", p, again, err)
		}
	})
	all, err := access.ParsePermissions(permissionNames)
	if err != nil || all != access.AllPermissions {
		t.Errorf("all names are %v, %v", all, err)
	}
}

func TestAnUnknownPermissionIsRefusedWhole(t *testing.T) {
	for _, names := range [][]string{{""}, {"read", "root"}, {"Read"}, {"read,ask"}, {"all"}} {
		if p, err := access.ParsePermissions(names); p != 0 || problem.CodeOf(err) != "invalid_scope" || !problem.Is(err, problem.Invalid) {
			t.Errorf("%q: %v, %v", names, p, err)
		}
	}
}

func TestACredentialMayWhatIsNotWithheld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		withheld := access.Permission(rapid.Uint8Range(0, uint8(access.AllPermissions)).Draw(t, "withheld"))
		asked := access.Permission(rapid.Uint8Range(0, uint8(access.AllPermissions)).Draw(t, "asked"))
		want := true
		for _, name := range asked.Names() {
			want = want && !slices.Contains(withheld.Names(), name)
		}
		if got := (access.Actor{Withheld: withheld}).May(asked); got != want {
			t.Fatalf("withheld %v, asked for %v: %v", withheld.Names(), asked.Names(), got)
		}
	})
}

func TestAnIntervalHoldsItsBeginningAndNotItsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		interval access.Interval
		at       time.Time
		want     bool
	}{
		"before":               {access.Interval{From: march, To: march.Add(time.Hour)}, march.Add(-1), false},
		"at its beginning":     {access.Interval{From: march, To: march.Add(time.Hour)}, march, true},
		"just before its end":  {access.Interval{From: march, To: march.Add(time.Hour)}, march.Add(time.Hour - 1), true},
		"at its end":           {access.Interval{From: march, To: march.Add(time.Hour)}, march.Add(time.Hour), false},
		"an open one":          {access.Interval{From: march}, march.AddDate(100, 0, 0), true},
		"before an open one":   {access.Interval{From: march}, march.Add(-1), false},
		"an empty one":         {access.Interval{From: march, To: march}, march, false},
		"in another time zone": {access.Interval{From: march, To: march.Add(time.Hour)}, march.In(time.FixedZone("", 8*3600)), true},
	} {
		if got := c.interval.Holds(c.at); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
