package rules

func commands(string) bool { return false }
