package syzygy

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// openTestTables opens the tables of the folders that TREFOIL_SYZYGY names.
func openTestTables(t testing.TB) *Tables {
	path := os.Getenv("TREFOIL_SYZYGY")
	if path == "" {
		t.Skip("TREFOIL_SYZYGY names no folder with Syzygy tables")
	}
	tables := Open(path)
	t.Cleanup(func() {
		for _, err := range tables.Problems() {
			t.Error(err)
		}
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	})
	if tables.MaxPieces() == 0 {
		t.Fatal("no tables in ", path)
	}
	return tables
}

// randomPosition returns a valid position of this material with either colours, and with a square for en
// passant if that is possible and the dice want it.
func randomPosition(rng *rand.Rand, m material) Position {
	if rng.IntN(2) == 0 {
		m = m.mirrored()
	}
	for {
		var p Position
		place := func(k Kind, black bool) bool {
			b := uint64(1) << rng.IntN(64)
			if p.occupied()&b != 0 {
				return false
			}
			*p.of(k) |= b
			if black {
				p.Black |= b
			} else {
				p.White |= b
			}
			return true
		}
		ok := place(King, false) && place(King, true)
		for k := Pawn; k < King; k++ {
			for range m.count(k, false) {
				ok = ok && place(k, false)
			}
			for range m.count(k, true) {
				ok = ok && place(k, true)
			}
		}
		p.BlackToMove = rng.IntN(2) == 1
		if !ok || !p.valid() {
			continue
		}
		if rng.IntN(2) == 0 {
			q := p
			q.EnPassant = uint8(40 + rng.IntN(8))
			if p.BlackToMove {
				q.EnPassant -= 24
			}
			if q.valid() {
				return q
			}
		}
		return p
	}
}

// fen writes p.
func (p *Position) fen() string {
	var s strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		flush := func() {
			if empty > 0 {
				s.WriteString(strconv.Itoa(empty))
			}
			empty = 0
		}
		for file := range 8 {
			square := uint8(8*rank + file)
			k := p.kindOn(square)
			if k == NoKind {
				empty++
				continue
			}
			flush()
			c := " PNBRQK"[k]
			if p.Black>>square&1 != 0 {
				c += 'a' - 'A'
			}
			s.WriteByte(c)
		}
		flush()
		if rank > 0 {
			s.WriteByte('/')
		}
	}
	side, ep := "w", "-"
	if p.BlackToMove {
		side = "b"
	}
	if p.EnPassant != 0 {
		ep = string(rune('a'+p.EnPassant&7)) + string(rune('1'+p.EnPassant>>3))
	}
	return fmt.Sprintf("%s %s - %s 0 1", s.String(), side, ep)
}

// pythonProber answers positions by python-chess.
const pythonProber = `
import sys, chess, chess.syzygy
tables = chess.syzygy.Tablebase()
for folder in sys.argv[1:]:
    tables.add_directory(folder)
for line in sys.stdin:
    board = chess.Board(line.strip())
    print(tables.probe_wdl(board), tables.probe_dtz(board))
`

// TestPythonChess compares WDL and DTZ with the values of python-chess, which python3 finds: of all
// positions of three pieces, as far as symmetry tells them apart, and of random ones of every other table.
//
//	TREFOIL_SYZYGY=… PYTHONPATH=… go test ./syzygy -run TestPythonChess -v
func TestPythonChess(t *testing.T) {
	tables := openTestTables(t)
	if exec.Command("python3", "-c", "import chess.syzygy").Run() != nil {
		t.Skip("python3 has no module chess.syzygy")
	}
	sample := 20000
	if n, err := strconv.Atoi(os.Getenv("TREFOIL_SYZYGY_SAMPLE")); err == nil {
		sample = n
	}
	rng := newRand()
	for _, f := range tables.files {
		if f.dtz || tables.dtz[f.material] == nil {
			continue
		}
		t.Run(f.material.name(), func(t *testing.T) {
			positions := make(chan Position, 1000)
			go func() {
				defer close(positions)
				if f.pieces == 3 {
					everyPosition(f.material, func(p Position) { positions <- p })
					return
				}
				for range sample {
					positions <- randomPosition(rng, f.material)
				}
			}()
			compareWithPython(t, tables, positions)
		})
	}
}

