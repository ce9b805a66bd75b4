// Files of games, chosen in a dialog or dropped on the page. The server lists the games of a part of a file, and reads the
// one that is chosen; the page keeps the text. A file of Trefoil's own is taken for a trace.

import { request } from './api.js';
import { $, element } from './board.js';

const longestFile = 64 << 20; // bytes
const longestPart = 256 << 10; // characters, unless one game has more
const mostRows = 500;

// textOf decodes a file: UTF-8, or what the programs of its kind wrote before.
/** @param {File} file */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(/\.pgn$/i.test(file.name) ? 'windows-1252' : 'shift_jis').decode(bytes);
  }
}

// partsOf splits a text where games begin: a line of PGN with the event, a line of CSA after a slash.
/** @param {string} text */
function* partsOf(text) {
  const begins = /^\[Event "|^\/\r?\n/gm;
  let from = 0;
  while (text.length - from > longestPart) {
    const before = text.slice(from + 1, from + longestPart);
    let to = from + 1 + Math.max(before.lastIndexOf('\n[Event "'), before.lastIndexOf('\n/\n'), before.lastIndexOf('\n/\r\n')) + 1;
    if (to === from + 1) {
      begins.lastIndex = from + longestPart;
      to = begins.exec(text)?.index ?? text.length;
    }
    yield text.slice(from, to);
    from = to;
  }
  if (text.slice(from).trim()) yield text.slice(from);
}

// download saves a text or a picture as a file.
/** @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = element('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export class Files {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.games = /** @type {(FileGame & { part: string })[]} */ ([]); // of the files that were opened last: what the server says of each, and its part of a file
    this.reading = /** @type {object | null} */ (null);
    $('#open-file').addEventListener('click', () => $('#file').click());
    $('#open-list').addEventListener('click', () => this.show());
    $('#file').addEventListener('change', () => {
      this.open([...$('#file').files ?? []]);
      $('#file').value = '';
    });
    $('#contents-find').addEventListener('input', () => this.draw());
    $('#contents-close').addEventListener('click', () => $('#contents').close());
    const drag = (/** @type {'dragover' | 'dragleave' | 'drop'} */ name, open = false) => addEventListener(name, e => {
      if (!e.dataTransfer?.types.includes('Files')) return;
      e.preventDefault(); // the browser would leave the page for the file
      document.body.classList.toggle('dropping', name === 'dragover');
      if (open) this.open([...e.dataTransfer.files]);
    });
    drag('dragover');
    drag('dragleave');
    drag('drop', true);
  }

  // open reads files. If they have one game it is set up, else they are listed.
  /** @param {File[]} files */
  async open(files) {
    const { app } = this, reading = this.reading = {};
    app.tell('');
    this.games = [];
    try {
      for (const file of files) {
        if (file.size > longestFile) {
          app.tell(`${file.name} has more than ${longestFile >> 20} MiB.`);
          continue;
        }
        const before = this.games.length;
        let text = '';
        try {
          text = await file.slice(0, 4).text();
          if (text !== 'TREF') text = await textOf(file);
        } catch {
          app.tell(`${file.name} cannot be read.`);
          continue;
        }
        if (text === 'TREF') {
          await app.film.open(file);
          continue;
        }
        for (const part of partsOf(text)) {
          const { games } = await request('/api/contents', { text: part });
          if (this.reading !== reading) return; // others were opened meanwhile
          for (const game of games) this.games.push({ ...game, part });
          if (this.games.length > 1 && !$('#contents').open) this.show();
          else if ($('#contents').open) this.draw();
        }
        if (this.games.length === before) app.tell(`${file.name} has no game.`);
      }
    } catch (e) { app.refuse(e); }
    if (this.reading !== reading) return;
    this.reading = null;
    if (this.games.length === 1) await this.choose(this.games[0]);
    this.draw();
  }

  // choose sets up a game.
  /** @param {FileGame & { part: string }} game */
  choose({ part, from, to }) {
    $('#contents').close();
    return this.app.setUp(new TextDecoder().decode(new TextEncoder().encode(part).slice(from, to)));
  }

  show() {
    $('#contents-find').value = '';
    this.draw();
    $('#contents').showModal();
  }

  // draw lists the games that have all the words that are looked for.
  draw() {
    const { games } = this, words = $('#contents-find').value.toLowerCase().split(/\s+/);
    const found = games.map((game, i) => ({ game, i })).filter(({ game: { players, event, date, result } }) => {
      const text = [...players, event, date, result].join(' ').toLowerCase();
      return words.every(word => text.includes(word));
    });
    $('#open-list').hidden = games.length < 2;
    $('#contents-title').textContent = `${games.length} games`;
    $('#contents-count').textContent = [this.reading ? 'Reading …' : '', words.join('') ? `${found.length} found.` : '',
      found.length > mostRows ? `The first ${mostRows} are shown.` : ''].filter(Boolean).join(' ');
    $('#contents tbody').replaceChildren(...found.slice(0, mostRows).map(({ game, i }) => {
      const row = element('tr'), button = element('button', '', game.players.map(name => name || '?').join(' – '));
      button.type = 'button';
      button.addEventListener('click', () => this.choose(game));
      const players = element('td');
      players.append(button);
      if (game.error) row.title = game.error;
      row.append(element('td', '', String(i + 1)), players, ...[game.result, game.date, game.event, String(game.plies)].map(text => element('td', '', text)));
      return row;
    }));
  }
}
