package index

// Parts returns how many merged segments a set has.
func Parts(s *Set) int { return len(s.parts) }

// Held returns how many chunks a set keeps in memory, dead ones too.
func Held(s *Set) int {
	n := 0
	for _, p := range s.parts {
		n += p.segment.Chunks()
	}
	return n
}