// everyPosition calls f with the positions of three pieces, but of those that are the same by symmetry
// only one or a few.
func everyPosition(m material, f func(Position)) {
	for k := Pawn; k < King; k++ {
		if m.count(k, false) != 1 {
			continue
		}
		for i := range 64 * 64 * 64 * 2 {
			white, black, piece := i&63, i>>6&63, i>>12&63
			if white&4 != 0 || k != Pawn && (white&32 != 0 || offDiagonal(uint8(white)) > 0) {
				continue
			}
			p := Position{White: 1<<white | 1<<piece, Black: 1 << black, Kings: 1<<white | 1<<black,
				BlackToMove: i>>18 == 1}
			*p.of(k) |= 1 << piece
			if white != black && white != piece && black != piece && p.valid() {
				f(p)
			}
		}
	}
}

// compareWithPython compares the tables with python-chess for some positions.
func compareWithPython(t *testing.T, tables *Tables, positions <-chan Position) {
	command := exec.Command("python3",
		append([]string{"-c", pythonProber}, filepath.SplitList(os.Getenv("TREFOIL_SYZYGY"))...)...)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	type answer struct {
		p        Position
		wdl, dtz int
		err      error
	}
	asked := make(chan answer, 1<<20)
	go func() {
		defer close(asked)
		defer in.Close()
		w := bufio.NewWriter(in)
		defer w.Flush()
		for p := range positions {
			wdl, err := tables.WDL(&p)
			dtz := 0
			if err == nil {
				dtz, err = tables.DTZ(&p)
			}
			asked <- answer{p, int(wdl), dtz, err}
			_, _ = io.WriteString(w, p.fen()+"\n")
		}
	}()
	n, wrong := 0, 0
	seen := map[int]int{}
	scanner := bufio.NewScanner(out)
	for a := range asked {
		want := "no answer"
		if scanner.Scan() {
			want = scanner.Text()
		}
		n++
		seen[a.wdl]++
		if got := fmt.Sprint(a.wdl, " ", a.dtz); a.err != nil || got != want {
			if wrong++; wrong < 5 {
				t.Errorf("%s: %s %v, python-chess %s", a.p.fen(), got, a.err, want)
			}
		}
	}
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	t.Logf("%d positions, %d differ; results %v", n, wrong, seen)
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// TestPythonChessCursed compares tables of testdata in which a third of the wins and losses are draws by the rule
// of fifty moves.
func TestPythonChessCursed(t *testing.T) {
	if exec.Command("python3", "-c", "import chess.syzygy").Run() != nil {
		t.Skip("python3 has no module chess.syzygy")
	}
	files := map[string][]byte{}
	for _, e := range endgames {
		m, pieces, _ := parseName(e.name)
		wdl, err := parse(testFile(t, e.name+".rtbw"), m, pieces, false)
		if err != nil {
			t.Fatal(err)
		}
		w := tableWriter{material: m, codes: e.codes, order: e.order}
		w.value = func(file, side int, i uint64) uint16 {
			v, err := wdl.parts[file][side].pairs.at(i)
			if err != nil {
				t.Fatal(err)
			}
			if noise(file, side, i, 3) == 0 {
				v = []uint16{1, 1, 2, 3, 3}[v]
			}
			return v
		}
		files[e.name+".rtbw"] = w.write(t)
		w.dtz, w.flags = true, flagMapped|flagLossPlies|uint8(e.dtzSide)
		for i := range w.lists {
			for j := range 50 {
				w.lists[i] = append(w.lists[i], uint16((j*7+i*20)%100))
			}
		}
		w.value = func(file, side int, i uint64) uint16 { return noise(file, side, i, 50) }
		files[e.name+".rtbz"] = w.write(t)
	}
	folder := folderWith(t, files)
	t.Setenv("TREFOIL_SYZYGY", folder)
	tables := openTestTables(t)
	rng := newRand()
	for _, e := range endgames {
		m, _, _ := parseName(e.name)
		positions := make(chan Position, 1000)
		go func() {
			defer close(positions)
			for range 3000 {
				positions <- randomPosition(rng, m)
			}
		}()
		t.Run(e.name, func(t *testing.T) { compareWithPython(t, tables, positions) })
	}
}
