// Command bench compares searches under permissions, side by side in one process: this product's
// index, bleve with its filter inside the query, and SQLite FTS5 with the permission in the SQL.
// It is a module of its own, so that the product needs none of the other engines.
//
// The corpus is made from real texts in Chinese and English, cut into sentences and put together
// anew; queries are real questions, and words picked from the texts. Times are those of the thread
// that searches, so that what else runs on the machine spoils them little. The report is written
// as Markdown with a plot.
package main
