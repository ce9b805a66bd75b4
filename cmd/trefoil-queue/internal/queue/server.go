package queue

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/tls"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"golang.org/x/crypto/bcrypt"

	"trefoil/internal/atomicfile"
)

// ServerOptions say how to start a Server.
type ServerOptions struct {
	// Dir is the folder of its state. It is created if it does not exist:
	//
	//	coordinator.url  the address with the password of coordinators; only its owner can read it
	//	worker.url       likewise, for workers
	//	jetstream/       the streams
	Dir string
	// Listen is HOST:PORT, "" for a free port of 127.0.0.1.
	Listen string
	// TLSCert and TLSKey are files. Without them connections are not encrypted.
	TLSCert, TLSKey string
	// MaxStore limits the streams, in bytes; 0 is no limit but the disk. The limit that NATS takes by
	// default, three quarters of what is free at the start, would stay where the disk grows.
	MaxStore int64
	// Warn prints a message for the user.
	Warn func(format string, args ...any)
}

// Server is a NATS server with JetStream in this process. Its two users have random passwords, which stand
// in files of its folder.
type Server struct {
	dir                 string
	coordinator, worker user
	server              *server.Server
	log                 *serverLog
	unlock              func()
}

// user is a user of a Server.
type user struct{ name, password string }

// configuration has the accounts, users and rights of a Server, and may configure another NATS server.
//
//go:embed nats.conf
var configuration string

// Serve starts a server. One folder has one server at a time.
func Serve(o ServerOptions) (s *Server, err error) {
	host, port, err := listen(o.Listen)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	s = &Server{dir: o.Dir}
	if s.unlock, err = atomicfile.Lock(filepath.Join(o.Dir, "server")); errors.Is(err, atomicfile.ErrBusy) {
		return nil, fmt.Errorf("%s: another process serves this queue; join it by --queue %s", o.Dir, s.CoordinatorFile())
	} else if err != nil {
		return nil, err
	}
	if err := s.start(o, host, port); err != nil {
		s.Close()
		return nil, fmt.Errorf("queue in %s: %w", o.Dir, err)
	}
	return s, nil
}

// CoordinatorFile is the file with the address and the password of coordinators.
func (s *Server) CoordinatorFile() string { return filepath.Join(s.dir, "coordinator.url") }

// WorkerFile is the file with the address and the password of workers.
func (s *Server) WorkerFile() string { return filepath.Join(s.dir, "worker.url") }

// Address is where the server listens, HOST:PORT.
func (s *Server) Address() string { return s.server.Addr().String() }

// Failed is closed when the server can write no more; Err says why.
func (s *Server) Failed() <-chan struct{} { return s.log.failed }

// Err is why the server can write no more, nil if it can.
func (s *Server) Err() error {
	err := s.log.failure()
	if err == nil {
		return nil
	}
	return fmt.Errorf("the queue in %s ends because it cannot be written; what it holds is not lost: %w", s.dir, err)
}

// Close ends the server. What the streams hold stays in the folder.
func (s *Server) Close() {
	if s.server != nil {
		s.log.close()
		s.server.Shutdown()
		s.server.WaitForShutdown()
	}
	s.unlock()
}

func (s *Server) start(o ServerOptions, host string, port int) (err error) {
	options, err := s.configure()
	if err != nil {
		return err
	}
	options.ServerName, options.Host, options.Port, options.NoSigs = "trefoil", host, port, true
	options.StoreDir, options.JetStreamMaxStore = filepath.Join(o.Dir, "jetstream"), cmp.Or(o.MaxStore, 1<<50)
	options.DisableJetStreamBanner = true
	if o.TLSCert != "" || o.TLSKey != "" {
		pair, err := tls.LoadX509KeyPair(o.TLSCert, o.TLSKey)
		if err != nil {
			return err
		}
		options.TLS, options.TLSTimeout = true, 5
		options.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	if s.server, err = server.NewServer(options); err != nil {
		return err
	}
	s.log = &serverLog{warn: o.Warn, said: map[string]bool{}, failed: make(chan struct{})}
	s.server.SetLoggerV2(s.log, false, false, false)
	go s.server.Start()
	for !s.server.ReadyForConnections(100 * time.Millisecond) {
		if err := s.log.failure(); err != nil {
			return err
		}
	}
	if !s.server.JetStreamEnabled() {
		return errors.New("JetStream did not start")
	}
	return s.writeURLs(o, host)
}

// configure returns the options of the configuration, with hashes of the passwords.
func (s *Server) configure() (*server.Options, error) {
	s.coordinator.name, s.worker.name = "coordinator", "worker"
	var passwords []string
	for _, u := range []struct {
		*user
		file, variable string
	}{{&s.coordinator, s.CoordinatorFile(), "$COORDINATOR"}, {&s.worker, s.WorkerFile(), "$WORKER"}} {
		var err error
		if u.password, err = readPassword(u.file); err != nil {
			return nil, err
		}
		hash, err := bcrypt.GenerateFromPassword([]byte(u.password), bcrypt.MinCost) // a random password needs no more
		if err != nil {
			return nil, err
		}
		passwords = append(passwords, u.variable, strconv.Quote(string(hash)))
	}
	o := &server.Options{}
	return o, o.ProcessConfigString(strings.NewReplacer(passwords...).Replace(configuration))
}

// listen reads HOST:PORT.
func listen(text string) (host string, port int, err error) {
	if text == "" {
		return "127.0.0.1", server.RANDOM_PORT, nil
	}
	host, portText, err := net.SplitHostPort(text)
	if err != nil {
		return "", 0, fmt.Errorf("%q is not HOST:PORT", text)
	}
	port, err = strconv.Atoi(portText)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is not HOST:PORT: the port is not a whole number from 0 to 65535", text)
	}
	return host, cmp.Or(port, server.RANDOM_PORT), nil
}

