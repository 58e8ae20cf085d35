package httpapi

import "reflect"

// isNil reports whether an interface holds a nil pointer.
func isNil(v any) bool { return reflect.ValueOf(v).IsNil() }
