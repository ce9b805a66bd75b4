package queue

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Identity is who a worker is: a key that it makes at its start, and a name that ends with a hash of the
// key. So no other worker can have its name or speak in its name.
type Identity struct {
	name string
	key  ed25519.PrivateKey
}

// MaxName is the length of the longest name of a worker, in bytes, without the hash of its key.
const MaxName = 100

// NewIdentity makes a key. The name of the identity begins with this one, shortened to MaxName.
func NewIdentity(name string) *Identity {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err) // rand.Reader does not fail
	}
	name = strings.ToValidUTF8(name[:min(len(name), MaxName)], "") // JSON has no other text
	return &Identity{name: name + "-" + fingerprint(public), key: key}
}

// Name is the name of the worker: NAME-HASH.
func (i *Identity) Name() string { return i.name }

// signature is what a worker adds to a message.
type signature struct {
	Key       []byte `json:"key,omitempty"`       // public, ed25519
	Signature []byte `json:"signature,omitempty"` // of the message as signedResult and signedStatus write it
}

// sign signs what signedResult or signedStatus has written.
func (i *Identity) sign(text []byte) signature {
	return signature{i.key.Public().(ed25519.PublicKey), ed25519.Sign(i.key, text)}
}

// errUnsigned is the error of a message that its worker has not signed.
var errUnsigned = errors.New("it is not signed by the worker that it names")

// verify checks that the worker of this name has signed a text.
func (s *signature) verify(worker string, text []byte) error {
	if len(s.Key) != ed25519.PublicKeySize || len(worker) > MaxName+1+fingerprintLength ||
		!strings.HasSuffix(worker, "-"+fingerprint(s.Key)) || !ed25519.Verify(s.Key, text, s.Signature) {
		return errUnsigned
	}
	return nil
}

const (
	fingerprintBytes  = 10
	fingerprintLength = fingerprintBytes * 8 / 5
)

// fingerprint is the part of a name that is bound to a key: 80 bits of a hash, in letters and digits.
func fingerprint(key ed25519.PublicKey) string {
	h := sha256.Sum256(key)
	return strings.ToLower(base32.StdEncoding.EncodeToString(h[:fingerprintBytes]))
}

// encode writes fields so that no others give the same bytes: each one after its length. The first says
// what they mean.
func encode(fields ...string) (b []byte) {
	for _, f := range fields {
		b = binary.BigEndian.AppendUint64(b, uint64(len(f)))
		b = append(b, f...)
	}
	return b
}

// signedResult is what the worker of a result of a run signs.
func signedResult(run string, m *resultMessage) []byte {
	return encode("trefoil-queue result 2", run, m.Job, m.Worker, string(m.Body))
}

// signedStatus is what a worker signs of its sign of life.
func signedStatus(s *WorkerStatus) []byte {
	return encode("trefoil-queue worker 1", s.Version, s.Worker,
		fmt.Sprint(s.Done), fmt.Sprint(s.Time), fmt.Sprint(s.Ended))
}

// maxSkew is how far the clocks of a worker and of the coordinator may differ. An older sign of life does
// not count, so that nobody can keep a dead worker alive for longer by sending its signs of life again.
const maxSkew = 10 * time.Minute

// verify checks a sign of life under a key of the bucket of workers.
func (s *WorkerStatus) verify(key string) error {
	if err := s.signature.verify(s.Worker, signedStatus(s)); err != nil {
		return err
	}
	if token(s.Worker) != key {
		return errors.New("it stands at the place of another worker")
	}
	if age := time.Since(time.UnixMilli(s.Time)); age.Abs() > maxSkew {
		return fmt.Errorf("by its clock it is from %v: the message is old, or the clock wrong",
			time.UnixMilli(s.Time).UTC().Format(time.DateTime))
	}
	return nil
}
