//go:build race

package pdf_test

const racing = true
