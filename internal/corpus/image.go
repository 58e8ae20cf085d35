package corpus

import "encoding/json"

// ImageLocator is a place on a picture.
type ImageLocator struct {
	// Boxes are those of the words, in order, in pixels of the picture.
	Boxes []Box      `json:"boxes"`
	Size  [2]float32 `json:"image_size"` // width and height of the picture in pixels
}

// Kind returns "image".
func (ImageLocator) Kind() string { return "image" }

func (ImageLocator) sealed() {}

// plainImage is the flat form of the locator with its kind.
type (
	plainImage struct {
		Kind string `json:"kind"`
		imageFields
	}
	imageFields ImageLocator
)

// MarshalJSON writes the flat form with its kind.
func (l ImageLocator) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainImage{l.Kind(), imageFields(l)})
}

// Through joins the boxes.
func (l ImageLocator) Through(last Locator) Locator {
	if t, ok := last.(ImageLocator); ok {
		l.Boxes = joinBoxes(l.Boxes, t.Boxes)
	}
	return l
}
