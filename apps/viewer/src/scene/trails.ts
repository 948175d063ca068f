import * as THREE from "three";
import { indexBefore, type Frames } from "../frames";
import type { Scene } from "../types";
import { bodyColor } from "./bodies";

const mostTrails = 60;

interface Trail {
  past: THREE.Line;
  whole: THREE.Line; // the path of the whole run, faint
}

// The paths of mass centres: those of the last seconds, or up to now with the whole path faint behind it.
export class Trails {
  readonly object = new THREE.Group();
  private trails = new Map<number, Trail>();

  constructor(
    private scene: Scene,
    private frames: Frames,
  ) {}

  // Bodies that have a path to show.
  static moving(scene: Scene): number[] {
    const nodes = new Set(scene.beams.flatMap((beam) => beam.nodes));
    return scene.bodies
      .map((_, index) => index)
      .filter((index) => !nodes.has(index + 1) && scene.frames.bodies[index]!.position)
      .slice(0, mostTrails);
  }

  // Anew whenever there are other frames.
  forget(): void {
    for (const { past, whole } of this.trails.values()) for (const line of [past, whole]) line.geometry.dispose();
    this.trails.clear();
    this.object.clear();
  }

  // `names`: of bodies, "*" stands for all; `length` in s, 0: from the beginning.
  update(time: number, names: string[], length: number): void {
    const all = names.includes("*");
    const { times } = this.frames.coarse;
    const last = indexBefore(times, time);
    const first = length > 0 ? indexBefore(times, time - length) : 0;
    for (const index of names.length > 0 || this.trails.size > 0 ? Trails.moving(this.scene) : []) {
      const wanted = all || names.includes(this.scene.bodies[index]!.name);
      if (wanted && !this.trails.has(index)) this.trails.set(index, this.build(index));
      const trail = this.trails.get(index);
      if (!trail) continue;
      trail.past.visible = wanted;
      trail.whole.visible = wanted && length === 0;
      trail.past.geometry.setDrawRange(first, last - first + 1);
    }
  }
  // How many lines are seen, for tests.
  get count(): number {
    return [...this.trails.values()].filter(({ past }) => past.visible).length;
  }

  private build(index: number): Trail {
    const geometry = this.path(index);
    const line = (opacity: number) => {
      const object = new THREE.Line(geometry.clone(), new THREE.LineBasicMaterial({ color: bodyColor(index), transparent: true, opacity }));
      object.frustumCulled = false;
      object.renderOrder = 900;
      this.object.add(object);
      return object;
    };
    return { whole: line(0.25), past: line(0.9) };
  }

  private path(index: number): THREE.BufferGeometry {
    const { width, bodies } = this.scene.frames;
    const rows = this.frames.coarse.rows;
    const points: THREE.Vector3[] = [];
    const center = new THREE.Vector3();
    for (let i = 0; i < this.frames.coarseCount; ++i) {
      const at = i * width + bodies[index]!.place;
      center.set(...this.scene.bodies[index]!.center).applyQuaternion(new THREE.Quaternion().fromArray(rows, at + 3));
      points.push(new THREE.Vector3().fromArray(rows, at).add(center));
    }
    return new THREE.BufferGeometry().setFromPoints(points);
  }
}
