package queue

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"trefoil/internal/filetest"
)

// certificate writes a certificate for 127.0.0.1 that vouches for itself, and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "queue"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, b []byte) string {
		return filetest.New(t, name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}))
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", pkcs8)
}

// works lets a coordinator and a worker of two connections do some jobs.
func works(t *testing.T, coordinator, worker Options) {
	t.Helper()
	q := connect(t, coordinator)
	worker.Worker = true
	stop := startWorker(t, connect(t, worker), Worker{NewIdentity("w"), "1"}, square)
	c := newSquares(3)
	if err := q.Coordinate(t.Context(), task(t.Name()), c); err != nil || c.judged > 0 {
		t.Errorf("%v, %d judged", err, c.judged)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// refused expects that a connection fails with a text in its error, which has no password.
func refused(t *testing.T, o Options, want string) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	o.Warn = func(format string, args ...any) { // a server that answers too late the first time is asked again
		if text := fmt.Sprintf(format, args...); strings.Contains(text, want) {
			cancel(errors.New(text))
		}
	}
	q, err := Connect(ctx, o)
	if err == nil {
		q.Close()
	}
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v; want %q", err, want)
	}
}

// TestTLS: a server with a certificate talks to those who trust it, with the password.
func TestTLS(t *testing.T) {
	cert, key := certificate(t)
	s := serve(t, ServerOptions{TLSCert: cert, TLSKey: key})
	url, err := ReadURL(s.WorkerFile())
	if err != nil || !strings.HasPrefix(url, "tls://worker:") {
		t.Fatal(url, err)
	}
	works(t, Options{Server: s}, Options{URL: url, TLSCA: cert})
	refused(t, Options{URL: url}, "certificate")
	refused(t, Options{URL: url, TLSCA: "nowhere"}, "nowhere")
	refused(t, Options{URL: url, TLSCA: cert, TLSCert: "nowhere", TLSKey: "nowhere"}, "nowhere")
	other, _ := certificate(t)
	refused(t, Options{URL: url, TLSCA: other}, "certificate")
	refused(t, Options{URL: "tls://worker:secret@" + s.Address(), TLSCA: cert}, "Authorization")
	refused(t, Options{URL: "tls://" + s.Address(), TLSCA: cert}, "Authorization")
}

