// One game of two USI engines. Whether moves are legal, and what the result is, tsshogi says.

import {
  Color, JishogiDeclarationResult, JishogiDeclarationRule, PieceType, Record, Square, judgeJishogiDeclaration,
} from "tsshogi";

const lost = { black: "white", white: "black" };

/**
 * play plays a game to its end. clocks has the limits of go of each side: {movetime}, {nodes}, {depth}, or a
 * time control {time, byoyomi, inc} in milliseconds, where overstepping by more than margin loses.
 * @returns {{winner: "black"|"white"|null, reason: string, moves: string[], plies: number, late: number}}
 */
export async function play(engines, opening, clocks, { mostPlies, margin }) {
  const record = new Record();
  for (const text of opening) {
    if (!record.append(record.position.createMoveByUSI(text))) throw new Error(`opening: ${text} is illegal`);
  }
  const moves = [...opening];
  const left = { black: clocks.black.time ?? 0, white: clocks.white.time ?? 0 };
  let late = -Infinity; // the most milliseconds that a move took beyond what it was given
  const end = (winner, reason) => ({ winner, reason, moves, plies: moves.length, late });
  while (moves.length < mostPlies) {
    const side = record.position.color === Color.BLACK ? "black" : "white";
    const engine = engines[side];
    const clock = clocks[side];
    engine.send("position startpos moves " + moves.join(" "));
    const given = clock.movetime ?? (timed(clock) ? left[side] + clock.byoyomi + clock.inc : Infinity);
    const began = performance.now();
    let answer;
    try {
      answer = await engine.ask(command(clock, left), "bestmove", Math.min(given, 600_000) + 10_000);
    } catch (e) {
      return end(lost[side], `crash: ${e.message}`);
    }
    const took = performance.now() - began;
    engine.tally(took);
    late = Math.max(late, took - given);
    if (timed(clock)) {
      if (took > given + margin) return end(lost[side], `time: ${engine.name} took ${took.toFixed(0)} ms of ${given}`);
      left[side] = remaining(clock, left[side], took);
    }
    const move = answer.split(" ")[1];
    if (move === "resign") return end(lost[side], mated(record.position) ? "mate" : "resigned");
    if (move === "win") {
      const judged = judgeJishogiDeclaration(JishogiDeclarationRule.GENERAL27, record.position, record.position.color);
      if (judged === JishogiDeclarationResult.WIN) return end(side, "declaration");
      return end(lost[side], `illegal: ${engine.name} declares at ${record.position.sfen}`);
    }
    const legal = record.position.createMoveByUSI(move);
    if (!legal || !record.append(legal)) {
      return end(lost[side], `illegal: ${engine.name} plays ${move} at ${record.position.sfen}`);
    }
    moves.push(move);
    if (record.repetition) {
      const checker = record.perpetualCheck;
      if (checker === null) return end(null, "repetition");
      return end(checker === Color.BLACK ? "white" : "black", "perpetual check");
    }
  }
  return end(null, "length");
}

/** remaining is the time left after a move that took some of it. Byoyomi begins when there is none, and is not saved. */
export const remaining = (clock, left, took) => Math.max(0, left + clock.inc - took);

const timed = (clock) => clock.time !== undefined;

/** command is the go command for what is left on the clocks, without this move's increment. */
function command(clock, left) {
  if (!timed(clock)) return "go " + Object.entries(clock).flat().join(" ");
  const times = `go btime ${Math.round(left.black)} wtime ${Math.round(left.white)}`;
  return clock.inc ? `${times} binc ${clock.inc} winc ${clock.inc}` : `${times} byoyomi ${clock.byoyomi}`;
}

const droppable = [
  PieceType.PAWN, PieceType.LANCE, PieceType.KNIGHT, PieceType.SILVER, PieceType.GOLD, PieceType.BISHOP, PieceType.ROOK,
];

/** mated reports whether the side to move has no legal move. */
function mated(position) {
  const able = (from, to) => {
    const move = position.createMove(from, to);
    return move && (position.isValidMove(move) || position.isValidMove(move.withPromote()));
  };
  for (const to of Square.all) {
    for (const from of Square.all) {
      if (position.board.at(from)?.color === position.color && able(from, to)) return false;
    }
    for (const piece of droppable) {
      if (position.hand(position.color).count(piece) > 0 && able(piece, to)) return false;
    }
  }
  return true;
}
