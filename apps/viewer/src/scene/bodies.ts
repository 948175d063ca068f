import * as THREE from "three";
import { color } from "../dom";
import type { Geometry, Scene } from "../types";
import { Balls } from "./balls";
import { deriveShape } from "./derived";
import { makeGhost } from "./ghost";
import { cutPlanes } from "./planes";
import type { Box } from "./stage";
import { buildShape, chosenColor, type Look } from "./shapes";

const palette = ["#4878a8", "#d0803c", "#5b9a68", "#a8618f", "#8a7a55", "#4a9ba0", "#b85450", "#7a70b8"];
export const bodyColor = (index: number): THREE.Color => new THREE.Color(palette[index % palette.length]);

// Of what the user has chosen, on light and dark grounds.
export const highlightColor = "#ffb000";
// As the legend shows it: that of the palette, unless the file gives all its shapes colours of their own.
export function colorOf(scene: Scene, index: number): THREE.Color {
  const shapes = scene.bodies[index]!.geometry;
  return shapes.length > 0 && shapes.every(({ color }) => color) ? chosenColor(shapes[0]!, bodyColor(index)) : bodyColor(index);
}

const manySpheres = 24; // from here on they are drawn in one go

type Paintable = THREE.Material & { color: THREE.Color };

interface Instance {
  body: number;
  place: THREE.Vector3; // in body axes
  turn: THREE.Quaternion;
  radius: number;
  color: THREE.Color;
}

// All moving bodies. `update` places them as a row of frames says.
export class Bodies {
  readonly object = new THREE.Group();
  private groups: THREE.Group[] = [];
  private instances: Instance[] = [];
  private balls: Balls | null = null;
  private place = new THREE.Vector3();
  private turn = new THREE.Quaternion();
  private chosen: number | null = null;
  private materials: Paintable[][] = []; // of each body, once looked for

  constructor(
    private scene: Scene,
    extent: number,
    box: Box,
    up: THREE.Vector3,
    isGhost = false, // the ground stands there already
  ) {
    const nodes = new Set(scene.beams.flatMap((beam) => beam.nodes));
    const spheres = scene.bodies.reduce((sum, body) => sum + body.geometry.filter((g) => g.shape === "sphere").length, 0);
    const look = (index: number): Look => ({ color: bodyColor(index), planar: scene.planar, extent });
    scene.bodies.forEach((body, index) => {
      const group = new THREE.Group();
      group.name = body.name;
      for (const geometry of body.geometry) {
        if (geometry.shape === "sphere" && spheres >= manySpheres) this.addInstance(index, geometry);
        else {
          const shape = buildShape(geometry, look(index));
          if (shape) group.add(shape);
        }
      }
      if (body.geometry.length === 0 && !nodes.has(index + 1)) group.add(deriveShape(scene, index, look(index)));
      // Flat bodies lie one above the other, as they would on a table.
      if (scene.planar) group.traverse((part) => (part.renderOrder = index + 1));
      this.groups.push(group);
      if (group.children.length > 0) this.object.add(group);
    });
    if (this.instances.length > 0) {
      this.balls = new Balls(this.instances.map(({ color }) => color), this.instances.map(({ radius }) => radius), scene.planar, up);
      this.object.add(this.balls.object);
    }
    if (isGhost) return;
    for (const geometry of scene.ground.geometry) {
      if (!scene.planar && geometry.shape === "plane") continue;
      const shape = buildShape(geometry, { color: new THREE.Color("#8b93a0"), planar: scene.planar, extent });
      if (shape) this.object.add(shape);
    }
    if (!scene.planar) this.object.add(cutPlanes(scene.ground.geometry, box));
  }

  private addInstance(body: number, geometry: Geometry): void {
    const { position, turn, radius = 0 } = geometry;
    this.instances.push({ body, place: new THREE.Vector3(...position), turn: new THREE.Quaternion(...turn), radius, color: chosenColor(geometry, bodyColor(body)) });
  }

