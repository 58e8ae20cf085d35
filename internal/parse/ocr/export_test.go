package ocr

// Table is table, for the test that feeds it with anything.
var Table = table
