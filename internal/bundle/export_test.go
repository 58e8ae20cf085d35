package bundle

// HashForTest is the hash that excerpts and answers are known by.
func HashForTest(text string) string { return hash(text) }
