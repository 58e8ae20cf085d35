package pdf

import (
	"errors"
	"image"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kaoju/kaoju/internal/parse/ocr"
)

// The time in which pages are drawn counts as that in which they are read, also where drawing fails.
func TestDrawingCountsInTheTimeOfAFile(t *testing.T) {
	for name, fault := range map[string]error{"drawn": nil, "not drawn": errors.New("no picture")} {
		synctest.Test(t, func(t *testing.T) {
			c := scanner{ocr: &ocr.Engine{File: time.Minute}}
			drawn := 0
			slow := func() (image.Image, [2]float32, error) {
				drawn++
				time.Sleep(25 * time.Second)
				return image.NewGray(image.Rect(0, 0, 9, 9)), [2]float32{9, 9}, fault // of one colour: nothing stands on it
			}
			for range 5 {
				if err := c.page(t.Context(), &sheet{}, slow); err != nil {
					t.Fatal(err)
				}
			}
			if drawn != 3 || c.spent != 75*time.Second || !c.failed {
				t.Errorf("%s: %d pages were drawn in %v, and some are left: %t", name, drawn, c.spent, c.failed)
			}
		})
	}
}
