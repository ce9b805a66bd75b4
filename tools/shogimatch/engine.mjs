// A USI engine as a child process, talked to line by line.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const silenceLimit = 10_000; // milliseconds an engine may be silent when its clock does not run

export class Engine {
  /** @param {{name: string, cmd: string, options: Object<string, string>}} spec */
  constructor(spec) {
    this.name = spec.name;
    this.complaints = [];
    this.waiting = null;
    const [file, ...args] = spec.cmd.split(" ");
    this.child = spawn(file, args, { stdio: ["pipe", "pipe", "ignore"] });
    this.child.on("error", (e) => this.#gone(e.message));
    this.child.on("exit", (code, signal) => this.#gone(`ended with ${signal ?? code}`));
    this.child.stdin.on("error", () => {});
    createInterface({ input: this.child.stdout }).on("line", (line) => this.#line(line));
    this.options = spec.options;
  }

  /** start says hello and sets the options. */
  async start() {
    await this.ask("usi", "usiok", silenceLimit);
    for (const [name, value] of Object.entries(this.options)) {
      this.send(`setoption name ${name} value ${value}`);
    }
    await this.ask("isready", "readyok", silenceLimit);
  }

  async newGame() {
    this.send("usinewgame");
    await this.ask("isready", "readyok", silenceLimit);
  }

  send(line) {
    this.child.stdin.write(line + "\n");
  }

  /** ask sends a line and resolves with the first answer that begins with word. An engine that is silent is ended. */
  ask(line, word, milliseconds) {
    return new Promise((resolve, reject) => {
      if (this.dead) {
        reject(new Error(`${this.name} ${this.dead}`));
        return;
      }
      const timer = setTimeout(() => {
        this.child.kill("SIGKILL"); // a late answer would count for the next question
        this.#gone(`is silent for ${milliseconds} ms after ${line}`);
      }, milliseconds);
      const done = (f) => (value) => {
        clearTimeout(timer);
        this.waiting = null;
        f(value);
      };
      this.waiting = { word, resolve: done(resolve), reject: done(reject) };
      this.info = "";
      this.send(line);
    });
  }

  quit() {
    this.send("quit");
    setTimeout(() => this.child.kill("SIGKILL"), 2000).unref();
  }

  #line(line) {
    if (line.startsWith("info string")) {
      if (/refused|error|illegal|invalid/i.test(line)) this.complaints.push(line);
    } else if (line.startsWith("info")) {
      if (/ nodes /.test(line)) this.info = line;
    } else if (this.waiting && line.split(" ")[0] === this.waiting.word) {
      this.waiting.resolve(line);
    }
  }

  #gone(why) {
    this.dead ??= why;
    this.waiting?.reject(new Error(`${this.name} ${why}`));
  }
}
