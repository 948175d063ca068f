import * as THREE from "three";
import { indexBefore, type Frames } from "../frames";
import type { Scene } from "../types";
import { bodyColor } from "./bodies";

const mostTrails = 60;

// The paths of the mass centres over the whole run, faint, and up to now, strong.
export class Trails {
  readonly object = new THREE.Group();
  private past: THREE.Line[] = [];

  constructor(
    private scene: Scene,
    private frames: Frames,
  ) {
    this.build();
  }

  // Anew whenever there are other frames.
  build(): void {
    const { scene } = this;
    for (const line of this.object.children) (line as THREE.Line).geometry.dispose();
    this.object.clear();
    this.past = [];
    const nodes = new Set(scene.beams.flatMap((beam) => beam.nodes));
    const moving = scene.bodies.map((_, index) => index).filter((index) => !nodes.has(index + 1) && scene.frames.bodies[index]!.position);
    for (const index of moving.slice(0, mostTrails)) {
      const geometry = this.path(scene, index);
      for (const opacity of [0.25, 0.9]) {
        const line = new THREE.Line(geometry.clone(), new THREE.LineBasicMaterial({ color: bodyColor(index), transparent: true, opacity }));
        line.frustumCulled = false;
        this.object.add(line);
        if (opacity > 0.5) this.past.push(line);
      }
    }
  }

  private path(scene: Scene, index: number): THREE.BufferGeometry {
    const { width, bodies } = scene.frames;
    const rows = this.frames.coarse.rows;
    const points: THREE.Vector3[] = [];
    const center = new THREE.Vector3();
    for (let i = 0; i < this.frames.coarseCount; ++i) {
      const at = i * width + bodies[index]!.place;
      center.set(...scene.bodies[index]!.center).applyQuaternion(new THREE.Quaternion().fromArray(rows, at + 3));
      points.push(new THREE.Vector3().fromArray(rows, at).add(center));
    }
    return new THREE.BufferGeometry().setFromPoints(points);
  }

  update(time: number): void {
    const count = indexBefore(this.frames.coarse.times, time) + 1;
    for (const line of this.past) line.geometry.setDrawRange(0, count);
  }
}
