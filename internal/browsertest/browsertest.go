// Package browsertest opens the web interface in a real browser, over the real program with the
// demonstration's documents, and uses it as a person does.
//
// It needs Chromium. Without it the tests skip with a sentence, or fail where KAOJU_TEST_REQUIRE
// demands "browser". Every page of every test is held to the same: it reports no error, breaks its
// policy nowhere, and sends no request to anywhere but the server that it came from.
package browsertest
