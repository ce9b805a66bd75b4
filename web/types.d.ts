// The types of the page, for tsc: the JSON of the server, which doc.go describes, and what the modules of the page share.

// ---- The JSON of the server

interface GameInfo {
  name: string; title: string; board: string; sides: [string, string]; formats: string[];
  variants: { name: string; title: string; setup: string }[];
  shapes?: { size: string; sizes: string[]; connect: number; least: number; most: number };
  mode?: 'mate' | 'values';
  levels?: { kind: 'elo' | 'skill'; lowest: number; highest: number };
  table?: Kind; counted?: boolean; marked?: boolean;
  module: GameBoard; // which the page adds
}

interface Move { move: string; text: string; kanji?: string }

interface Described { game: string; setup: string; moves: string[]; board?: string; connect?: number }

interface Position extends Described {
  notes: string[]; now: string; side: number; check: boolean; played: Move[]; legal: Move[];
  declares?: boolean; keyed?: boolean; drawing?: string[];
  result: { winner: number | null; unknown?: boolean; reason: string } | null;
}

interface Note { before?: string[]; comments?: string[]; marks?: number[]; time?: string; end?: string }

type TreeNode = Note & { after: number; move?: string };

type HeaderList = [string, string][];

type Result = 'win' | 'draw' | 'loss';

type Score = { plies?: number } & (
  { cp: number; mate?: undefined; result?: undefined } | { mate: number; result?: undefined } | { result: Result; mate?: undefined });

interface Info {
  id: number; depth: number; seldepth: number; line: number; score: Score; bound: 'exact' | 'lower' | 'upper';
  nodes: number; nps: number; hashfull?: number; pv: string[]; text: string[]; kanji?: string[];
}

// What is known of a move: a result, or how far its proof is.
type Value = { result: Result; text: string; plies?: number; score?: number } | Open;

interface Open { result?: undefined; text?: undefined; plies?: undefined; score?: undefined; goal: 'win' | 'loss'; phi: number; delta: number }

interface Values { id: number; moves: Record<string, Value>; done: boolean }

interface Reviewed { score: Score; move: string }

interface Best { id: number; move?: string; reason?: string; result?: Reviewed }

interface Queue { id: number; place: number }

interface EngineOption { name: string; value: string; useful: number }

type Kind = 'cluster' | 'window' | 'remainder';

interface TableEvent {
  kind: Kind; kinds: Kind[]; game: string; mib: number; entries: number; places: number; step: number; inUse?: number;
  width: number; pixels: number; cells: string; hashfull: number; pages: string;
  probes?: number; hits: number; cutoffs: number; stores: number; replaced: number;
  halfHits?: number; doubleHits?: number; falseHits?: number;
  bytes: Uint8Array; // of cells, which the page adds
}

interface Place { kind: Kind; index: number; pixel: number; side?: number; bytes: string; found?: number; entries: Entry[] }

interface Entry { used: boolean; bits: Field[]; content: Content }

interface Field { name: string; from: number; to: number; value: number | string }

// The fields of clusterEntry, windowEntry and remainderEntry; an entry has those of its kind.
interface Content {
  move: string; text?: string; value: number; depth: number; bound: string; pv: boolean; age: number; eval: number;
  phi: number; delta: number; result: string; work: number; plies: number; indexByte: number;
  rows?: string[]; mover: number; lower: number; upper: number;
}

interface TreeField { after: number; move: Move; entries: number; content: Content } // the first one has no move

interface TableTree {
  entries: number; left: number; depth: number; fields: TreeField[]; joins: { from: number; to: number; move: Move }[];
}

interface FilmTable {
  design: string; mib: number; pixels: number; frames: { hits: number; cutoffs: number; full: number; cells: string }[];
}

interface FilmData {
  game: string; note: string; mib: number; searches: number; width: number; designs: { name: string; help: string }[];
  moments: { records: number; probes: number }[]; tables: FilmTable[];
}

interface FileGame {
  from: number; to: number; players: string[]; result: string; date: string; event: string; plies: number; error?: string;
}

interface Answers {
  '/api/games': GameInfo[];
  '/api/position': Position;
  '/api/export': { text: string };
  '/api/import': Position & { headers?: HeaderList; tree?: TreeNode[] };
  '/api/contents': { games: FileGame[] };
  '/api/lines': { lines: (Move[] | null)[] };
  '/api/search': Queue;
  '/api/stop': {};
  '/api/review': { marks: number[]; sides: string[] };
  '/api/options': EngineOption[];
  '/api/option': { notices: string[] };
  '/api/cluster': Place;
  '/api/tree': TableTree;
  '/api/film': FilmData;
}

