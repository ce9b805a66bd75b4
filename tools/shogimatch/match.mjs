#!/usr/bin/env node
// Plays a match of two USI engines and prints its score; see README.md.

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Engine } from "./engine.mjs";
import { play } from "./game.mjs";
import { score } from "./score.mjs";

const usage = "usage: match.mjs --engine 'name=A cmd=… [Option=Value …]' --engine 'name=B …' --go 'movetime 100' " +
  "[--games N] [--openings FILE] [--first N] [--concurrency N] [--plies N] [--margin MS] [--out FILE]";

/** fail ends with a message that names what is wrong. */
function fail(why) {
  console.error(why);
  process.exit(2);
}

function whole(values, name, least) {
  const n = Number(values[name]);
  if (!Number.isInteger(n) || n < least) fail(`--${name} ${values[name]}: not a whole number of ${least} or more`);
  return n;
}

/** parse reads the command line. */
function parse() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        engine: { type: "string", multiple: true, default: [] },
        go: { type: "string", multiple: true, default: [] },
        games: { type: "string", default: "2" },
        openings: { type: "string" },
        first: { type: "string", default: "1" },
        concurrency: { type: "string", default: "1" },
        plies: { type: "string", default: "512" },
        margin: { type: "string", default: "0" },
        out: { type: "string" },
      },
    }));
  } catch (e) {
    fail(`${e.message}\n${usage}`);
  }
  if (values.engine.length !== 2 || values.go.length === 0 || values.go.length > 2) fail(usage);
  return {
    specs: values.engine.map(parseEngine),
    clocks: [values.go[0], values.go.at(-1)].map(parseClock),
    games: whole(values, "games", 1),
    openings: values.openings ? parseOpenings(values.openings) : [[]],
    first: whole(values, "first", 1),
    concurrency: whole(values, "concurrency", 1),
    rules: { mostPlies: whole(values, "plies", 1), margin: whole(values, "margin", 0) },
    out: values.out,
  };
}

function parseEngine(text) {
  const words = [...text.matchAll(/([^\s=]+)=("[^"]*"|\S*)/g)].map((m) => [m[1], m[2].replaceAll('"', "")]);
  const { name, cmd, ...options } = Object.fromEntries(words);
  if (!name || !cmd) fail(`--engine ${text}: no name=… or no cmd=…`);
  return { name, cmd, options };
}

function parseClock(text) {
  const known = ["movetime", "nodes", "depth", "time", "byoyomi", "inc"];
  const clock = {};
  const words = text.trim().split(/\s+/);
  for (let i = 0; i < words.length; i += 2) {
    const n = Number(words[i + 1]);
    if (!known.includes(words[i]) || !Number.isInteger(n) || n < 0) fail(`--go ${text}: ${words[i]} ${words[i + 1] ?? ""}`);
    clock[words[i]] = n;
  }
  if ("time" in clock || "byoyomi" in clock || "inc" in clock) return { time: 0, byoyomi: 0, inc: 0, ...clock };
  return clock;
}

function parseOpenings(file) {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch (e) {
    fail(`--openings ${e.message}`);
  }
  const all = text.split("\n").filter((line) => /^startpos( moves|$)/.test(line));
  if (all.length === 0) fail(`--openings ${file}: no line 'startpos moves …'`);
  return all.map((line) => line.split(/\s+/).slice(2).filter(Boolean));
}

/** A Player is an engine that also counts its moves, time and nodes. */
class Player extends Engine {
  constructor(spec, sums) {
    super(spec);
    this.sums = sums;
  }

  tally(milliseconds) {
    const number = (name) => Number(new RegExp(` ${name} (\\d+)`).exec(this.info)?.[1] ?? 0);
    this.sums.moves++;
    this.sums.milliseconds += milliseconds;
    this.sums.longest = Math.max(this.sums.longest, milliseconds);
    this.sums.nodes += number("nodes");
    this.sums.hashfull += number("hashfull");
  }
}

async function main() {
  const match = parse();
  const results = [];
  const sums = match.specs.map(() => ({ moves: 0, milliseconds: 0, longest: 0, nodes: 0, hashfull: 0 }));
  if (match.out) writeFileSync(match.out, "");
  let next = 0;
  const start = async (spec, i) => {
    const player = new Player(spec, sums[i]);
    await player.start();
    return player;
  };
  const worker = async () => {
    const players = await Promise.all(match.specs.map(start));
    while (next < match.games) {
      const game = next++;
      const opening = match.openings[(match.first - 1 + (game >> 1)) % match.openings.length];
      for (let i = 0; i < 2; i++) {
        if (players[i].dead) players[i] = await start(match.specs[i], i);
        await players[i].newGame();
      }
      const black = game % 2;
      const sides = (of) => ({ black: of[black], white: of[1 - black] });
      const r = await play(sides(players), opening, sides(match.clocks), match.rules);
      const points = r.winner === null ? 0.5 : (r.winner === "black") === (black === 0) ? 1 : 0;
      results.push({ game, points });
      const complaints = players.flatMap((p) => p.complaints.splice(0));
      report(match, game, black, r, complaints, points);
      if (results.length % 20 === 0 || results.length === match.games) console.log(score(match.specs[0].name, results));
    }
    for (const p of players) p.quit();
  };
  await Promise.all(Array.from({ length: match.concurrency }, worker));
  match.specs.forEach(({ name }, i) => {
    const s = sums[i];
    console.log(`${name}: ${s.moves} moves, mean ${(s.milliseconds / s.moves).toFixed(1)} ms, longest ${s.longest.toFixed(0)} ms, ` +
      `mean ${(s.nodes / s.moves).toFixed(0)} nodes, ${(s.nodes / s.milliseconds).toFixed(0)} nodes/ms, mean hashfull ${(s.hashfull / s.moves).toFixed(0)}`);
  });
}

/** report prints a game, and keeps its moves. */
function report(match, game, black, r, complaints, points) {
  const names = [match.specs[black].name, match.specs[1 - black].name];
  const winner = r.winner === null ? "draw" : names[r.winner === "black" ? 0 : 1];
  const late = Number.isFinite(r.late) ? `, at most ${r.late.toFixed(0)} ms late` : "";
  console.log(`game ${game + 1}: ${names[0]} - ${names[1]}: ${winner}, ${r.reason}, ${r.plies} plies${late}`);
  for (const c of complaints) console.log(`  ${c}`);
  if (match.out) {
    appendFileSync(match.out, [game + 1, ...names, points, r.reason, `startpos moves ${r.moves.join(" ")}`].join("\t") + "\n");
  }
}

main().catch((e) => fail(e.message));
