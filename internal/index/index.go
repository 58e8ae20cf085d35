// Package index holds the search structures: immutable segments of postings and a top-k search
// that tests permission inside the match loop.
package index
