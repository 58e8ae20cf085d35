package llm

import (
	"context"
	"errors"
	"time"
)

// Cause says in a closed word what went wrong with a model call. It may stand in events and logs,
// since no endpoint has a say in it.
type Cause string

// The causes.
const (
	Unreached     Cause = "connect"        // refused, unknown name, no TLS, cut off before the first byte
	Silent        Cause = "timeout"        // silence, or too long in all
	RateLimited   Cause = "rate_limited"   // status 429 to the end
	Overloaded    Cause = "unavailable"    // status 5xx to the end
	Unauthorized  Cause = "unauthorized"   // the key is refused
	Unpaid        Cause = "unpaid"         // the account is empty
	ContextLength Cause = "context_length" // the request is longer than the model reads
	ToolsRefused  Cause = "tools_refused"  // the model or its server knows no tools
	Rejected      Cause = "rejected"       // any other status
	BrokenOff     Cause = "broken_off"     // the response ended too early
	Malformed     Cause = "malformed"      // the response is not of the protocol
	OutputLimit   Cause = "output_limit"   // the response is longer than is taken in
)

// Fault is the cause inside the *problem.Error of a failed call.
type Fault struct {
	Cause Cause
	Err   error // for logs; it holds nothing that the endpoint said
}

// Error names the cause and what is known of it.
func (f *Fault) Error() string {
	if f.Err == nil {
		return string(f.Cause)
	}
	return string(f.Cause) + ": " + f.Err.Error()
}

// Unwrap returns what is known of the cause.
func (f *Fault) Unwrap() error { return f.Err }

// CauseOf returns the cause of a failed call; "" if the error tells none.
func CauseOf(err error) Cause {
	if f := (*Fault)(nil); errors.As(err, &f) {
		return f.Cause
	}
	return ""
}

// Condition says how an endpoint last answered.
type Condition string

// The conditions. One that was not asked yet is Untried; one that refuses the key, or wants to be
// paid, needs its administrator and does not get well by itself.
const (
	Untried Condition = "untried"
	Well    Condition = "ok"
	Failing Condition = "failing"
	Locked  Condition = "unauthorized"
	Empty   Condition = "unpaid"
)

// Health is the condition of an endpoint, and since when.
type Health struct {
	Condition Condition
	Since     time.Time // of the first call that found it so; zero if it is Untried
}

// Monitored is a generator that knows how its endpoint is. Nothing is sent to find out.
type Monitored interface {
	Health() Health
}

// Probed is a generator whose endpoint can be asked whether it is there and takes the key. Nothing
// but the key is sent. An error is one of Generator's.
type Probed interface {
	Probe(ctx context.Context) error
}

// Place says whether the host of an endpoint counts as part of the operator's own premises.
type Place string

// The places. By its address a host is local only if it is this machine: an operator declares that
// a machine of their own network is Local, and that a relay on this machine is Remote.
const (
	ByAddress Place = ""
	Local     Place = "local"
	Remote    Place = "remote"
)
