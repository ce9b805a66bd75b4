// npm test

import assert from "node:assert";
import test from "node:test";
import { remaining } from "./game.mjs";

test("a move takes the time on the clock before byoyomi", () => {
  const byoyomi = { time: 10_000, byoyomi: 1000, inc: 0 };
  assert.equal(remaining(byoyomi, 10_000, 800), 9200);
  assert.equal(remaining(byoyomi, 500, 1400), 0);
  assert.equal(remaining(byoyomi, 0, 400), 0);
});

test("an increment that is not used is saved", () => {
  const increments = { time: 10_000, byoyomi: 0, inc: 100 };
  assert.equal(remaining(increments, 10_000, 40), 10_060);
  assert.equal(remaining(increments, 50, 150), 0);
});
