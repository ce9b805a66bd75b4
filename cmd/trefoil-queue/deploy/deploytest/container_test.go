package deploytest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// container is an image that buildah has made, in a store of the test's own.
type container struct {
	store []string // flags of buildah
	name  string
}

// newContainer makes the image of the Containerfile, with a program that is linked statically. It has no
// base image, so no registry is asked.
func newContainer(t *testing.T) *container {
	t.Helper()
	needs(t, "buildah")
	if os.Getuid() != 0 {
		t.Skip("containers are built by root here")
	}
	context := t.TempDir()
	for _, path := range []string{program, queueProgram} {
		if err := os.Link(path, filepath.Join(context, filepath.Base(path))); err != nil {
			t.Fatal(err)
		}
	}
	c := &container{}
	for _, flag := range []string{"--root", "--runroot"} {
		c.store = append(c.store, flag, filepath.Join(t.TempDir(), "store"))
	}
	c.store = append(c.store, "--storage-driver=vfs") // works in containers too
	c.buildah(t, "build", "--isolation=chroot", "-f", "../Containerfile", "-t", "trefoil", context)
	c.name = strings.TrimSpace(c.buildah(t, "from", "--pull-never", "localhost/trefoil"))
	return c
}

// buildah runs a command of buildah.
func (c *container) buildah(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("buildah", append(c.store[:len(c.store):len(c.store)], args...)...)
	out, err := cmd.Output()
	if err != nil {
		stderr := ""
		if e, ok := err.(*exec.ExitError); ok {
			stderr = string(e.Stderr)
		}
		t.Fatalf("buildah %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return string(out)
}

// command is a program in the container, with arguments, variables and a folder of the host at a path.
func (c *container) command(name string, args, env []string, folder, path string) *exec.Cmd {
	run := append(c.store[:len(c.store):len(c.store)], "run", "--isolation=chroot", "--volume", folder+":"+path)
	for _, variable := range env {
		run = append(run, "--env", variable)
	}
	return exec.Command("buildah", append(append(run, c.name, "--", name), args...)...)
}

// TestContainer builds the image and runs the first pod of the manifest in it.
func TestContainer(t *testing.T) {
	c := newContainer(t)
	for name, want := range map[string]string{"/trefoil": "Trefoil ", "/trefoil-queue": "Trefoil-queue "} {
		out, err := c.command(name, []string{"version"}, nil, t.TempDir(), "/data").Output()
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s version in the container prints %q, %v", name, out, err)
		}
	}
	w := newWorkspace(t)
	if err := os.Chown(w.dir, 65532, 65532); err != nil { // as fsGroup of the manifest does
		t.Fatal(err)
	}
	p := readPods(t)[0]
	if out, err := c.command("/trefoil", p.args, p.env, w.dir, p.mount).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", p.args, err, out)
	}
	text, err := os.ReadFile(w.path("results-0.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := records(text)
	if err != nil {
		t.Fatal(err)
	}
	want, err := expected()
	if err != nil {
		t.Fatal(err)
	}
	var part []string // of one run: every line of the first shard
	for i := 0; i < len(want); i += shards {
		part = append(part, want[i])
	}
	slices.Sort(got) // two jobs finish in any order
	slices.Sort(part)
	if g, w := strings.Join(got, "\n"), strings.Join(part, "\n"); g != w {
		t.Errorf("the pod wrote\n%s\nin one run they are\n%s", g, w)
	}
}
