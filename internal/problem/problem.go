// Package problem holds the few kinds of error that the whole product tells apart.
//
// A package that fails returns an *Error of one kind, with a stable code for programs and a
// detail for people; every edge (HTTP, command line, tool result) maps the kind once. Details
// never hold document text, secrets, or anything about an object the caller may not see.
package problem

import (
	"errors"
	"fmt"
)

// Kind says what a caller can do about an error. The zero Kind is Internal, so that an error
// nobody classified is never mistaken for a harmless one.
type Kind uint8

// The kinds. NotFound covers both "no such thing" and "not yours"; the two are never told apart.
const (
	Internal    Kind = iota // a fault of ours, or one nobody classified
	NotFound                // absent, or invisible to this actor
	Denied                  // no valid credentials, or the operation is not allowed to the role
	Invalid                 // the input is wrong; Fields may say where
	Conflict                // the state changed meanwhile, or does not permit the operation
	Expired                 // the time to do this is over
	Exhausted               // a limit or quota is used up
	Unavailable             // a dependency failed; trying again may help
)

// String returns the kind in lower case, for logs.
func (k Kind) String() string {
	names := [...]string{"internal", "not_found", "denied", "invalid", "conflict", "expired", "exhausted", "unavailable"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Field names one wrong part of an input by its JSON pointer (RFC 6901).
type Field struct {
	Pointer string
	Detail  string
}

// Error is an error with a kind. Code is a stable lower-case word that programs may depend on;
// Detail is a sentence for people. Err, if set, is the cause: it is for logs and never shown.
type Error struct {
	Kind   Kind
	Code   string
	Detail string
	Fields []Field
	Err    error
}

// Error joins detail and cause; edges show Detail alone.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Detail + ": " + e.Err.Error()
	}
	return e.Detail
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New makes an error of a kind. The format's arguments become part of Detail, so they must be
// fit for the eyes of whoever made the request.
func New(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Wrap makes an error of a kind around a cause that stays out of the detail.
func Wrap(err error, kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Detail: fmt.Sprintf(format, args...), Err: err}
}

// Missing is the one answer for an object that does not exist or may not be seen.
func Missing() *Error {
	return &Error{Kind: NotFound, Code: "not_found", Detail: "There is nothing here that you can see."}
}

// KindOf returns the kind of the outermost *Error in err's chain; Internal if there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// CodeOf returns the code of the outermost *Error in err's chain; "internal" if there is none.
func CodeOf(err error) string {
	var e *Error
	if errors.As(err, &e) && e.Code != "" {
		return e.Code
	}
	return "internal"
}

// Is reports whether err is of the kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }
