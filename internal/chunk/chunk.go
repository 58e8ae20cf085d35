// Package chunk cuts parsed documents into chunks that keep their places.
package chunk
