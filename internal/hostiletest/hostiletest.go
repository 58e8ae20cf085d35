// Package hostiletest holds what the product does when its surroundings turn on it: endpoints that
// misbehave in every way a list of faults names, and documents, names, memories and questions that
// try to talk a model into something.
//
// Each fault and each injection is played against the whole product over a real corpus, with models
// that obey whatever they read. The package's tests wire everything together; there is nothing else
// in it.
package hostiletest
