package deploytest

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// needsSlurm skips a test that cannot start Slurm.
func needsSlurm(t *testing.T) {
	t.Helper()
	needs(t, "bash", "munged", "slurmctld", "slurmd", "sbatch", "scontrol", "sinfo", "squeue")
	if os.Getuid() != 0 {
		t.Skip("the daemons of Slurm are started by root")
	}
}

// TestSlurm runs the commands for Slurm on a cluster of one node: this machine, over the loopback
// interface. One task is killed, another requeued while it runs; then the whole array is submitted again.
func TestSlurm(t *testing.T) {
	needsSlurm(t)
	w := newWorkspace(t)
	startSlurm(t, w)
	blocks := commands(t, "Slurm")
	s := w.start(t, blocks[0])
	shard := fmt.Sprintf("results/%d.jsonl", victim)
	record := firstRecord(t, w.path(shard))
	job := strings.TrimSpace(w.output(t, "squeue --noheader --format=%F | sort -u"))
	if !kill(t, shard) {
		t.Log("the task was done before it was killed")
	}
	for _, task := range []int{victim, victim + 1} {
		firstRecord(t, w.path("results", fmt.Sprintf("%d.jsonl", task))) // a task that waits cannot be requeued
		w.output(t, fmt.Sprintf("scontrol requeue %s_%d", job, task))
	}
	until(t, "end of the job", func() bool {
		select {
		case <-s.done:
			return true
		case <-time.After(200 * time.Millisecond):
		}
		// Slurm starts a requeued task two minutes later, unless it is told to begin.
		for _, line := range strings.Split(w.output(t, "squeue --noheader --format='%r %i'"), "\n") {
			if task, ok := strings.CutPrefix(line, "BeginTime "); ok {
				w.output(t, "scontrol update StartTime=now JobId="+task+" || true") // it may have begun
			}
		}
		return false
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	w.checkMerged(t, "merged.jsonl", shard, record)
	w.output(t, blocks[0])
	w.checkMerged(t, "merged.jsonl", shard, record)
}

// slurmConf is the configuration of a cluster of one node, with two processors, whatever the machine has.
const slurmConf = `ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
SlurmdPort=%[3]d
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=%[4]s/munge.socket
CredType=cred/munge
StateSaveLocation=%[4]s/state
SlurmdSpoolDir=%[4]s/spool
SlurmctldPidFile=%[4]s/slurmctld.pid
SlurmdPidFile=%[4]s/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=2
KillWait=2
NodeName=node NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[3]d CPUs=2
PartitionName=test Nodes=node Default=YES MaxTime=INFINITE State=UP
`

// startSlurm starts the daemons of Slurm, with their configuration and state in the workspace.
func startSlurm(t *testing.T, w *workspace) {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	key := make([]byte, 1024)
	rand.Read(key)
	conf := fmt.Sprintf(slurmConf, host, freePort(t), freePort(t), w.dir)
	for name, text := range map[string]string{"munge.key": string(key), "slurm.conf": conf} {
		if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"state", "spool"} {
		if err := os.Mkdir(w.path(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.env = append(w.env, "SLURM_CONF="+w.path("slurm.conf"))
	w.daemon(t, "munged", "--foreground", "--force", "--key-file="+w.path("munge.key"),
		"--socket="+w.path("munge.socket"),
		"--pid-file="+w.path("munged.pid"), "--seed-file="+w.path("munge.seed"), "--log-file="+w.path("munged.log"))
	until(t, "socket of munged", func() bool { _, err := os.Stat(w.path("munge.socket")); return err == nil })
	w.daemon(t, "slurmctld", "-D", "-f", w.path("slurm.conf"))
	w.daemon(t, "slurmd", "-D", "-f", w.path("slurm.conf"), "-N", "node")
	until(t, "node of Slurm", func() bool {
		cmd := exec.Command("sinfo", "--noheader", "--format=%T")
		cmd.Env = w.env
		out, _ := cmd.Output()
		return strings.TrimSpace(string(out)) == "idle"
	})
}

// daemon starts a program that the end of the test ends.
func (w *workspace) daemon(t *testing.T, name string, args ...string) {
	t.Helper()
	var out strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Env = w.env
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s:\n%s", name, out.String())
		}
	})
}

// freePort is a port of the loopback interface that nothing uses now.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
