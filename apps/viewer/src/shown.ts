import type { Source } from "./api";
import type { Frames } from "./frames";
import type { Group, Scene } from "./types";

// A file on the page: the one looked at (A) and, where two are compared, the other (B).
export interface Shown {
  source: Source;
  letter: "A" | "B";
  scene: Scene;
  groups: Group[];
  frames: Frames | null; // null: no samples
}

export interface Quantity {
  name: string;
  unit: string;
}

export function has({ groups }: Shown, { name }: Quantity): boolean {
  const dot = name.lastIndexOf(".");
  const group = groups.find((candidate) => candidate.name === name.slice(0, dot));
  return group?.components.some((component) => component.name === name.slice(dot + 1)) ?? false;
}

export const fileName = (path: string): string => path.split("/").pop() ?? path;

// How a curve of the file compared with is drawn.
export const dashes = [5, 4];
