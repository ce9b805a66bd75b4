//go:build linux || darwin

package shm

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"
)

const childDir = "SHM_TEST_DIR"

func TestMain(m *testing.M) {
	if d := os.Getenv(childDir); d != "" {
		child(Dir(d))
		return
	}
	os.Exit(m.Run())
}

// renewAlone is an Accept that returns ErrRenew if there are no other users.
func renewAlone(decode func(any) error, others int) (uint64, error) {
	if others == 0 {
		return size, ErrRenew
	}
	return size, decode(new(header))
}

// child makes, joins, renews, writes, removes and leaves until it is killed.
func child(d Dir) {
	toJoin, toCount = time.Hour, time.Hour // another child may be suspended while it holds the lock
	fmt.Println("begun")
	for i := 0; ; i++ {
		first := want(size)
		if i%5 == 0 {
			first.Accept = renewAlone
		}
		s, err := d.Join(context.Background(), "x", first)
		if err == nil && s.Replaced() != nil {
			err = s.Replaced().Leave()
		}
		if err != nil {
			fmt.Println("join:", err)
			os.Exit(1)
		}
		words := s.Contents().Words()
		for j := range words {
			words[j] = uint64(j)
		}
		w := want(size)
		w.Own = s
		if i%3 == 0 {
			w.Accept = renewAlone
		}
		next, err := d.Join(context.Background(), "x", w)
		if err == nil && i%7 == 0 {
			_, err = d.Remove("x")
		}
		if err == nil || os.IsNotExist(err) { // another child removed it first
			err = s.Leave()
		}
		if err == nil {
			err = next.Leave()
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

// Processes are killed at random moments, also while one makes the segment. The name stays usable, no
// dead process counts, and nothing of theirs stays.
func TestKilledProcesses(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	d := Dir(t.TempDir())
	for range rounds {
		var children [2]*exec.Cmd
		var lines [2]*bufio.Scanner
		for i := range children {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), childDir+"="+string(d))
			c.Stderr = os.Stderr
			out, err := c.StdoutPipe()
			if err == nil {
				err = c.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			children[i], lines[i] = c, bufio.NewScanner(out)
			if !lines[i].Scan() || lines[i].Text() != "begun" {
				t.Fatalf("a child printed %q", lines[i].Text())
			}
		}
		time.Sleep(time.Duration(rand.IntN(15_000)) * time.Microsecond) // any moment will do
		for i, c := range children {
			_ = c.Process.Kill()
			if lines[i].Scan() {
				t.Errorf("a child printed %q", lines[i].Text())
			}
			_ = c.Wait()
		}
		s, err := d.Join(context.Background(), "x", want(size))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := s.Others(); n != 0 || err != nil {
			t.Fatalf("%d others, %v", n, err)
		}
		for j, w := range s.Contents().Words() {
			if w != 0 && w != uint64(j) {
				t.Fatalf("word %d is %d", j, w)
			}
		}
		mustLeave(t, s)
		holds(t, d, 0)
	}
}
