// Package parse turns the bytes of an original into normalised text with structure and places.
package parse
