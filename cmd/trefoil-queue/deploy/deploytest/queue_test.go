package deploytest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// workManifest has the queue, its workers and a coordinator.
const workManifest = "../kubernetes/work.yaml"

// hard is a position of Ultimate Tic-Tac-Toe with its value, and proved begins the line of its proof.
const (
	hard   = "X;@...O..X.;....X..O./O.O.XX.../..XXX.O../.....OO../.O..O.OO./O.O...X../.X..XX.OX/X..XX...X/..O...OOX win"
	proved = "1\tX;@...O..X.;"
)

// newQueueWorkspace returns a workspace with a position for prove.
func newQueueWorkspace(t *testing.T) *workspace {
	t.Helper()
	w := newWorkspace(t)
	if err := os.WriteFile(w.path("positions"), []byte(hard+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return w
}

// serveQueue runs a command that serves a queue, at a free port of this machine.
func (w *workspace) serveQueue(t *testing.T, command string) {
	t.Helper()
	command = strings.TrimSuffix(strings.Replace(command, "0.0.0.0:4222", "127.0.0.1:0", 1), " &")
	w.start(t, "exec "+command)
	until(t, "queue", func() bool { _, err := os.Stat(w.path("queue", "worker.url")); return err == nil })
}

// TestSlurmWork runs the commands for workers in Slurm. They end with the job.
func TestSlurmWork(t *testing.T) {
	needsSlurm(t)
	w := newQueueWorkspace(t)
	startSlurm(t, w)
	serve, rest, _ := strings.Cut(commands(t, "Workers in Slurm")[0], "\n")
	w.serveQueue(t, serve)
	if out := w.output(t, rest); !strings.Contains(out, proved) || !strings.Contains(out, "\twin\t") {
		t.Error(out)
	}
	until(t, "end of the workers", func() bool { return w.output(t, "squeue --noheader") == "" })
	logs, err := filepath.Glob(w.path("trefoil-work-*.log"))
	if err != nil || len(logs) == 0 {
		t.Errorf("%q, %v", logs, err)
	}
	for _, log := range logs {
		text, err := os.ReadFile(log)
		if err != nil || !strings.Contains(string(text), "worker ") || strings.Contains(string(text), "refused") {
			t.Errorf("%s: %s, %v", log, text, err)
		}
	}
}

// TestKubernetesWork runs the commands of the pods of workManifest in processes of this machine, with a
// queue of this program. Only queue and coordinator have the password of coordinators.
func TestKubernetesWork(t *testing.T) {
	w := newQueueWorkspace(t)
	w.serveQueue(t, "trefoil-queue queue serve --listen 0.0.0.0:4222 --dir queue")
	var prove batchv1.Job
	deployments := map[string]*appsv1.Deployment{}
	for _, text := range objects(t, workManifest) {
		var d appsv1.Deployment
		if err := yaml.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		switch d.Kind {
		case "Deployment":
			deployments[d.Name] = &d
		case "Job":
			if err := yaml.UnmarshalStrict(text, &prove); err != nil {
				t.Fatal(err)
			}
		}
	}
	worker := deployments["trefoil-work"].Spec.Template.Spec.Containers[0]
	start := func(c corev1.Container) *script {
		t.Helper()
		secrets := 0
		args := []string{filepath.Base(c.Command[0])}
		for _, e := range c.Env {
			value := e.Value
			if e.ValueFrom != nil {
				user := strings.TrimPrefix(e.ValueFrom.SecretKeyRef.Name, "trefoil-")
				value, secrets = w.password(t, user), secrets+1
			}
			args = append([]string{e.Name + "=" + value}, args...)
		}
		if secrets != 1 {
			t.Errorf("%d secrets", secrets)
		}
		for _, arg := range c.Args {
			arg = strings.Replace(arg, "trefoil-queue:4222", w.queueAddress(t), 1)
			args = append(args, strings.Replace(arg, "/data/", w.dir+"/", 1))
		}
		return w.start(t, "exec env "+strings.Join(args, " "))
	}
	for range 2 {
		start(worker)
	}
	for _, e := range worker.Env {
		if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef.Name != "trefoil-worker" {
			t.Errorf("a worker has the secret %s", e.ValueFrom.SecretKeyRef.Name)
		}
	}
	p := start(prove.Spec.Template.Spec.Containers[0])
	if err := p.wait(t); err != nil || !strings.Contains(p.out.String(), proved) {
		t.Error(err)
	}
	server := deployments["trefoil-queue"].Spec.Template.Spec
	for i, volume := range []string{"/etc/trefoil", "/var/lib/nats"} { // as nats.conf and its argument say
		if m := server.Containers[0].VolumeMounts[i]; m.MountPath != volume {
			t.Errorf("%s is at %s", m.Name, m.MountPath)
		}
	}
	block := commands(t, "Workers in Kubernetes")[0]
	for _, name := range []string{"trefoil-coordinator", "trefoil-worker", "trefoil-nats", "trefoil-positions"} {
		if !strings.Contains(block, name+" --from-") {
			t.Errorf("docs/scale.md does not create %s", name)
		}
	}
}

// urlOf returns the first line of the file of a user.
func (w *workspace) urlOf(t *testing.T, user string) string {
	t.Helper()
	text, err := os.ReadFile(w.path("queue", user+".url"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// password returns the password of a user.
func (w *workspace) password(t *testing.T, user string) string {
	t.Helper()
	login, _, _ := strings.Cut(strings.TrimPrefix(w.urlOf(t, user), "nats://"), "@")
	_, password, _ := strings.Cut(login, ":")
	return password
}

// queueAddress returns HOST:PORT of the queue.
func (w *workspace) queueAddress(t *testing.T) string {
	t.Helper()
	_, address, _ := strings.Cut(w.urlOf(t, "worker"), "@")
	return address
}

// TestOtherBuild: a build of another commit has the results of the first.
func TestOtherBuild(t *testing.T) {
	w := newQueueWorkspace(t)
	prove := func(commit, workers string) string {
		t.Helper()
		path := w.path("trefoil-queue-" + commit)
		if err := buildQueue(path, commit); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(path, "version").Output(); err != nil || !strings.Contains(string(out), commit) {
			t.Errorf("%s, %v", out, err)
		}
		return w.output(t, fmt.Sprintf("%s prove --dir queue --nodes 2000 --workers %s ultimate positions", path, workers))
	}
	if out := prove("c0ffee1", "1"); !strings.Contains(out, proved) {
		t.Error(out)
	}
	if out := prove("c0ffee2", "0"); !strings.Contains(out, proved) || !strings.Contains(out, "0 workers here") {
		t.Error(out)
	}
}
