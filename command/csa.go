package command

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"trefoil/csa"
	"trefoil/engine"
	"trefoil/internal/cli"
	"trefoil/options"
)

type csaClient struct {
	Name         string   `required:"" placeholder:"NAME" help:"Name to log in with."`
	Password     string   `env:"TREFOIL_CSA_PASSWORD" placeholder:"TEXT" setting:"-" help:"Password. Other users of the machine can read command lines: better set the environment variable or --password-file."`
	PasswordFile string   `placeholder:"FILE" setting:"-" help:"Read the password from the first line of a file."`
	Game         string   `placeholder:"NAME" help:"Game to wait for, such as floodgate-300-10F; it is sent before the password."`
	Games        number   `default:"1" help:"Games to play; 0: no limit."`
	Retries      number   `default:"10" help:"Connections in a row that may fail, after growing pauses."`
	Ponder       bool     `help:"Think while the opponent thinks."`
	Comments     bool     `help:"Send the score and the best line with each move, as floodgate shows them."`
	Option       []string `sep:"none" placeholder:"NAME=VALUE" help:"Option of the engine, with its name in USI; may be repeated."`
	Records      string   `placeholder:"FOLDER" setting:"-" help:"Write a record of each game in CSA to this folder, which has to exist."`
	Server       string   `arg:"" help:"HOST or HOST:PORT; the usual port is 4081."`
}

// A number is a whole number that is not negative.
type number int

func (n *number) UnmarshalText(text []byte) (err error) {
	*n, err = cli.Whole[number](text, 0, 1_000_000)
	return err
}

// Help is printed by -h.
func (*csaClient) Help() string {
	return `Plays shogi on a server with the CSA protocol, such as floodgate or a shogi-server of your own:

    export TREFOIL_CSA_PASSWORD=...
    trefoil csa wdoor.c.u-tokyo.ac.jp --name NAME --game floodgate-300-10F --games 0 --comments \
        --option USI_Hash=1024 --option Threads=4 --records games

The game decides RoundUpToFullSecond and NetworkDelay (200 with clocks of whole seconds, otherwise 10) and
MaxMovesToDraw, the machine Threads and USI_Hash, unless an --option does. Each game has a connection of
its own. After an error, which names the line of the server, the game is given up and the program connects
again.

Exit status: 0 on success; 2 on wrong usage, a refused login or too many failures; 130 after Ctrl-C.`
}

func (c *csaClient) Run(ctx context.Context, std *cli.Console) (err error) {
	client := csa.Client{Server: c.Server, Name: c.Name, Password: c.Password, Games: int(c.Games),
		Retries: int(c.Retries), Ponder: c.Ponder, Comments: c.Comments, Folder: c.Records,
		Own: map[string]bool{}, Print: std.Println}
	if _, _, err := net.SplitHostPort(c.Server); err != nil {
		client.Server = net.JoinHostPort(c.Server, "4081")
	}
	if c.PasswordFile != "" {
		text, err := os.ReadFile(c.PasswordFile)
		if err != nil {
			return err
		}
		line, _, _ := strings.Cut(strings.TrimPrefix(string(text), "\ufeff"), "\n")
		client.Password = strings.TrimRight(line, "\r")
	}
	if c.Game != "" && client.Password != "" {
		client.Password = c.Game + "," + client.Password
	}
	if c.Records != "" {
		if info, err := os.Stat(c.Records); err != nil || !info.IsDir() {
			return errors.Join(fmt.Errorf("--records: %s is no folder", c.Records), err)
		}
	}
	e := engine.New()
	defer func() { err = errors.Join(err, e.Close()) }()
	if err := e.Start(options.USI); err != nil {
		return err
	}
	for _, o := range c.Option {
		name, value, ok := strings.Cut(o, "=")
		if !ok {
			return fmt.Errorf("--option: %.60q is not NAME=VALUE", o)
		}
		if err := e.Options().Set(ctx, options.USI, name, value); err != nil {
			return fmt.Errorf("--option: %w", err)
		}
		client.Own[strings.ToLower(name)] = true
	}
	for _, line := range e.Notices() {
		std.Warn(line)
	}
	client.Engine = e
	return client.Run(ctx)
}
