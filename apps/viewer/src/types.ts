// What the program answers; see src/viewing/scene.cpp.
export type Vector = [number, number, number];
export type Turn = [number, number, number, number];

export interface Surface {
  points: Vector[];
  faces: number[][];
  lines: number[][];
}

export interface Geometry {
  shape: string;
  name: string;
  position: Vector;
  turn: Turn;
  radius?: number;
  length?: number;
  width?: number;
  height?: number;
  size?: number[];
  color?: string;
  outline?: [number, number][];
  surface?: Surface; // of a shape that the page does not know by its name
  closed?: boolean;
}

export interface Body {
  name: string;
  mass: number;
  inertia: Vector; // diagonal
  center: Vector;
  geometry: Geometry[];
}

export interface Element {
  name: string;
  type: string;
  bodies?: [number, number]; // 0 is the ground
  points?: [Vector, Vector];
  axes?: [Turn, Turn];
  lines?: Vector[][]; // on the first body, which is held along them and not at its point
  clearance?: { radial: number; bearing_radius: number; length: number; bearing: 0 | 1; guide: boolean };
}

export interface Beam {
  name: string;
  nodes: number[];
  radius: number;
  elements: { length: number; begin: Vector; end: Vector }[];
}

// A rolling bearing whose elements are no bodies; rings in the axes of their bodies, the rest in those of the outer one.
export interface Bearing {
  index: number;
  name: string;
  bodies: [number, number];
  rings: [Surface, Surface];
  cage: Surface;
  elements: { center: Vector; axis: Vector }[];
  radius: number;
  length: number; // 0: balls
}

export interface Part {
  index: number;
  place: number;
  count: number;
}

export interface Layout {
  width: number;
  bodies: { place: number; position: boolean; turn: boolean }[];
  contacts: { group: string; place: number; mean: boolean; friction: number; area: boolean; bodies: [number, number] | null }[]; // bodies: of a pair of two; area: normal and patch area follow
  reactions: Part[];
  eccentricities: Part[];
  stresses: Part[];
  bearings: Part[]; // loads of the elements, N
}

export interface Scene {
  kind: "result" | "model";
  name: string;
  file: string;
  status: string;
  drawable: boolean;
  planar: boolean;
  gravity: Vector;
  samples: number;
  start: number;
  end: number;
  events: number;
  method: string;
  period: number; // s, of a drive that turns steadily; 0: none
  warnings: string[];
  ground: Body;
  bodies: Body[];
  joints: Element[];
  forces: Element[];
  beams: Beam[];
  bearings: Bearing[];
  frames: Layout;
}

export interface Component {
  name: string;
  unit: string;
  meaning: string;
}
export interface Group {
  name: string;
  components: Component[];
}

export interface Mark {
  first: number;
  last: number;
  count: number;
  kind: string;
  subject: string;
}

export interface EventPage {
  total: number;
  first: number;
  kinds: { name: string; values: Component[] }[];
  events: { time: number; kind: string; subject: string; values: number[] }[];
}

export interface Summary {
  file: string;
  status: string;
  version: string;
  report: string;
  statistics: unknown;
}

// A parameter of the model: `base` as the file or the command line says it, `text` as it was run.
export interface Parameter {
  name: string;
  base: string;
  text: string;
  value: number | null; // in `unit`, SI
  unit: string;
  remark: string;
}
export interface Parameters {
  runs: boolean; // they can be changed
  list: Parameter[];
}

export interface FileState {
  kind: "result" | "model";
  file: string;
  generation: number; // another one: the file is another one
  status: string;
  samples: number;
  start: number;
  end: number;
  growing: boolean; // a run may be writing it
  error?: string; // then nothing else is known
}

export interface RunState {
  phase: "idle" | "running" | "ended";
  number: number;
  t: number; // s, simulated; from, to likewise
  from: number;
  to: number;
  seconds: number;
  stopped: boolean;
  code: number;
  words: string;
  result: string; // file
  replaces: boolean; // there is such a file already
}

export interface State {
  files: FileState[];
  run: RunState | null;
}

export interface SpectrumData {
  resolution: number; // Hz
  samples: number;
  curve: [number, number | null][];
  peaks: [number, number][];
}
