package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/ttanalysis"
)

// writeTrace writes a trace of many probes: a driver that gives results for them cannot write all into a pipe.
func writeTrace(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "trace")
	w, err := ttanalysis.CreateTrace(path,
		ttanalysis.TraceHeader{Game: "none", MiB: 1, Index: cluster.Mul32, KeyBits: 21})
	if err != nil {
		t.Fatal(err)
	}
	w.NewSearch()
	for i := range uint64(100000) {
		w.Probe(i<<40, 1, 0, 1, false, false, false)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestEnds: a comparison ends whatever the driver does, and if the trace is damaged.
func TestEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the drivers are shell scripts")
	}
	good, damaged := writeTrace(t), writeTrace(t)
	data, err := os.ReadFile(damaged)
	if err == nil {
		data[len(data)/2]++
		err = os.WriteFile(damaged, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	design, err := ttanalysis.ParseDesign("stockfish")
	if err != nil {
		t.Fatal(err)
	}
	driver := filepath.Join(t.TempDir(), "driver")
	for _, c := range []struct{ path, script, want string }{
		{good, `exec cat "$2"`, "more than the trace has probes"}, // 16 bytes for each record, not 8
		{good, "exec cat /dev/zero", "more than the trace has probes"},
		{good, "exit 3", "exit status 3"},
		{good, "exit 0", "results of the driver: EOF"},
		{damaged, `exec cat "$2"`, "damaged"},
		{"none", "exit 0", "no such file"},
	} {
		if err := os.WriteFile(driver, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		compared := comparison{ClusterDesign: design}
		if err := compared.run(c.path, driver, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.script, err, c.want)
		}
	}
}
