// Package web serves boards, analysis and the hash table to a browser: the page in web/page, and the JSON interface
// described below.
//
//	browser ── HTTP ──► guard ──┬── page        files in the program
//	                            ├── position    rules, without an engine
//	                            ├── search ───► queue ──► worker ── Engine
//	                            └── events ◄── mailbox of each session ◄──┘
//
// Requests never wait for the engine, except those that set an option; a page that does not read its events holds
// up neither the engine nor another page.
//
// # Games and positions
//
// GET /api/games lists the games:
//
//		[{"name": "chess", "title": "chess", "start": "startpos", "notation": "FEN", "board": "chess",
//		  "sides": ["White", "Black"], "variants": [{"name": "chess960", "title": "Chess960", "setup": "chess960"}],
//		  "formats": ["pgn", "text"], "mode": "mate", "levels": {"kind": "elo", "lowest": 600, "highest": 2690},
//		  "table": "cluster", "counted": true}, …]
//
//	  - board: the file of boards that draws the game; text if the game has none of its own
//	  - shapes, if the size of the board can be chosen: size and connect of the standard game, all sizes, and the
//	    least and the most that connect may be
//	  - mode: mate or values, if the game has searches of that mode, see below
//	  - levels, if the game has weaker levels: the field of a search, skill or elo, and its bounds
//	  - table: the kind of the table that its searches fill first; missing if they use none
//	  - counted: true if its searches can be counted, see stats below
//	  - marked: true if POST /api/review marks its moves
//
// POST /api/position returns what a board shows. The server keeps no games: every request has the whole game, as
// its first position and its moves.
//
//   - game: the name of a game
//   - setup: startpos, the default; a position in the notation of the game; chess960 for a random start
//     position, or chess960 518 for one by its number, 0 to 959
//   - moves: in the engine's notation: e2e4, e7e8q; 7g7f, 8h2b+, P*5e; 4; hf. At most 2000
//   - board, connect: for Connect Four: the size, such as "7x6", and how many in a line win, 3 to 5
//
// The answer:
//
//   - game, setup, moves, board, connect: as accepted, setup in the notation of the game
//   - notes: what was repaired in setup, as text
//   - now: the position after the moves, in the same notation; in Connect Four, the columns played
//   - side: the side to move: 0 is the side that begins a game, sides[0]
//   - check: its king is in check
//   - played, legal: moves: {"move": "e2e4", "text": "e4"}. text is SAN, in shogi the Western notation (P-7f),
//     elsewhere the same as move; in shogi there is also kanji, as in KIF
//   - declares: true if the side to move may win by declaration (shogi)
//   - keyed: true if POST /api/cluster can look for the position
//   - drawing: the lines that the command d prints, for a game with the board text
//   - result: null, or {"winner": 0, "reason": "checkmate"}; winner is null after a draw, and if unknown is true.
//     After a draw by rule legal still lists the moves
//
// POST /api/export takes the fields of a position, and format, one of the formats of the game; it answers
// {"text": "…"}. pgn, kif and csa take players and result from "tags": {"White": "…", "Black": "…", "Result": "1-0"},
// where the result counts unless the rules have ended the game, and so does "Termination": "time forfeit", a
// loss on time; pgn takes Event, Site, Date and Round too. text is the first position, the word moves, and the
// moves. pgn, kif and csa also take, where csa has the headers of kif and only the main line of the tree,
//
//   - headers: [["Event", "…"], …], in the words of the format, in their order; tags have precedence
//   - tree: the game with its variations, in the place of moves: [{"after": 0}, {"after": 0, "move": "e2e4"}, …]. The
//     first node is the first position, and after is the index of an earlier node. Of the nodes after the same one
//     the first continues its line. A node may have before and comments, lists of texts before and after the move;
//     marks, numbers of PGN such as 4 for ??; time, as KIF has it; and end, how the line ends, such as 1-0 or 投了. In
//     pgn the end of the main line counts where moves are legal, also after a draw by rule
//
// POST /api/import with {"text": "…"} answers as POST /api/position does, for a game in a file with headers and
// tree too. What of a variation is not legal, such as a null move, is a comment in the tree. Headers of CSA, KI2
// and JKF have the names of KIF. It reads the first game of a text in PGN (the tags may be missing), KIF, KI2, CSA
// or JKF, a position, or a position followed by moves, as in the command position of UCI and USI. Columns of
// Connect Four are moves from the empty board. game decides when a text could be of several games, such as
// startpos; without it the first game that can read the text is taken. board and connect are as above.
//
// POST /api/contents with {"text": "…"}, in any of these formats, answers {"games": [{"from": 0, "to": 512, "players":
// ["A", "B"], "result": "1-0", "date": "…", "event": "…", "plies": 80}, …]}: its games, from and to which bytes of the
// text in UTF-8 each goes, and error if one cannot be read. The moves of PGN are not checked.
//
// POST /api/lines takes the fields of a position, and lines, lists of moves from the first position; it answers
// {"lines": [[{"move": "e2e4", "text": "e4"}, …], …]}, with null for a line that is not legal.
//
// # Sessions and events
//
// GET /api/events?session=ID is a stream of server-sent events. The client chooses ID: 32 random hexadecimal
// digits in lower case. A second stream of the same session replaces the first, and gets the latest events of
// the search again. Fifteen seconds after its stream has ended the session ends, and its search with it. At most
// ten times a second the latest event of each kind is sent.
//
//   - hello: {"version": 1, "engine": "Trefoil …", "limits": {"sessions", "body", "moves", "lines"}}, first; with
//     --link-base also link, the address with which a copied link begins
//   - queue: {"id": 7, "place": 2}: how many searches come before this one; 0 once it runs
//   - info: a report of the search, for each line
//   - values: in mode values: {"id": 7, "moves": {"4": {"result": "win", "plies": 17, "score": 18, "text":
//     "wins in 9"}}, "done": false}, the moves whose value is proved, for the side that makes them; done is
//     true at the end of the search. In Ultimate Tic-Tac-Toe a move that is not decided has {"goal": "loss",
//     "phi": 12, "delta": 7}: the proof number and the disproof number of the goal that is searched, loss
//     first, then win
//   - best: {"id": 7, "move": "e2e4", "ponder": "e7e5", "reason": "…"}, the end of a search. move is missing
//     if there is none. reason is stopped, replaced by another search of the session, resigns, declares a win,
//     no mate, unknown (no mate was found), or begins with error: . result, in a game with marks, is the last exact
//     score and its move: {"score": {…}, "move": "e2e4"}. line has the moves to a mate that was looked for
//   - notice: {"text": "…"}, a message from the engine
//
// Fields of info: id; depth, seldepth; line, where 1 is the best; score; bound: exact, lower or upper; wdl: win,
// draw and loss in permille, if known; nodes, nps, ms; hashfull in permille, if there is a table; pv: moves;
// text: the same moves in human notation; in shogi also kanji.
//
// A score is for the side to move. It has one of these forms:
//
//   - {"cp": 31}: centipawns, or an estimate of a solver
//   - {"mate": 5, "plies": 9}: a mate in 5 moves, negative if the side to move is mated (chess and shogi)
//   - {"result": "win", "plies": 17}: the proved result of a solved game, win, draw or loss, and the plies to
//     its end. If bound is not exact, the result is at least, or at most, this
//
// The text of a value counts the moves of the side that wins or loses. score is how Connect Four counts: the
// stones that the winner has left, plus 1; negative for a loss.
//
// # Searches
//
// POST /api/search starts a search and answers {"id": 7, "place": 0}. Its session must have a stream. The engine
// runs one search at a time, the others wait in order. A new search of a session replaces its earlier one, whose
// best then has the reason replaced. A search gives way after ten seconds if others wait, and continues after them
// with what is in its table and what is left of its limits.
//
//   - session: whose stream gets the events
//   - game, setup, moves, board, connect: as above
//   - mode: play: a move. hint: a move at full strength. analyse: the best lines. mate: a forced mate (chess,
//     shogi: with checks only). values: the value of every move (Connect Four, Ultimate Tic-Tac-Toe)
//   - lines: for analyse: 1 to 20
//   - clock: {"time": [ms, ms], "inc": [ms, ms], "byoyomi": ms}, by side. It runs from the moment the search
//     has place 0
//   - movetime, nodes, infinite: other limits. Without a limit play and hint take a second and mate 30
//     seconds; the others run until they are stopped
//   - skill, elo: for play: a level from 0 to 20 (chess, shogi), or a rating (chess)
//   - noBook: true searches positions that are in an opening book too. The page's view of the hash sets it
//   - newGame: true clears the table first, as at the beginning of a game
//
// POST /api/stop with {"session": "…"} ends the search of a session; it still sends its best.
//
// POST /api/review with the fields of a position and results, one for a search of each position, where null
// stands for the last one if the rules have ended the game, answers as trefoil analyse does: {"marks": [0, 3, …],
// "sides": ["White: 0 inaccuracies, …"]}, the moves from good, 0, to a blunder, 3. The results equal the results of
// trefoil analyse if the searches have the same limits and table, and go from the last position, with newGame, to the
// first.
//
// # Options
//
// GET /api/options lists what a page may change, each with name, kind (spin, check, combo, button), value,
// default, min and max, useful (of Threads: how many processors there are), vars, help, and games if not all use
// it: Hash, Threads, HashAudit, HashPages, Clear Hash, and the EvalFile of each game with the values embedded and
// none. uci.md describes them.
//
// POST /api/option with {"name": "Hash", "value": "100"} sets one and answers {"notices": ["…"]}. Values are
// text; "" presses a button, such as the one that empties the table. Hash takes any number of MiB. A search
// without a limit is interrupted for the change and then continues; if a search has a limit the request waits
// for it, for at most a minute.
//
// # The tables
//
// With &table=1 a stream also has the event table, at most five times a second: a map of the table of the game
// that was searched last, of at most 4096 pixels with four bytes each; &table=window asks for that kind. The
// kinds are named after the packages cluster (alpha-beta), window (proof search) and remainder (Connect Four).
// With &stats=1 the event also has rates of the search, counted in a sample, and what half and twice the size
// would hit. An open page costs a search about 1 %.
//
// GET /api/cluster?kind=K&pixel=N returns what a pixel shows, bit by bit; index=N instead of the pixel is the
// number of a cluster, a slot or a bucket. POST /api/cluster with the fields of a position returns the cluster
// of that position; found is the number of its entry, or -1. table.go has the fields of both, and
// table_cluster.go, table_window.go and table_remainder.go beside it have the bytes of a pixel and the contents
// of an entry.
//
// POST /api/tree with the fields of a position returns the entries of a cluster table that moves from this
// position lead to, as a tree: {"entries": 4096, "left": 9000, "depth": 6, "fields": […], "joins": […]}. At most
// 4096 entries are walked, the deepest ones first; left were found but not walked, none of them deeper than depth.
// fields are the entries with the most entries below, at most 320, down to 8 plies: {"after": 0, "move": {"move":
// "e2e4", "text": "e4"}, "entries": 812, "content": {…}}, where after is the index of the field before, -1 for the
// position itself, and entries counts each entry at and below the field once, in the line in which it was found
// first. joins are other moves to fields, at most 80: {"from": 3, "to": 17, "move": {…}}. There are no fields if
// the table does not have the position. It takes about a tenth of a second of processor time.
//
// POST /api/film?first=trefoil&second=stockfish&mib=0.5 takes a trace of any engine (docs/trace.md), of the type
// application/octet-stream and at most 64 MiB, and replays it as trefoil hash replay does against two
// tables of up to 64 MiB. It answers with the header of the trace: game, note, mib and searches; designs,
// the presets that first and second may be, each with name and help; and up to 100 moments: {"records":
// 20000, "probes": 11000}, how much of the trace was replayed. tables are the two: design, mib, pixels of
// the map, and for each moment a frame: {"hits": 3000, "cutoffs": 1200, "full": 0.8, "cells": "…"}. Hits
// and cutoffs are of all probes so far, full is a share of the entries, cells are like the cells of the
// event table, with width pixels in a row and ages in quarters of a search. One trace is replayed at a
// time; another one gets the status 503.
package web
