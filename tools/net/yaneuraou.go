package main

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"trefoil/game/shogi/halfkp"
	"trefoil/game/shogi/nnue"
	"trefoil/internal/atomicfile"
)

// yaneuraou is the command of that name: it writes a net of shogi as an evaluation file of YaneuraOu.
func yaneuraou(_ context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	folder := set.String("o", "", "write nn.bin and eval_options.txt to `FOLDER`")
	if err := set.Parse(args); err != nil {
		return err
	}
	if *folder == "" || set.NArg() != 1 {
		return errors.New("yaneuraou: -o FOLDER and one net of shogi are needed")
	}
	data, err := os.ReadFile(set.Arg(0))
	if err != nil {
		return err
	}
	net, err := nnue.Read(data)
	if err != nil {
		return fmt.Errorf("%s: %w", set.Arg(0), err)
	}
	file, fvScale, err := halfkp.Convert(net)
	if err != nil {
		return fmt.Errorf("%s: %w", set.Arg(0), err)
	}
	if err := os.MkdirAll(*folder, 0o777); err != nil {
		return err
	}
	version := string(binary.LittleEndian.AppendUint32(nil, halfkp.Version))
	if err := atomicfile.WriteBytes(filepath.Join(*folder, "nn.bin"), atomicfile.Prefix(version), file); err != nil {
		return err
	}
	options := fmt.Sprintf("FV_SCALE %d\n", fvScale)
	if err := atomicfile.WriteBytes(filepath.Join(*folder, "eval_options.txt"), atomicfile.Prefix("FV_SCALE"),
		[]byte(options)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d bytes, %s", filepath.Join(*folder, "nn.bin"), len(file), options)
	return err
}
