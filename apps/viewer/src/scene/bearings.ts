import * as THREE from "three";
import type { Frames } from "../frames";
import type { Bearing, Scene } from "../types";
import type { Bodies } from "./bodies";
import { rampColor } from "./ramp";
import { buildShape } from "./shapes";

const ringColor = "#aeb6c2";
const cageColor = "#b9904a";
const elementColor = "#c9ced6";
const ringOpacity = 0.4; // the elements are seen through the rings

// Rolling bearings whose elements are no bodies: rings, cage, and balls or rollers coloured by their load, where it was
// recorded.
export class Bearings {
  readonly object = new THREE.Group();
  readonly largestLoad: number;
  private drawn: DrawnBearing[];
  constructor(scene: Scene, bodies: Bodies, extent: number, frames: Frames) {
    this.drawn = scene.bearings.map((bearing) => {
      const loads = scene.frames.bearings.find(({ index }) => index === bearing.index);
      return new DrawnBearing(bearing, bodies, extent, loads?.place);
    });
    for (const { object } of this.drawn) this.object.add(object);
    this.largestLoad = largestOf(scene, frames);
  }
  update(row: Float32Array): void {
    for (const bearing of this.drawn) bearing.update(row, this.largestLoad);
  }
}

class DrawnBearing {
  readonly object = new THREE.Group();
  private held: { body: number; part: THREE.Object3D }[] = [];
  private elements: THREE.InstancedMesh;
  private matrix = new THREE.Matrix4();
  private place = new THREE.Vector3();
  private turn = new THREE.Quaternion();
  private along = new THREE.Vector3();
  private one = new THREE.Vector3(1, 1, 1);
  private color = new THREE.Color();

  constructor(
    private bearing: Bearing,
    private bodies: Bodies,
    extent: number,
    private loads: number | undefined,
  ) {
    const { rings, cage, radius, length, elements } = bearing;
    const shapes = [
      { body: bearing.bodies[0], surface: rings[0], color: ringColor, opacity: ringOpacity },
      { body: bearing.bodies[1], surface: rings[1], color: ringColor, opacity: ringOpacity },
      { body: bearing.bodies[0], surface: cage, color: cageColor, opacity: 1 },
    ];
    for (const { body, surface, color, opacity } of shapes) {
      const part = buildShape({ shape: "ring", name: "", position: [0, 0, 0], turn: [0, 0, 0, 1], surface }, { color: new THREE.Color(color), planar: false, extent });
      if (!part) continue;
      if (opacity < 1) part.traverse((each) => each instanceof THREE.Mesh && seeThrough(each.material as THREE.Material, opacity));
      this.held.push({ body, part });
      this.object.add(part);
    }
    const solid = length > 0 ? new THREE.CylinderGeometry(radius, radius, length, 24) : new THREE.SphereGeometry(radius, 24, 16);
    this.elements = new THREE.InstancedMesh(solid, new THREE.MeshStandardMaterial({ roughness: 0.5 }), elements.length);
    this.elements.frustumCulled = false;
    this.object.add(this.elements);
  }

  update(row: Float32Array, largest: number): void {
    for (const { body, part } of this.held) {
      this.bodies.toWorld(body, [0, 0, 0], part.position);
      part.quaternion.copy(this.bodies.turnOf(body));
    }
    const outer = this.bearing.bodies[0];
    this.bearing.elements.forEach(({ center, axis }, k) => {
      this.bodies.toWorld(outer, center, this.place);
      this.along.set(...axis).applyQuaternion(this.bodies.turnOf(outer));
      this.matrix.compose(this.place, this.turn.setFromUnitVectors(THREE.Object3D.DEFAULT_UP, this.along), this.one);
      this.elements.setMatrixAt(k, this.matrix);
      const load = this.loads === undefined ? NaN : row[this.loads + k]!;
      this.elements.setColorAt(k, largest > 0 && Number.isFinite(load) ? rampColor(load / largest, this.color) : this.color.set(elementColor));
    });
    this.elements.instanceMatrix.needsUpdate = true;
    this.elements.instanceColor!.needsUpdate = true;
  }
}

function seeThrough(material: THREE.Material, opacity: number): void {
  material.transparent = true;
  material.opacity = opacity;
  material.depthWrite = false;
}

function largestOf(scene: Scene, frames: Frames): number {
  const { width, bearings } = scene.frames;
  let largest = 0;
  for (let i = 0; i < frames.coarseCount; ++i) {
    for (const { place, count } of bearings) {
      for (let k = 0; k < count; ++k) largest = Math.max(largest, frames.coarse.rows[i * width + place + k]! || 0);
    }
  }
  return largest;
}
