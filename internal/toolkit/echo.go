package toolkit

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/tool"
)

// EchoText is the name of the tool that gives a text back.
const EchoText = "echo"

const echoSchema = `{
	"type": "object",
	"required": ["text"],
	"properties": {"text": {"type": "string", "description": "What is given back as it is."}}
}`

// Echo gives a text back. It shows how a call is checked, and nothing else.
type Echo struct{}

// Spec describes the tool.
func (Echo) Spec() tool.Spec {
	return tool.Spec{
		Name: EchoText, Description: "Gives the text back as it is.", Schema: json.RawMessage(echoSchema), Sensitivity: tool.Read,
	}
}

// Call gives the text back.
func (Echo) Call(_ context.Context, call tool.Call) (tool.Result, error) {
	var args struct {
		Text string `json:"text"`
	}
	if err := arguments(call.Args, &args); err != nil {
		return tool.Result{}, err
	}
	content, err := json.Marshal(map[string]string{"text": args.Text})
	return tool.Result{Content: content}, err
}
