package run

// EndedBodyOf makes entries of earlier forms.
var EndedBodyOf = endedBody
