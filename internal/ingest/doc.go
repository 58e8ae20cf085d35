// Package ingest takes originals in and turns them into published versions: upload, parse,
// chunk, index, publish, as durable jobs.
package ingest