interface EventData {
  hello: { engine: string; version: number; link?: string };
  queue: Queue; info: Info; values: Values; best: Best; notice: { text: string }; table: TableEvent;
}

// ---- The boards of the games

// The board of a game has these functions of a position of the server; boards/NAME.js exports it as board, where NAME is
// the name of the game. A game without such a file has boards/text.js.
interface GameBoard {
  layout(position: Position, flip: boolean, options: BoardOptions): Layout;
  contents(position: Position, options: BoardOptions): Map<string, Cell>; // by the names of the cells
  moves(position: Position): BoardMove[];
  lastMove(move: string, position: Position): string[]; // the cells of the last move
  overlays?(position: Position): { row: number; column: number; size: number; draw: () => Element }[]; // pictures over several cells
  example?: string; // a move, as it can be typed
  ends?: Record<string, string>; // how games end, in English by the words of files
  rules?: string; // how the game is played, in some sentences
  values?: string; // what the values of moves mean
  flips?: boolean; // the board can be seen from the other side
  slides?: boolean; // pieces go from cell to cell, and are seen to
  kanji?: boolean; // pieces and moves can be written with kanji
  firstMove?(setup: string): number; // the number of the first move; 1 without it
  underColumns?(position: Position): string[]; // moves whose values stand under the columns of the board, not in their cells
  choice?(move: BoardMove, position: Position, options: BoardOptions): Choice; // of a move that promotes
}

interface BoardOptions {
  flip: boolean; kanji: boolean; label: string;
  active: boolean; // a person may move
  last: string | null; hint?: string; // moves to mark
}

interface Layout {
  rows: string[][]; // names of cells as they are seen
  ratio: number; // width by height of a cell
  hands?: { top: string[]; bottom: string[] };
  coordinates?: { left?: Coordinate; right?: Coordinate; top?: Coordinate; bottom?: Coordinate }; // from names of cells
  drawing?: string; // text above the cells
}

type Coordinate = (name: string) => string;

interface Cell { label: string; key: string; draw?: (() => Element) | null; count?: number; classes: string[] } // key changes with the picture

interface BoardMove extends Move { from: string | null; to: string; others: string[]; promotion: string } // from is null where moves have only a target

interface Choice { draw: () => Element; label: string }

// ---- What modules of the page share

type App = import('./page/app.js').App;

// The state of the page, see defaults in app.js.
interface State {
  game: string; board: string; connect: string; setup: string; moves: string[]; at: number | null; lines: string[][]; main: string;
  view: string; flip: string; kanji: string; you: string; level: string; clock: string; left: string; over: string;
  notes: Notes; headers: HeaderList;
}

type Notes = Record<string, Note>; // by the paths of positions

// Functions for the events of a search; ended if it has none.
interface Listener {
  info?(data: Info): void; values?(data: Values): void; queue?(data: Queue): void; best?(data: Best): void;
  failed?(e: unknown): void; ended?(): void;
}

// A line with its moves as people write them, from the side that made the first.
interface Written { setup: string; side: number; played: Move[] }

interface ShownLine { moves: string[]; answer: Written }

// A field of the tree, with its place: y, end of its children so far, and height.
interface TreePlace extends TreeField {
  height: number; y: number; end: number; ply: number; line: Move[]; name: string; best: boolean;
  parent?: TreePlace; children: TreePlace[]; arcs: { from: TreePlace; to: TreePlace; move: Move }[];
}

type Colour = number[]; // red, green, blue, and how opaque it is

type Legend = [Colour, string][];

interface Colouring { colour: (bytes: ArrayLike<number>, i: number) => Colour; legend: Legend | ((sides: string[]) => Legend); caption: string }

interface TableKind {
  title: string; about: string; help?: [string, string][]; click: string; entries: string; full: string; place: string; note: string;
  colourings: Record<string, Colouring>;
  heading(place: Place, sides: string[]): string; // sides of the game whose table it is
  entry(content: Content, sides: string[]): string[];
  picture?(content: Content): Element | undefined;
}

// An element of index.html. The compiler does not know its kind, so it has the members of all.
type Part = HTMLInputElement & Pick<HTMLSelectElement, 'options'> & Pick<HTMLCanvasElement, 'getContext' | 'toDataURL'> &
  Pick<HTMLDialogElement, 'open' | 'showModal' | 'close'>;
