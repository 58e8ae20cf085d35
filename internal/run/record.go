package run

import (
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
)

// tapeVersion is the version of recordings written now. A golden file under testdata holds one of
// every version that was ever written. The records stand apart from the types of the product, so
// that renaming a field there changes nothing that is stored.
const tapeVersion = 1

type tapeRecord struct {
	V       int         `json:"v"`
	Attempt int         `json:"attempt"`
	Step    int         `json:"step"`
	Resumed *resumeTape `json:"resumed,omitempty"`
	Began   *beganTape  `json:"began,omitempty"`
	Turn    *turnTape   `json:"turn,omitempty"`
	Tool    *resultTape `json:"tool,omitempty"`
	Judged  *judgedTape `json:"judged,omitempty"`
}

type resumeTape struct {
	Model      modelTape `json:"model"`
	Lost       []string  `json:"lost,omitempty"`
	Found      bool      `json:"found,omitempty"`
	Use        useTape   `json:"use"`
	Requests   int       `json:"requests"`
	PromptHash string    `json:"prompt_hash,omitempty"`
	Notices    []string  `json:"notices,omitempty"`
}

type useTape struct {
	Steps       int `json:"steps"`
	Repairs     int `json:"repairs"`
	ToolCalls   int `json:"tool_calls"`
	SearchPages int `json:"search_pages"`
	Documents   int `json:"documents"`
	Text        int `json:"text"`
	Tokens      int `json:"tokens"`
}

type judgedTape struct {
	Look  int      `json:"look,omitempty"`
	Lost  []string `json:"lost,omitempty"`
	Found bool     `json:"found,omitempty"`
	Gone  bool     `json:"gone,omitempty"`
	Stale bool     `json:"stale,omitempty"`
	Place int      `json:"place,omitempty"`
	Local bool     `json:"local,omitempty"`
}

type beganTape struct {
	Model    modelTape  `json:"model"`
	Memory   string     `json:"memory,omitempty"`
	Verifier *modelTape `json:"verifier,omitempty"`
	Notices  []string   `json:"notices,omitempty"`
}

type modelTape struct {
	Engine llm.Engine `json:"engine"`
	Name   string     `json:"name,omitempty"`
	Host   string     `json:"host,omitempty"`
	Remote bool       `json:"remote,omitempty"`
}

type turnTape struct {
	Kept     int           `json:"kept"`
	Prompt   []messageTape `json:"prompt"`
	Tools    []specTape    `json:"tools,omitempty"`
	Hash     string        `json:"hash"`
	Model    modelTape     `json:"model"`
	Response *responseTape `json:"response,omitempty"`
	Failure  Reason        `json:"failure,omitempty"`
}

type messageTape struct {
	Role   llm.Role   `json:"role"`
	Text   string     `json:"text,omitempty"`
	Calls  []callTape `json:"calls,omitempty"`
	CallID string     `json:"call_id,omitempty"`
	State  string     `json:"state,omitempty"` // JSON as it came, kept to the byte
}

type callTape struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type specTape struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Schema      string `json:"schema"`
}

type responseTape struct {
	Message  messageTape   `json:"message"`
	Finish   llm.Finish    `json:"finish"`
	Usage    *usageTape    `json:"usage,omitempty"`
	Attempts []attemptTape `json:"attempts,omitempty"`
	// Code points of what was thought before. Thoughts are no part of the text; those that an endpoint
	// wants back with the next request are in the message's state.
	Reasoning int          `json:"reasoning,omitempty"`
	Remarks   []remarkTape `json:"remarks,omitempty"`
}

type remarkTape struct {
	Code   string   `json:"code"`
	Refs   []string `json:"refs,omitempty"`
	Quotes []string `json:"quotes,omitempty"`
	Kind   string   `json:"kind,omitempty"`
}

type usageTape struct {
	Prompt     *int `json:"prompt"`
	Completion *int `json:"completion"`
	Total      *int `json:"total"`
}

type attemptTape struct {
	Code     string        `json:"code"`
	Duration time.Duration `json:"duration_ns"`
}

type resultTape struct {
	Call        callTape         `json:"call"`
	Name        string           `json:"name,omitempty"`
	Sensitivity tool.Sensitivity `json:"sensitivity,omitempty"`
	Args        string           `json:"args,omitempty"`
	Stripped    []string         `json:"stripped,omitempty"`
	Tries       int              `json:"tries"`
	Failure     *failureTape     `json:"failure,omitempty"`
	Content     string           `json:"content,omitempty"`
	Search      *searchTape      `json:"search,omitempty"`
	Hits        []hitTape        `json:"hits,omitempty"`
	Passages    []passageTape    `json:"passages,omitempty"`
}

type failureTape struct {
	Code   tool.Code `json:"code"`
	Detail string    `json:"detail"`
}

type searchTape struct {
	Query       string `json:"query"`
	Page        int    `json:"page"`
	Hits        int    `json:"hits"`
	More        bool   `json:"more"`
	WordsOnly   bool   `json:"words_only,omitempty"`
	NotReranked bool   `json:"not_reranked,omitempty"`
}

type hitTape struct {
	Document corpus.DocumentID `json:"document"`
	Version  int               `json:"version"`
	Title    string            `json:"title"`
	Chunk    corpus.ChunkID    `json:"chunk"`
	Span     [2]int            `json:"span"`
	Versions []tool.Version    `json:"versions,omitempty"`
	Passage  *passageTape      `json:"passage,omitempty"`
}

type passageTape struct {
	Document        corpus.DocumentID      `json:"document"`
	KnowledgeBase   access.KnowledgeBaseID `json:"knowledge_base"`
	BaseName        string                 `json:"knowledge_base_name,omitempty"`
	Key             corpus.Key             `json:"doc_key"`
	Version         int                    `json:"version"`
	Status          access.Status          `json:"status"`
	Title           string                 `json:"title"`
	SourceURI       string                 `json:"source_uri,omitempty"`
	Chunk           corpus.ChunkID         `json:"chunk"`
	Chunks          []corpus.ChunkID       `json:"chunks,omitempty"`
	Locator         json.RawMessage        `json:"locator,omitempty"`
	Span            [2]int                 `json:"span"`
	Text            string                 `json:"text"`
	Segments        []segmentTape          `json:"segments,omitempty"`
	Context         string                 `json:"context,omitempty"`
	TruncatedBefore bool                   `json:"truncated_before,omitempty"`
	TruncatedAfter  bool                   `json:"truncated_after,omitempty"`
}

type segmentTape struct {
	Span    [2]int          `json:"span"`
	Locator json.RawMessage `json:"locator,omitempty"`
}

// Unpack reads what Pack wrote, in any version.
func Unpack(raw []byte) (Recording, error) {
	var r tapeRecord
	if err := json.Unmarshal(raw, &r); err != nil {
		return Recording{}, problem.Wrap(err, problem.Internal, "record", "A stored recording can't be read.")
	}
	if r.V != tapeVersion {
		return Recording{}, problem.New(problem.Internal, "record", "A stored recording has version %d, which this program does not know.", r.V)
	}
	return r.recording()
}
