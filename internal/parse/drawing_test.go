package parse_test

import "testing"

func drawingFormats() []string { return []string{"dxf", "svg"} }

func TestDrawingsAreFoundAtTheirPlaces(t *testing.T) { foundAtTheirPlaces(t, drawingFormats()) }

func TestFaultsOfOtherReadersOfDrawingsDoNotOccur(t *testing.T) {
	eachCase(t, map[string]func(*testing.T, read){"64": nil, "66": nil}, checkOfficeCase)
}
