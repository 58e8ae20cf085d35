//go:build race

package export_test

const racing = true
