package failpoint_test

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/failpoint/failpointtest"
)

// dies names to a child process the point at which it dies, the third time.
const dies = "KAOJU_TEST_DIES"

func TestMain(m *testing.M) {
	point := os.Getenv(dies)
	if point == "" {
		os.Exit(m.Run())
	}
	ctx := failpointtest.Dying(context.Background(), failpoint.Point(point), 3)
	for range 4 {
		failpoint.Reach(ctx, failpoint.JobClaimed)
		os.Stdout.WriteString("alive ")
	}
}

func TestNothingHappensAtAPointOfAContextThatNoTestArmed(t *testing.T) {
	for _, p := range slices.Concat(failpoint.Taking(), failpoint.Refusing(), failpoint.Unpacking(), []failpoint.Point{failpoint.PartRead}) {
		t.Setenv(dies, string(p))
		failpoint.Reach(t.Context(), p)
	}
}

func TestAnArmedContextTellsOfItsPoints(t *testing.T) {
	var got []failpoint.Point
	ctx := failpointtest.With(t.Context(), func(p failpoint.Point) { got = append(got, p) })
	inner, cancel := context.WithCancel(ctx)
	cancel()
	failpoint.Reach(inner, failpoint.JobClaimed)
	failpoint.Reach(context.WithoutCancel(inner), failpoint.BlobKept)
	failpoint.Reach(t.Context(), failpoint.ChunksCut)
	if diff := cmp.Diff([]failpoint.Point{failpoint.JobClaimed, failpoint.BlobKept}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAProcessDiesAtItsPointAndNowhereElse(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for point, want := range map[failpoint.Point]string{failpoint.JobClaimed: "alive alive ", failpoint.BlobKept: "alive alive alive alive "} {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), dies+"="+string(point))
		out, err := cmd.Output()
		if string(out) != want || (err != nil) != (point == failpoint.JobClaimed) {
			t.Errorf("dying at %s: %q, %v", point, out, err)
		}
	}
}

func TestPointsHaveNamesOfTheirOwn(t *testing.T) {
	all := slices.Concat(failpoint.Taking(), failpoint.Refusing(), []failpoint.Point{failpoint.PartRead})
	slices.Sort(all)
	if n := len(all); n < 30 || len(slices.Compact(all)) != n {
		t.Errorf("%d points: %v", n, all)
	}
}