  makeGhost(): void {
    makeGhost(this.object);
    this.balls?.makeGhost(new THREE.Color(color("ghost")), 0.3);
  }

  // Another colour for a body; null: its own again.
  paint(index: number, color: THREE.Color | null): void {
    const shown = index === this.chosen ? new THREE.Color(highlightColor) : color;
    for (const material of (this.materials[index] ??= materialsOf(this.groups[index]!))) {
      material.userData.own ??= material.color.clone();
      material.color.copy(shown ?? (material.userData.own as THREE.Color));
    }
    this.instances.forEach((instance, k) => instance.body === index && this.balls?.paint(k, shown ?? instance.color));
  }
  painted(): void {
    this.balls?.painted();
  }
  // The body of this name stands out; null: none.
  highlight(name: string | null): void {
    const before = this.chosen;
    const index = name === null ? -1 : this.scene.bodies.findIndex((body) => body.name === name);
    this.chosen = index >= 0 ? index : null;
    for (const touched of [before, this.chosen]) if (touched !== null) this.paint(touched, null);
    this.painted();
  }

  update(row: Float32Array): void {
    const { bodies } = this.scene.frames;
    this.groups.forEach((group, index) => {
      const at = bodies[index]!.place;
      group.position.set(row[at]!, row[at + 1]!, row[at + 2]!);
      group.quaternion.set(row[at + 3]!, row[at + 4]!, row[at + 5]!, row[at + 6]!);
    });
    if (!this.balls) return;
    this.instances.forEach((instance, k) => {
      const { position, quaternion } = this.groups[instance.body]!;
      this.balls!.place(k, this.place.copy(instance.place).applyQuaternion(quaternion).add(position), this.turn.multiplyQuaternions(quaternion, instance.turn));
    });
    this.balls.placed();
  }

  // The body nearest to the eye along a ray: its name, its number (0: the ground), how far away and where.
  hitBy(ray: THREE.Raycaster): { name: string; body: number; distance: number; point: THREE.Vector3 } | null {
    const hit = ray.intersectObject(this.object, true).find(({ object }) => object instanceof THREE.Mesh && object.visible);
    const ball = this.balls?.hitBy(ray);
    if (ball && ball.distance < (hit?.distance ?? Infinity)) {
      const { body } = this.instances[ball.index]!;
      return { name: this.scene.bodies[body]!.name, body: body + 1, distance: ball.distance, point: ray.ray.at(ball.distance, new THREE.Vector3()) };
    }
    if (!hit) return null;
    let object: THREE.Object3D | null = hit.object;
    while (object && !this.groups.includes(object as THREE.Group)) object = object.parent;
    return { name: object?.name ?? "", body: object ? this.groups.indexOf(object as THREE.Group) + 1 : 0, distance: hit.distance, point: hit.point };
  }

  // A point of a body in the world; body 0 is the ground.
  toWorld(body: number, point: readonly number[], target: THREE.Vector3): THREE.Vector3 {
    target.set(point[0]!, point[1]!, point[2]!);
    const group = this.groups[body - 1];
    return group ? target.applyQuaternion(group.quaternion).add(group.position) : target;
  }
  turnOf(body: number): THREE.Quaternion {
    return this.groups[body - 1]?.quaternion ?? new THREE.Quaternion();
  }
}

// Of the filled parts; lines keep their colour.
function materialsOf(object: THREE.Object3D): Paintable[] {
  const [faces, lines]: [Set<Paintable>, Set<Paintable>] = [new Set(), new Set()];
  object.traverse((part) => {
    if (part instanceof THREE.Mesh) faces.add(part.material as Paintable);
    else if (part instanceof THREE.Line) lines.add(part.material as Paintable);
  });
  // Bodies that are mere outlines (bores, profiles) have nothing else to paint.
  return [...(faces.size > 0 ? faces : lines)];
}
