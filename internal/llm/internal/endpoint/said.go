package endpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/textproto"
	"strings"
)

// mostSaid is how much of an error an endpoint is listened to, in bytes.
const mostSaid = 64 << 10

// fingerprint tells data apart for a log without any of its content: by length and hash.
func fingerprint(data []byte) string {
	sum := sha256.Sum256(data)
	return fmt.Sprintf("%d bytes (sha256 %s)", len(data), hex.EncodeToString(sum[:8]))
}

// wordless returns an error of a broken exchange without the words of the other side: net/http
// puts what it could not read into quotation marks, or behind the name of a broken header.
func wordless(err error) error {
	var header textproto.ProtocolError
	if errors.As(err, &header) {
		return errors.New("malformed header in the response")
	}
	if said, _, found := strings.Cut(err.Error(), `"`); found {
		return errors.New(strings.TrimRight(said, " :"))
	}
	return err
}
