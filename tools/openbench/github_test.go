package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// repository makes a repository of two commits. The second commit is the branch next.
func repository(t *testing.T) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.org",
			"-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "--quiet", "--initial-branch=main")
	for _, branch := range []string{"main", "next"} {
		filetest.Write(t, filepath.Join(dir, "branch"), branch)
		git("checkout", "--quiet", "-B", branch)
		git("add", ".")
		git("commit", "--quiet", "--message", "Branch "+branch+"\n\nBench: 123")
	}
	return repo(dir)
}

// TestGitHub asks as OpenBench does: through the proxy, for a branch, a comparison and the sources.
func TestGitHub(t *testing.T) {
	r := repository(t)
	certificate, err := selfSigned(githubAPI)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go serve(t.Context(), listener,
		&proxy{tls: &tls.Config{Certificates: []tls.Certificate{certificate}}, api: r.handler()})
	known := x509.NewCertPool()
	authority, err := x509.ParseCertificate(certificate.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	known.AddCert(authority)
	address := &url.URL{Scheme: "http", Host: listener.Addr().String()}
	client := http.Client{Transport: &http.Transport{
		Proxy: http.ProxyURL(address), TLSClientConfig: &tls.Config{RootCAs: known}, DisableKeepAlives: true}}
	get := func(path string) (int, []byte) {
		t.Helper()
		response, err := client.Get("https://" + githubAPI + "/repos/OWNER/trefoil/" + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, body
	}
	type commit struct {
		SHA    string
		Commit struct{ Message string }
	}
	var next struct{ Commit commit }
	_, body := get("branches/next")
	if err := json.Unmarshal(body, &next); err != nil {
		t.Fatal(err)
	}
	if len(next.Commit.SHA) != 40 || next.Commit.Commit.Message != "Branch next\n\nBench: 123" {
		t.Errorf("branches/next is %s", body)
	}
	var same commit
	_, body = get("commits/" + next.Commit.SHA)
	if err := json.Unmarshal(body, &same); err != nil || same != next.Commit {
		t.Errorf("commits/%s is %s, %v", next.Commit.SHA, body, err)
	}
	for path, ahead := range map[string]string{"compare/main...next": `{"ahead_by":1}`,
		"compare/next...main": `{"ahead_by":0}`} {
		if _, body := get(path); strings.TrimSpace(string(body)) != ahead {
			t.Errorf("%s is %s", path, body)
		}
	}
	_, body = get("zipball/" + next.Commit.SHA)
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := archive.Open("source/branch"); err != nil {
		t.Error(err)
	} else if text, err := io.ReadAll(text); err != nil || string(text) != "next" {
		t.Errorf("source/branch is %q, %v", text, err)
	}
	for _, path := range []string{"branches/none", "branches/--help", "branches/main..next", "commits/zzz",
		"zipball/--help", "zipball/none",
		"compare/main", "compare/--all...main", "pulls"} {
		if status, body := get(path); status != http.StatusNotFound || bytes.Contains(body, []byte(`"sha"`)) {
			t.Errorf("%s: status %d, %s", path, status, body)
		}
	}
	if response, err := client.Get("https://example.org/"); err == nil {
		response.Body.Close()
		t.Error("the proxy answers for another host")
	}
	if response, err := client.Get("http://" + githubAPI + "/"); err != nil {
		t.Error(err)
	} else if response.Body.Close(); response.StatusCode != http.StatusForbidden {
		t.Errorf("without TLS the proxy answers %s", response.Status)
	}
}

// TestArguments gives the command wrong arguments.
func TestArguments(t *testing.T) {
	file := filetest.New(t, "settings", good)
	noRepository := "not a git repository"
	if _, err := exec.LookPath("git"); err != nil {
		noRepository = "git" // is not found
	}
	folder := t.TempDir()
	t.Setenv("LC_ALL", "C")                                   // git speaks English
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(folder)) // temporary files may be in a repository
	test := []string{"test", "-server", "http://127.0.0.1:1", "-user", "u", "-password", "p", "-dev",
		"b", "-settings", file}
	for _, c := range []struct {
		args    []string
		message string
	}{
		{nil, "openbench check"},
		{[]string{"play"}, `unknown command "play"`},
		{[]string{"check", "none"}, "none"},
		{[]string{"github", "-listen", "0.0.0.0:3128"}, "0.0.0.0 is not an address of the loopback interface"},
		{[]string{"github", "-repository", folder, "-listen", "127.0.0.1:0"}, noRepository},
		{[]string{"test"}, "-dev is missing"},
		{append(test, "-preset", "VSTC"), `no preset "VSTC"; there are ["STC"]`},
		{append(test, "book"), `"book" is not FIELD=VALUE`},
		{append(test, "boook_name=x"), `"boook_name=x" is not FIELD=VALUE`},
		{append(test, "test_bounds=0"), `test_bounds: "0" is not of the form [0.00, 5.00]`},
		{test, "connection refused"},
	} {
		if err := run(context.Background(), c.args, io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), c.message) {
			t.Errorf("%q: %v, not %q", c.args, err, c.message)
		}
	}
}
