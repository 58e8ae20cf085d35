package run

import "github.com/kaoju/kaoju/internal/citation"

// What a run tells of its answer, beside what the answer says: stable words, each with sentences for
// people wherever an answer is shown or given out.
const (
	// ScopeChanged is the notice of a run that lost something which it had in sight.
	ScopeChanged = "scope_changed"
	// Erased is the notice of a run of which something that it leaned on was erased.
	Erased = "erased"
	// LocalOnly is the notice of a run whose tenant sends nothing to models elsewhere.
	LocalOnly = "local_only"
	// ByRules is the notice of an answer that no model wrote.
	ByRules = "extracted_by_rules"
	// RulesFallback is the notice of one that no model wrote since none was to be had.
	RulesFallback = "rules_fallback"
	// VerifierFailed is the notice of an answer on whose sentences a verifier was to be asked in vain:
	// they are checked by the rules alone.
	VerifierFailed = "verifier_failed"

	// MachineWordsLeftOut is the notice of a run that read a sentence about what was asked which is addressed to machines.
	MachineWordsLeftOut = "machine_words_left_out"

	NotBasedOnDocuments = "not_based_on_documents"
	PastVersions        = "as_of" // the answer is from the versions in force at an earlier time
	SourceTruncated     = "source_truncated"
	WordsOnly           = "words_only" // there was no search by meaning
	NotReranked         = "not_reranked"
	OutputTruncated     = "output_truncated"
	OutputFiltered      = "output_filtered"
	AddressesWithheld   = "addresses_withheld"
)

// Notices are all of them.
func Notices() []string {
	return []string{
		ScopeChanged, Erased, LocalOnly, ByRules, RulesFallback, VerifierFailed, NotBasedOnDocuments, PastVersions, SourceTruncated, WordsOnly, NotReranked,
		OutputTruncated, OutputFiltered, AddressesWithheld, MachineWordsLeftOut, citation.SourcesDisagree,
	}
}
