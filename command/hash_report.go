package command

import (
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/alecthomas/kong"

	"trefoil/internal/cli"
	"trefoil/internal/mem"
	"trefoil/ttanalysis/report"
)

type hashReport struct {
	Size    fraction `placeholder:"MIB" help:"Size in MiB that the sentences describe and by which rows are sorted; by default the middle one."`
	Designs []string `placeholder:"DESIGN" help:"Designs to draw besides trefoil; by default the best one and four that differ most."`
	Dir     string   `arg:"" help:"The directory with the files."`
}

// Help is printed by -h.
func (*hashReport) Help() string {
	return `Makes an HTML page from those of these files that are in the directory:

    replay.tsv  of hash replay --tsv
    audit.tsv   of hash audit --tsv
    blame.tsv   of hash audit --blame N --tsv

The page is report.html in the same directory. It needs no other file. A sentence above each chart
says what the chart shows; below it is the command that reproduces the figures.`
}

// fraction is a size in MiB that need not be whole.
type fraction float64

// UnmarshalText reads a size.
func (f *fraction) UnmarshalText(text []byte) error {
	mib, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(mib >= 1.0/1024 && mib <= 1<<20) {
		return fmt.Errorf("%q is not a number of MiB from 0.001 to 1048576", text)
	}
	*f = fraction(mib)
	return nil
}

func (r *hashReport) Run(line *kong.Context, std *cli.Console) error {
	path, err := report.WritePage(r.Dir,
		report.PageOptions{Made: newOrigin(line.Args), MiB: float64(r.Size), Designs: r.Designs})
	if err != nil {
		return err
	}
	std.Println(path)
	return nil
}

// newOrigin returns the origin of figures that the command line args makes now on this machine.
func newOrigin(args []string) report.Origin {
	m := mem.Machine()
	return report.Origin{
		Command: commandLine(args),
		Version: program().VersionLine(),
		Machine: fmt.Sprintf("%s, %s, %.1f GiB of memory, %s", m.Processor, cli.Count(runtime.NumCPU(), "processor"),
			float64(m.Total)/(1<<30), runtime.GOOS),
		Date: time.Now().UTC().Format("2006-01-02 15:04 UTC"),
	}
}

// commandLine returns a command line of this program that a shell can read.
func commandLine(args []string) string {
	line := "trefoil"
	for _, arg := range args {
		line += " " + cli.Quoted(arg)
	}
	return line
}
