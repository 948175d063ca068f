import { listOf, listText, type Address } from "./address";

// How the scene is shown. Whoever changes one says so here; whoever draws listens.
export interface ViewOptions {
  joints: boolean;
  clearance: boolean;
  contacts: boolean; // forces at contacts
  reactions: boolean; // forces in joints
  cones: boolean;
  ghost: boolean;
  axes: boolean;
  scale: boolean; // of lengths and arrows
  legend: boolean;
  arrows: number; // length of arrows, logarithm to base 10
  color: "body" | "speed" | "force" | "stress";
  follow: string; // name of a body; empty: none
  paths: string[]; // names of bodies; "*": all
  path: number; // s, length of paths; 0: from the beginning
}

const beginning: ViewOptions = {
  joints: true,
  clearance: true,
  contacts: true,
  reactions: false,
  cones: false,
  ghost: true,
  axes: true,
  scale: true,
  legend: true,
  arrows: 0,
  color: "body",
  follow: "",
  paths: [],
  path: 0,
};

const textOf = (value: ViewOptions[keyof ViewOptions]): string => (typeof value === "boolean" ? (value ? "1" : "0") : Array.isArray(value) ? listText(value) : String(value));

function parsed(text: string, like: ViewOptions[keyof ViewOptions]): ViewOptions[keyof ViewOptions] {
  if (typeof like === "boolean") return text === "1";
  if (typeof like === "number") return Number.isFinite(Number(text)) ? Number(text) : like;
  return Array.isArray(like) ? listOf(text) : (text as "body");
}

export class Options {
  readonly values: ViewOptions;
  private listeners: (() => void)[] = [];
  private defaults: ViewOptions;

  constructor(
    private address: Address,
    changed: Partial<ViewOptions> = {}, // where this scene begins otherwise
  ) {
    this.defaults = { ...beginning, ...changed };
    this.values = { ...this.defaults };
    for (const key of Object.keys(beginning) as (keyof ViewOptions)[]) {
      const text = address.get(key);
      if (text !== undefined) Object.assign(this.values, { [key]: parsed(text, beginning[key]) });
    }
  }
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
  set<K extends keyof ViewOptions>(key: K, value: ViewOptions[K]): void {
    this.values[key] = value;
    const text = textOf(value);
    this.address.set(key, text === textOf(this.defaults[key]) ? null : text);
    for (const listener of this.listeners) listener();
  }
}
