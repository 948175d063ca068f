import * as THREE from "three";
import type { Frames } from "../frames";
import type { Scene } from "../types";
import type { Bodies } from "./bodies";
import { rampColor } from "./ramp";

const mostFrames = 400; // looked at to find the largest

// Paints bodies by how fast they are or how hard they are held, from blue to red.
export class Coloring {
  private known: { speed: number; force: number } | null = null;
  private places: { body: number; place: number }[] = []; // of forces in a row, by the body they act on
  private color = new THREE.Color();

  constructor(
    private scene: Scene,
    private bodies: Bodies,
    private frames: Frames,
  ) {
    const { contacts, reactions } = scene.frames;
    const joints = new Map(scene.joints.map((joint) => [`joint:${joint.name}`, joint.bodies]));
    const add = (bodies: readonly number[] | null | undefined, place: number) => bodies?.forEach((body) => body > 0 && this.places.push({ body: body - 1, place }));
    for (const { group, place, bodies } of contacts) add(bodies ?? joints.get(group), place + 4);
    for (const { index, place } of reactions) add(scene.joints[index]!.bodies, place);
  }
  get hasForces(): boolean {
    return this.places.length > 0;
  }

  // There are other frames.
  forget(): void {
    this.known = null;
  }
  // The speed and the force that 98 % stay below: single impacts must not leave everything else blue. Looked for when it
  // is asked for: many bodies take their time.
  get largest(): { speed: number; force: number } {
    return (this.known ??= this.measure());
  }
  private measure(): { speed: number; force: number } {
    const { frames } = this;
    const [speeds, forces] = [[] as number[], [] as number[]];
    const count = frames.coarseCount;
    const step = Math.max(1, Math.ceil(count / mostFrames));
    const { times, rows } = frames.coarse;
    const { width } = this.scene.frames;
    for (let i = 0; i + 1 < count; i += step) {
      const span = times[i + 1]! - times[i]!;
      if (span > 0) this.scene.bodies.forEach((_, body) => speeds.push(this.distance(rows, i * width, rows, (i + 1) * width, body) / span));
      for (const { place } of this.places) {
        const at = i * width + place;
        const size = Math.hypot(rows[at]!, rows[at + 1]!, rows[at + 2]!);
        if (size > 0) forces.push(size);
      }
    }
    const typical = (sizes: number[]) => sizes.filter(Number.isFinite).sort((a, b) => a - b)[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
    return { speed: typical(speeds), force: typical(forces) };
  }

  // How far the mass centre of a body moves between two rows, m.
  private distance(a: Float32Array, from: number, b: Float32Array, to: number, body: number): number {
    const { place } = this.scene.frames.bodies[body]!;
    const center = (rows: Float32Array, at: number) =>
      new THREE.Vector3(...this.scene.bodies[body]!.center).applyQuaternion(new THREE.Quaternion().fromArray(rows, at + 3)).add(new THREE.Vector3().fromArray(rows, at));
    return center(a, from + place).distanceTo(center(b, to + place));
  }

  // Speeds are differences of positions over `span` about the instant.
  speeds(time: number, span: number): number[] {
    const earlier = this.frames.at(time - span / 2).slice();
    const later = this.frames.at(time + span / 2).slice();
    const [low, high] = [this.frames.coarse.times[0]!, this.frames.coarse.times[this.frames.coarseCount - 1]!];
    const long = Math.min(time + span / 2, high) - Math.max(time - span / 2, low);
    return this.scene.bodies.map((_, body) => (long > 0 ? this.distance(earlier, 0, later, 0, body) / long : 0));
  }
  // The largest single force on each body, N.
  forces(row: Float32Array): number[] {
    const sizes = this.scene.bodies.map(() => 0);
    for (const { body, place } of this.places) sizes[body] = Math.max(sizes[body]!, Math.hypot(row[place]!, row[place + 1]!, row[place + 2]!) || 0);
    return sizes;
  }

  paint(values: number[] | null, largest: number): void {
    this.scene.bodies.forEach((_, body) => this.bodies.paint(body, values ? rampColor(largest > 0 ? values[body]! / largest : 0, this.color) : null));
    this.bodies.painted();
  }
}
