package drawing

import "testing"

// TestClustersThatAnotherLineMayJoinAreBounded has two rows of columns that stand far apart from each other. Of more columns
// than may be open, the first ones are closed after the first row.
func TestClustersThatAnotherLineMayJoinAreBounded(t *testing.T) {
	for columns, want := range map[int]int{256: 256, 300: 300 + 44} {
		var rows [][]run
		for y := range 2 {
			var row []run
			for x := range columns {
				left, top := float64(10*x), float64(2*y)
				row = append(row, run{box: [4]float64{left, top, left + 1, top + 1}, height: 1})
			}
			rows = append(rows, row)
		}
		if got := len(stack(rows)); got != want {
			t.Errorf("%d columns make %d clusters, want %d", columns, got, want)
		}
	}
}
