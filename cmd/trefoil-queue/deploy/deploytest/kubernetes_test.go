package deploytest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kubectl-validate/pkg/openapiclient"
	"sigs.k8s.io/kubectl-validate/pkg/validator"
	"sigs.k8s.io/yaml"
)

// manifest is the Indexed Job.
const manifest = "../kubernetes/solve.yaml"

// kubernetesVersion is the version of the API whose schema counts.
const kubernetesVersion = "1.30"

// objects returns the objects of a manifest.
func objects(t *testing.T, path string) [][]byte {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(source, []byte("\n---\n"))
}

// TestManifest checks the manifests against the schema of the API, and that the schema finds mistakes.
func TestManifest(t *testing.T) {
	v, err := validator.New(openapiclient.NewHardcodedBuiltins(kubernetesVersion))
	if err != nil {
		t.Fatal(err)
	}
	validate := func(text []byte) error {
		_, object, err := v.Parse(text)
		if err != nil {
			return err
		}
		return v.Validate(object)
	}
	for _, text := range objects(t, workManifest) {
		if err := validate(text); err != nil {
			t.Errorf("%s: %v\n%s", workManifest, err, text)
		}
	}
	source := objects(t, manifest)[0]
	if err := validate(source); err != nil {
		t.Errorf("%s: %v", manifest, err)
	}
	for _, c := range []struct{ old, new string }{
		{"backoffLimitPerIndex: 10", "backoffLimitPerIndx: 10"},
		{"completions: 8", "completions: eight"},
		{"name: trefoil\n", "label: trefoil\n"},
		{"drop: [ALL]", "drop: ALL"},
		{"values: [1, 2]", ""}, // they are required
	} {
		wrong := bytes.Replace(source, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(wrong, source) {
			t.Errorf("%s has no %q", manifest, c.old)
		} else if err := validate(wrong); err == nil {
			t.Errorf("the schema accepts %q", strings.TrimSpace(c.new))
		} else {
			t.Logf("%q: %v", strings.TrimSpace(c.new), err)
		}
	}
}

// A pod is one of the containers that the Job starts.
type pod struct {
	args, env []string
	mount     string // where the volume is
}

// readPods returns the pods of the Job, as its controller makes them: a completion index each, as a variable, which
// arguments may name.
func readPods(t *testing.T) (pods []pod) {
	t.Helper()
	source, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	job := &batchv1.Job{}
	if err := yaml.UnmarshalStrict(source, job); err != nil {
		t.Fatalf("%s: %v", manifest, err)
	}
	spec := job.Spec.Template.Spec
	switch {
	case job.Spec.CompletionMode == nil || *job.Spec.CompletionMode != batchv1.IndexedCompletion:
		t.Fatalf("%s: the job is not indexed", manifest)
	case job.Spec.Completions == nil || *job.Spec.Completions != shards:
		t.Fatalf("%s: not %d completions", manifest, shards)
	case spec.RestartPolicy != corev1.RestartPolicyNever:
		t.Fatalf("%s: backoffLimitPerIndex needs restartPolicy: Never", manifest)
	case len(spec.Containers) != 1 || len(spec.Containers[0].VolumeMounts) != 1:
		t.Fatalf("%s: not one container with one volume", manifest)
	}
	container := spec.Containers[0]
	for i := range shards {
		index := strconv.Itoa(i)
		p := pod{env: []string{"JOB_COMPLETION_INDEX=" + index}, mount: container.VolumeMounts[0].MountPath}
		for _, arg := range container.Args {
			p.args = append(p.args, strings.ReplaceAll(arg, "$(JOB_COMPLETION_INDEX)", index))
		}
		pods = append(pods, p)
	}
	return pods
}

// TestIndexedJob runs the commands of the pods in processes of this machine, in which a folder stands for
// the volume. One is killed; another takes its place.
func TestIndexedJob(t *testing.T) {
	w := newWorkspace(t)
	start := func(p pod) *exec.Cmd {
		var args []string
		for _, arg := range p.args {
			args = append(args, strings.Replace(arg, p.mount+"/", w.dir+"/", 1))
		}
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), p.env...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	pods := readPods(t)
	running := make([]*exec.Cmd, len(pods))
	for i, p := range pods {
		running[i] = start(p)
	}
	shard := fmt.Sprintf("results-%d.jsonl", victim-1)
	record := firstRecord(t, w.path(shard))
	running[victim-1].Process.Kill()
	for i, cmd := range running {
		if err := cmd.Wait(); err == nil {
			continue
		} else if i != victim-1 {
			t.Errorf("pod %d: %v", i, err)
		} else if err := start(pods[i]).Wait(); err != nil {
			t.Errorf("pod %d, the second time: %v", i, err)
		}
	}
	w.output(t, commands(t, "Kubernetes")[2])
	w.checkMerged(t, "merged.jsonl", shard, record)
}
