package index

// Parts returns how many merged segments a set has.
func Parts(s *Set) int { return len(s.parts) }
