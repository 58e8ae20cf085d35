package api

// Diff is what changed from one version of a document to another. The lists are bounded, the
// counts are not: Truncated says that there is more than is listed.
type Diff struct {
	From DiffSide `json:"from"`
	To   DiffSide `json:"to"`
	// Sections that were added, removed, changed, or only moved or renamed. In a document without
	// headings a section is a paragraph or a row.
	Added     []DiffSection `json:"added"`
	Removed   []DiffSection `json:"removed"`
	Changed   []DiffSection `json:"changed"`
	Moved     []DiffSection `json:"moved"`
	Numbers   []DiffNumber  `json:"numbers"`
	Counts    DiffCounts    `json:"counts"`
	Truncated bool          `json:"truncated"`
	// PolicyDiffers says whether the versions differ in who may read them; null for readers.
	PolicyDiffers *bool `json:"policy_differs"`
}

// DiffSide names one of the two versions.
type DiffSide struct {
	DocumentID string `json:"document_id"`
	DocKey     string `json:"doc_key"`
	Version    int    `json:"version"`
	Status     string `json:"status"`
	Title      string `json:"title"`
}

// DiffSection is a section that differs. HeadingPath is that of the newer version, or of the older
// one where the section was removed; FormerPath is null unless it was another. A span is null
// where the section does not stand.
type DiffSection struct {
	HeadingPath  []string   `json:"heading_path"`
	FormerPath   []string   `json:"former_path" nullable:"true"`
	FromSpan     *Span      `json:"from_span"`
	ToSpan       *Span      `json:"to_span"`
	Moved        bool       `json:"moved"`
	LinesAdded   int        `json:"lines_added"`
	LinesRemoved int        `json:"lines_removed"`
	Lines        []DiffLine `json:"lines"`
}

// DiffLine is a sentence, a heading, a list item or a row that stands in one version alone. Op is
// "added" or "removed", and Span its place in the version that holds it.
type DiffLine struct {
	Op   string `json:"op"`
	Text string `json:"text"`
	Span Span   `json:"span"`
}

// DiffNumber is a number that is another in the newer version, in digits. Old or New is empty
// where a changed sentence gained or lost a number.
type DiffNumber struct {
	HeadingPath []string `json:"heading_path"`
	Old         string   `json:"old"`
	New         string   `json:"new"`
	Unit        string   `json:"unit"`     // as the newer version writes it, or else the older one
	OldUnit     string   `json:"old_unit"` // as the older version writes it
	OldSentence string   `json:"old_sentence"`
	NewSentence string   `json:"new_sentence"`
}

// DiffCounts are complete.
type DiffCounts struct {
	SectionsAdded   int `json:"sections_added"`
	SectionsRemoved int `json:"sections_removed"`
	SectionsChanged int `json:"sections_changed"`
	SectionsMoved   int `json:"sections_moved"`
	LinesAdded      int `json:"lines_added"`
	LinesRemoved    int `json:"lines_removed"`
	NumbersChanged  int `json:"numbers_changed"`
}
