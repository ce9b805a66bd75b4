// Command match plays games between two players, and compares engines at mates:
//
//	match [flags] PLAYER PLAYER              plays games of chess, shogi or Ultimate Tic-Tac-Toe
//	match mates [flags] ENGINE ENGINE FILE   compares two engines at forced mates of chess
//	match ends [flags]                       plays games of chess to the mate, and prints their last positions
//
// A player of games is
//
//	'./trefoil Hash=64'   a program with its arguments and options, over UCI, in shogi over USI; underscores stand
//	                      for the spaces in the name of an option. In shogi Threads is 1 and USI_Hash is 16, unless
//	                      they are given
//	chess.net, none       the search of this repository in this process, with the net in a file, or with the
//	                      hand-written evaluation
//	uct                   a plain Monte Carlo tree search of Ultimate Tic-Tac-Toe
//	ultimattt:PATH        the player of nelhage/ultimattt (https://github.com/nelhage/ultimattt)
//
// An opening is random moves after which a search with the hand-written evaluation finds a value within -within. All
// matches with a seed have the same openings. Each is played twice, with the sides exchanged, and the interval of the
// Elo is of 95 %, from the variance of these pairs. Games of two nets are adjudicated by their scores, all others are
// played to their end by the rules of package game; what is longer than 512 plies is a draw.
//
// A move is searched with -nodes. With nodes, one thread and programs that clear their state before a game, a match
// can be repeated: its games do not depend on -workers or on the machine. Other limits are
//
//	-time    processor time of a move: each gets as many nodes as take that long at the speed it has had so far, so
//	         other load on the machine does not matter
//	-equal   the second player searches -nodes2, the first as many nodes as take the same processor time
//	-go      the words after go, for programs: 'depth 60', 'movetime 100'
//	-clock   a clock, for programs, with -inc or -byoyomi, which begins when the clock is used up. Who oversteps it
//	         loses. For a byoyomi of a few seconds set NetworkDelay2=50 for Trefoil, 0 for YaneuraOu: engines that
//	         allow for the delay of a server waste much of it
//
// An illegal move, a program that ends or is silent, or an option that is refused ends the match with an error.
package main

import (
	"context"
	"io"
	"runtime/debug"

	"trefoil/tools/internal/program"
)

func main() {
	debug.SetGCPercent(1000) // a search leaves garbage, and nothing else does
	program.Main("match", run)
}

const usage = `match [flags] PLAYER PLAYER              play games; players: programs, nets, none, uct, ultimattt:PATH
       match mates [flags] ENGINE ENGINE FILE   compare engines at mates
       match ends [flags]                       play games to the mate, and print their last positions
       match mates -h, match ends -h            list the flags of these; the flags of games are`

// run is the command with its arguments and outputs.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	switch {
	case len(args) > 0 && args[0] == "mates":
		return compareAtMates(ctx, program.Flags("match mates [flags] ENGINE ENGINE FILE", errs), args[1:], out)
	case len(args) > 0 && args[0] == "ends":
		return printEnds(ctx, program.Flags("match ends [flags]", errs), args[1:], out)
	}
	return playMatch(ctx, program.Flags(usage, errs), args, out)
}
