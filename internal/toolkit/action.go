package toolkit

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/tool"
)

// CreateTask is the name of the built-in tool that records a task.
const CreateTask = "create_task"

// ByDecision is a tool whose effect is in the store: it is written with the decision that approves
// the call, and never by running the tool.
type ByDecision struct{ spec tool.Spec }

// Spec describes the tool.
func (b ByDecision) Spec() tool.Spec { return b.spec }

// Call refuses: there is nothing to run.
func (b ByDecision) Call(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{}, failure(tool.NotAllowed, "This tool is not run: its effect is part of the decision.")
}

const object = `"object_id": {"type": "string", "minLength": 1, "maxLength": 200, "description": "The document, by its id."},
		"version": {"type": "string", "minLength": 1, "maxLength": 20, "description": "The number of its version in force, as the caller last saw it."}`

// NewCreateTask makes the tool that records a task about a version of a document.
func NewCreateTask() ByDecision {
	return ByDecision{tool.Spec{
		Name: CreateTask, Description: "Records a task about a document, which whoever proposed it sees, and its owner if that is a person of the tenant.", Sensitivity: tool.Write,
		Schema: json.RawMessage(`{
	"type": "object",
	"additionalProperties": false,
	"required": ["object_id", "version", "title"],
	"properties": {
		` + object + `,
		"title": {"type": "string", "minLength": 1, "maxLength": 500, "description": "What is to be done."},
		"owner": {"type": "string", "minLength": 1, "maxLength": 64, "description": "Who is to do it. A person of the tenant, by their id, may then see the task. Anybody else is a word in it, which gives nobody a right."}
	}
}`),
	}}
}

const exportSchema = `{
	"type": "object",
	"additionalProperties": false,
	"required": ["object_id", "version"],
	"properties": {
		` + object + `
	}
}`

// NewExportDocument makes the tool that gives out the full text of the version in force.
func NewExportDocument() ByDecision {
	return ByDecision{tool.Spec{
		Name: approval.ExportDocument, Description: "Gives out the full text of a document's version in force.",
		Sensitivity: tool.SensitiveRead, Schema: json.RawMessage(exportSchema),
	}}
}

// NewExportHistory makes the tool that gives out the full text of all versions of a document.
func NewExportHistory() ByDecision {
	return ByDecision{tool.Spec{
		Name: approval.ExportHistory, Description: "Gives out the full text of all versions of a document.",
		Sensitivity: tool.SensitiveRead, Schema: json.RawMessage(exportSchema), Role: access.KnowledgeAdmin,
	}}
}
