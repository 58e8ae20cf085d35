package agent

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis/topic"
	"github.com/kaoju/kaoju/internal/run"
)

// Names of the tools that routes list. The tools themselves are registered by the binary.
const (
	searchTool  = "search_knowledge"
	readTool    = "read_document"
	historyTool = "read_document_version"
)

// routeTools lists the tools that exist for the model in each route. Write tools are in none.
var routeTools = map[run.Route][]string{
	run.Direct:      nil,
	run.Refuse:      nil,
	run.FixedRAG:    {searchTool},
	run.Summary:     {searchTool},
	run.AgenticRAG:  {searchTool, readTool},
	run.Draft:       {searchTool, readTool},
	run.VersionTool: {searchTool, readTool, historyTool},
}

func knownRoute(r run.Route) bool {
	_, ok := routeTools[r]
	return ok
}

// fixed reports whether the runtime itself retrieves before the model's only turn.
func fixed(r run.Route) bool { return r == run.FixedRAG || r == run.Summary }

// route chooses the route of a request before any model turn. A requested route that this actor
// may not use, or that lacks one of its tools on this server, becomes refuse, in the same shape.
func (a *Agent) route(req Request, scope access.Scope) (route run.Route, by string) {
	route, by = req.Route, "client"
	if route == "" {
		route, by = ruleRoute(req), "rule"
	}
	past := !req.AsOf.IsZero()
	if (route == run.VersionTool || past) && !scope.Has(access.KnowledgeAdmin) {
		return run.Refuse, by
	}
	if past && route != run.VersionTool && route != run.AgenticRAG {
		return run.Refuse, by
	}
	if route == run.Direct && !smallTalk(req.Goal) {
		// Without documents nothing of the answer could be checked.
		return run.Refuse, by
	}
	if req.Kind == run.ForDraft && route != run.Draft || req.Kind == run.ForAnswer && route == run.Draft {
		return run.Refuse, by
	}
	if len(a.deps.Executor.Specs(routeTools[route])) != len(routeTools[route]) {
		return run.Refuse, by
	}
	return route, by
}

// ruleRoute is the rule for requests that name no route.
func ruleRoute(req Request) run.Route {
	switch {
	case req.Kind == run.ForDraft:
		return run.Draft
	case !req.AsOf.IsZero():
		return run.AgenticRAG
	case smallTalk(req.Goal):
		return run.Direct
	}
	if _, ok := topic.Summary(req.Goal); ok {
		return run.Summary
	}
	return run.AgenticRAG
}

// smallTalk reports whether a goal is a greeting or about Kaoju, so that it needs no documents.
func smallTalk(goal string) bool {
	goal = plain(goal)
	return slices.Contains(greetings, goal) || aboutKaoju(goal)
}

var greetings = []string{
	"你好", "您好", "你好吗", "嗨", "早上好", "下午好", "晚上好", "谢谢", "谢谢你", "再见",
	"hi", "hello", "hey", "goodmorning", "goodafternoon", "goodevening", "thanks", "thankyou", "bye", "goodbye",
}

// aboutKaoju recognises short questions about the product itself, not about what is in it.
func aboutKaoju(goal string) bool {
	return slices.Contains([]string{
		"你是谁", "你叫什么", "你叫什么名字", "你能做什么", "你可以做什么", "你会什么", "怎么用", "考据是什么", "什么是考据",
		"whoareyou", "whatareyou", "whatcanyoudo", "howdoyouwork", "whatiskaoju",
	}, goal)
}

// plain lower-cases a goal and drops everything but letters and digits.
func plain(goal string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, goal)
}
