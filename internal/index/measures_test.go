package index

import (
	"testing"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Bounds that were stored under other constants hold no more: a search that trusted them would leave out what it
// should find. Segments of another version of the analysis are built again, so a change here needs a new one.
func TestTheConstantsOfTheScoreAreThoseOfTheVersion(t *testing.T) {
	got := [10]float64{k1}
	copy(got[1:], weight[:])
	copy(got[4:], slope[:])
	copy(got[7:], pivot[:])
	if want := [10]float64{1.2, 3, 2, 1, 0.5, 0.5, 0.5, 7, 7, 80}; got != want || analysis.Version != 3 {
		t.Errorf("version %d has the constants %v, this test knows %v of version 3", analysis.Version, got, want)
	}
}