// readPassword returns the password in the file of a user, so that the user stays welcome when the server
// starts again, or a new one. A link is not followed.
func readPassword(file string) (string, error) {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return rand.Text(), nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%w; remove it to get a new password", atomicfile.NotRegular(file, info))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if u, err := url.Parse(strings.TrimSpace(string(text))); err == nil && isURL(text) == nil && u.User != nil {
		if password, ok := u.User.Password(); ok && password != "" {
			return password, nil
		}
	}
	return "", fmt.Errorf("%s does not hold the address of a queue; remove it to get a new password", file)
}

// isURL is an atomicfile.Check for the files that writeURLs writes.
func isURL(head []byte) error {
	if !bytes.HasPrefix(head, []byte("nats://")) && !bytes.HasPrefix(head, []byte("tls://")) {
		return errors.New("not replaced: it is not the address of a queue")
	}
	return nil
}

// writeURLs writes the files of both users, and removes the file of an earlier version, which had one user.
func (s *Server) writeURLs(o ServerOptions, host string) error {
	_, port, err := net.SplitHostPort(s.Address())
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		if host, err = os.Hostname(); err != nil {
			return err
		}
	}
	u := url.URL{Scheme: "nats", Host: net.JoinHostPort(host, port)}
	if o.TLSCert != "" {
		u.Scheme = "tls"
	}
	for file, as := range map[string]user{s.CoordinatorFile(): s.coordinator, s.WorkerFile(): s.worker} {
		u.User = url.UserPassword(as.name, as.password)
		if err := atomicfile.WritePrivate(file, isURL, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, u.String())
			return err
		}); err != nil {
			return err
		}
	}
	old := filepath.Join(s.dir, "url")
	if info, err := os.Lstat(old); err == nil && info.Mode().IsRegular() {
		if text, err := os.ReadFile(old); err == nil && isURL(text) == nil {
			return os.Remove(old)
		}
	}
	return nil
}

// ReadURL returns the address that --queue names: a URL, or the first line of a file such as WorkerFile
// names.
func ReadURL(text string) (string, error) {
	if strings.Contains(text, "://") {
		return text, nil
	}
	content, err := os.ReadFile(text)
	if err != nil {
		return "", fmt.Errorf("%q is neither a URL such as nats://host:4222 nor a file that holds one: %w", text, err)
	}
	line, _, _ := strings.Cut(string(content), "\n")
	if line = strings.TrimSpace(line); !strings.Contains(line, "://") {
		return "", fmt.Errorf("%s: its first line is not a URL such as nats://host:4222", text)
	}
	return line, nil
}

// serverLog passes on what the server says of problems, the same only once.
type serverLog struct {
	warn   func(format string, args ...any)
	failed chan struct{} // closed with the first err

	mu     sync.Mutex
	said   map[string]bool
	err    error
	closed bool
}

func (l *serverLog) Warnf(format string, v ...any)  { l.say(fmt.Sprintf(format, v...)) }
func (l *serverLog) Errorf(format string, v ...any) { l.say(fmt.Sprintf(format, v...)) }
func (l *serverLog) Fatalf(format string, v ...any) { l.fail(fmt.Sprintf(format, v...)) }
func (*serverLog) Noticef(string, ...any)           {}
func (*serverLog) Debugf(string, ...any)            {}
func (*serverLog) Tracef(string, ...any)            {}

func (l *serverLog) say(text string) {
	// A server whose write has failed only says so; it does not answer the callers that wait for it.
	if _, cause, found := strings.Cut(text, "ritical write error: "); found {
		l.fail(cause)
		return
	}
	if strings.Contains(text, "tream state ") {
		return // the index of a stream does not fit, as after a kill, and is made again of the messages
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	kind := strings.Map(func(r rune) rune { // without addresses and numbers of connections
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
	if l.err == nil && !l.closed && !l.said[kind] && len(l.said) < 1000 {
		l.said[kind] = true
		l.warn("queue server: %s", text)
	}
}

func (l *serverLog) fail(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil && !l.closed {
		l.err = errors.New(text)
		close(l.failed)
	}
}

func (l *serverLog) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// close ends the messages.
func (l *serverLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}
