package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// githubAPI is the only host that the stand-in answers for.
const githubAPI = "api.github.com"

// standIn answers for GitHub's API on this machine, from a repository here: OpenBench takes sources from GitHub only.
// It is a proxy for HTTPS, with a certificate of its own.
func standIn(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	listen := set.String("listen", "127.0.0.1:3128", "address of the proxy, on this machine")
	repository := set.String("repository", ".", "git repository with the branches")
	ca := set.String("ca", "github.pem", "file to which its certificate is written")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	if host, _, err := net.SplitHostPort(*listen); err != nil {
		return err
	} else if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("-listen: %s is not an address of the loopback interface, such as 127.0.0.1", host)
	}
	repo := repo(*repository)
	if _, err := repo.git(ctx, "rev-parse", "--git-dir"); err != nil {
		return err
	}
	certificate, err := selfSigned(githubAPI)
	if err != nil {
		return err
	}
	block := &pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]}
	if err := os.WriteFile(*ca, pem.EncodeToMemory(block), 0o644); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	path, err := filepath.Abs(*ca)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "export HTTPS_PROXY=http://%s REQUESTS_CA_BUNDLE=%s\n", listener.Addr(), path)
	return serve(ctx, listener, &proxy{tls: &tls.Config{Certificates: []tls.Certificate{certificate}},
		api: repo.handler()})
}

// serve serves until ctx ends.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// selfSigned makes a certificate of a host.
func selfSigned(host string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(now.UnixNano()),
		Subject:               pkix.Name{CommonName: "stand-in for " + host},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.AddDate(1, 0, 0),
		DNSNames:              []string{host},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

// A proxy answers CONNECT to githubAPI itself and refuses all else.
type proxy struct {
	tls *tls.Config
	api http.Handler
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect || r.Host != githubAPI+":443" {
		http.Error(w, "this proxy answers for "+githubAPI+" only", http.StatusForbidden)
		return
	}
	conn, _, err := http.NewResponseController(w).Hijack() // the client sends nothing more before the answer
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		conn.Close()
		return
	}
	// The connection is a listener that accepts once, and then waits until it is closed.
	once := &oneConn{conn: tls.Server(conn, p.tls), done: make(chan struct{})}
	server := &http.Server{Handler: p.api, ReadHeaderTimeout: time.Minute, ConnState: func(_ net.Conn, s http.ConnState) {
		if s == http.StateClosed {
			once.Close()
		}
	}}
	server.Serve(once)
}

// oneConn is a listener for one connection.
type oneConn struct {
	conn  net.Conn
	done  chan struct{}
	close sync.Once
}

func (l *oneConn) Accept() (net.Conn, error) {
	if c := l.conn; c != nil {
		l.conn = nil
		return c, nil
	}
	<-l.done
	return nil, net.ErrClosed
}

func (l *oneConn) Close() error {
	l.close.Do(func() { close(l.done) })
	return nil
}

func (l *oneConn) Addr() net.Addr { return &net.TCPAddr{} }

// repo is the path of a git repository.
type repo string

// git runs git and returns its output.
func (r repo) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", string(r)}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return stdout.Bytes(), nil
}

// revision matches names of branches, tags and commits that are safe as arguments.
var revision = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./+-]*$`)

// commit is a commit as GitHub describes it, as far as OpenBench reads that.
func (r repo) commit(ctx context.Context, name string) (map[string]any, error) {
	if !revision.MatchString(name) {
		return nil, fmt.Errorf("%q is not the name of a branch, a tag or a commit", name)
	}
	sha, err := r.git(ctx, "rev-parse", "--verify", "--end-of-options", name+"^{commit}")
	if err != nil {
		return nil, err
	}
	hash := strings.TrimSpace(string(sha))
	message, err := r.git(ctx, "log", "-1", "--format=%B", hash)
	if err != nil {
		return nil, err
	}
	return map[string]any{"sha": hash, "commit": map[string]any{"message": strings.TrimSpace(string(message))}}, nil
}

// handler answers the requests of OpenBench to GitHub's API, whatever the owner and the name of the repository.
func (r repo) handler() http.Handler {
	mux := http.NewServeMux()
	answer := func(pattern string, f func(r *http.Request) (any, error)) {
		mux.HandleFunc("GET /repos/{owner}/{name}/"+pattern, func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			v, err := f(q)
			if err != nil {
				w.WriteHeader(http.StatusNotFound)
				v = map[string]string{"message": err.Error()}
			}
			json.NewEncoder(w).Encode(v)
		})
	}
	answer("branches/{ref...}", func(q *http.Request) (any, error) {
		commit, err := r.commit(q.Context(), q.PathValue("ref"))
		return map[string]any{"commit": commit}, err
	})
	answer("commits/{ref...}", func(q *http.Request) (any, error) { return r.commit(q.Context(), q.PathValue("ref")) })
	answer("compare/{refs}", func(q *http.Request) (any, error) {
		from, to, ok := strings.Cut(q.PathValue("refs"), "...")
		if !ok || !revision.MatchString(from) || !revision.MatchString(to) {
			return nil, fmt.Errorf("%q is not COMMIT...COMMIT", q.PathValue("refs"))
		}
		count, err := r.git(q.Context(), "rev-list", "--count", "--end-of-options", from+".."+to)
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(count)))
		return map[string]int{"ahead_by": n}, err
	})
	mux.HandleFunc("GET /repos/{owner}/{name}/zipball/{ref...}", func(w http.ResponseWriter, q *http.Request) {
		ref := q.PathValue("ref")
		if !revision.MatchString(ref) {
			http.NotFound(w, q)
			return
		}
		archive, err := r.git(q.Context(), "archive", "--format=zip", "--prefix=source/", "--end-of-options", ref)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/zip")
		w.Write(archive)
	})
	return mux
}
