package api

import "time"

// Conversation is one of the caller's own conversations. Title is its first question, cut short.
type Conversation struct {
	ConversationID string    `json:"conversation_id"`
	Title          string    `json:"title"`
	Runs           int       `json:"runs"`
	UpdatedAt      time.Time `json:"updated_at"`
}

// Memory is what is remembered of a conversation: a clue for understanding its next question, made
// of the caller's own questions. It is never evidence.
type Memory struct {
	Summary   string    `json:"summary"`
	UpdatedAt time.Time `json:"updated_at"`
}
