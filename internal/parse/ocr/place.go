package ocr

// Folders are where a program of the system finds its libraries and what it knows of languages. A process
// that may read no other files needs them to run one.
func Folders() []string {
	return []string{
		"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib",
		"/usr/share/tesseract-ocr", "/usr/share/tessdata", "/usr/local/share/tessdata",
	}
}

// Files are the single files that such a program reads.
func Files() []string { return []string{"/etc/ld.so.cache"} }