// TestRefusedLater: a server that comes, or comes back, and refuses the password ends a connection that
// waits for it, and the coordinator that has it.
func TestRefusedLater(t *testing.T) {
	first := serve(t, ServerOptions{})
	address := first.Address()
	url, err := ReadURL(first.CoordinatorFile())
	if err != nil {
		t.Fatal(err)
	}
	m := newMessages(t)
	q, err := Connect(t.Context(), Options{URL: url, Warn: m.warn, Heartbeat: time.Hour}) // no heartbeat is to find it
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	done := make(chan error)
	began := make(chan struct{})
	go func() { done <- q.Coordinate(t.Context(), task("a"), &started{newSquares(1), began}) }()
	<-began
	first.Close()
	go func() {
		_, err := Connect(t.Context(), Options{URL: url, Warn: m.warn})
		done <- err
	}()
	m.wait("does not answer")
	serve(t, ServerOptions{Listen: address})
	for range 2 {
		select {
		case err := <-done:
			if err == nil || !strings.Contains(strings.ToLower(err.Error()), "authorization") {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Fatal("it still waits")
		}
	}
}

// started tells when a coordinator is asked for its first job.
type started struct {
	*squares
	began chan struct{}
}

func (s *started) Next() (Request, bool) {
	r, ok := s.squares.Next()
	if ok {
		close(s.began)
	}
	return r, ok
}

// natsServer starts a NATS server and returns its address.
func natsServer(t *testing.T, o *server.Options) string {
	t.Helper()
	o.Host, o.Port, o.NoSigs, o.JetStream, o.StoreDir = "127.0.0.1", server.RANDOM_PORT, true, true, t.TempDir()
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return "nats://" + s.Addr().String()
}

// configured starts another server with the configuration of a Server and returns how coordinators and
// workers reach it.
func configured(t *testing.T) (coordinator, worker Options, o *server.Options) {
	t.Helper()
	t.Setenv("COORDINATOR", "secret1")
	t.Setenv("WORKER", "secret2")
	text := strings.ReplaceAll(configuration, "/var/lib/nats", t.TempDir())
	o, err := server.ProcessConfigFile(filetest.New(t, "nats.conf", text))
	if err != nil {
		t.Fatal(err)
	}
	url := natsServer(t, o)
	return Options{URL: url, User: "coordinator", Password: "secret1"},
		Options{URL: url, User: "worker", Password: "secret2", Worker: true}, o
}

// TestConfiguration: another server with the configuration of a Server serves as well, and flushes all.
func TestConfiguration(t *testing.T) {
	coordinator, worker, o := configured(t)
	works(t, coordinator, worker)
	refused(t, Options{URL: worker.URL, User: "worker", Password: "secret1"}, "Authorization")
	if !o.SyncAlways {
		t.Error("sync_interval")
	}
}

// TestCredentials: NKeys, and JWTs of an operator.
func TestCredentials(t *testing.T) {
	pair := func(key nkeys.KeyPair, err error) (nkeys.KeyPair, string, []byte) {
		t.Helper()
		public, err1 := key.PublicKey()
		seed, err2 := key.Seed()
		if err != nil || err1 != nil || err2 != nil {
			t.Fatal(err, err1, err2)
		}
		return key, public, seed
	}
	_, public, seed := pair(nkeys.CreateUser())
	url := natsServer(t, &server.Options{Nkeys: []*server.NkeyUser{{Nkey: public}}})
	o := Options{URL: url, NKey: filetest.New(t, "user.nk", seed)}
	works(t, o, o)
	refused(t, Options{URL: url, NKey: "nowhere"}, "nowhere")
	_, _, other := pair(nkeys.CreateUser())
	refused(t, Options{URL: url, NKey: filetest.New(t, "other.nk", other)}, "Authorization")

	operator, operatorKey, _ := pair(nkeys.CreateOperator())
	account, accountKey, _ := pair(nkeys.CreateAccount())
	_, systemKey, _ := pair(nkeys.CreateAccount())
	_, userKey, userSeed := pair(nkeys.CreateUser())
	encode := func(claims jwt.Claims, by nkeys.KeyPair) string {
		t.Helper()
		text, err := claims.Encode(by)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	operatorClaims, accountClaims := jwt.NewOperatorClaims(operatorKey), jwt.NewAccountClaims(accountKey)
	operatorClaims.SystemAccount = systemKey
	accountClaims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1,
		Streams: -1, Consumer: -1}
	resolver := &server.MemAccResolver{}
	for key, claims := range map[string]*jwt.AccountClaims{accountKey: accountClaims,
		systemKey: jwt.NewAccountClaims(systemKey)} {
		if err := resolver.Store(key, encode(claims, operator)); err != nil {
			t.Fatal(err)
		}
	}
	trusted, err := jwt.DecodeOperatorClaims(encode(operatorClaims, operator))
	if err != nil {
		t.Fatal(err)
	}
	creds, err := jwt.FormatUserConfig(encode(jwt.NewUserClaims(userKey), account), userSeed)
	if err != nil {
		t.Fatal(err)
	}
	url = natsServer(t, &server.Options{TrustedOperators: []*jwt.OperatorClaims{trusted}, SystemAccount: systemKey,
		AccountResolver: resolver})
	o = Options{URL: url, Creds: filetest.New(t, "user.creds", creds)}
	works(t, o, o)
	refused(t, Options{URL: url, Creds: "nowhere"}, "nowhere")
	refused(t, Options{URL: url}, "Authorization")
}
