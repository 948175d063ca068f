import * as THREE from "three";
import type { Frames } from "../frames";
import type { Scene } from "../types";
import type { Bodies } from "./bodies";

export const contactColor = "#d8433b";
export const reactionColor = "#3f9e5c";
export const coneColor = "#e0a030";
const reach = 14; // pixels from a contact that still hit it

// Forces at contacts and in joints, on the second body. The largest of the run is a quarter of the scene long at scale 1.
export class Arrows {
  readonly object = new THREE.Group();
  showContacts = true;
  showReactions = false;
  scale = 1;
  showCones = false;
  largest = 0;
  private contacts: Arrow[];
  private cones: (Cone | null)[];
  private patches: (Patch | null)[];
  private reactions: Arrow[];

  constructor(
    private scene: Scene,
    private bodies: Bodies,
    private extent: number,
    private frames: Frames,
  ) {
    this.cones = scene.frames.contacts.map(({ friction }) => (friction > 0 ? new Cone(friction, extent, scene.planar) : null));
    this.patches = scene.frames.contacts.map(({ area }) => (area ? new Patch() : null));
    this.contacts = scene.frames.contacts.map(() => new Arrow(contactColor, extent));
    this.reactions = scene.frames.reactions.map(() => new Arrow(reactionColor, extent));
    for (const arrow of [...this.contacts, ...this.reactions]) this.object.add(arrow.object);
    for (const part of [...this.cones, ...this.patches]) if (part) this.object.add(part.object);
    this.measure();
  }

  get anyCone(): boolean {
    return this.cones.some((cone) => cone !== null);
  }
  // The group of the contact nearest to a place of the picture, of those within reach.
  nearest(row: Float32Array, distance: (place: THREE.Vector3) => number): string | undefined {
    let [best, least] = [undefined as string | undefined, Infinity];
    const place = new THREE.Vector3();
    for (const { group, place: at } of this.scene.frames.contacts) {
      if (!(row[at]! > 0)) continue;
      const away = distance(place.fromArray(row, at + 1));
      if (away < least) [best, least] = [group, away];
    }
    return best !== undefined && least < reach ? best : undefined;
  }

  get any(): boolean {
    return this.contacts.length + this.reactions.length > 0;
  }

  measure(): void {
    this.largest = this.typicalLargest(this.frames);
  }

  // The size that 98 % of the forces stay below: single impacts must not make all others invisible.
  private typicalLargest(frames: Frames): number {
    const { width, contacts, reactions } = this.scene.frames;
    const places = [...contacts.map((c) => c.place + 4), ...reactions.map((r) => r.place)];
    const sizes: number[] = [];
    const rows = frames.coarse.rows;
    const step = Math.max(1, Math.floor(frames.coarseCount / 400));
    for (let i = 0; i < frames.coarseCount; i += step) {
      for (const place of places) {
        const at = i * width + place;
        const size = Math.hypot(rows[at]!, rows[at + 1]!, rows[at + 2]!);
        if (size > 0 && Number.isFinite(size)) sizes.push(size);
      }
    }
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
  }

  // m of the scene for one N.
  get metresPerNewton(): number {
    return this.largest > 0 ? (0.25 * this.extent * this.scale) / this.largest : 0;
  }

  update(row: Float32Array): void {
    const length = this.metresPerNewton;
    const place = new THREE.Vector3();
    const force = new THREE.Vector3();
    this.scene.frames.contacts.forEach(({ place: at }, k) => {
      place.fromArray(row, at + 1);
      force.fromArray(row, at + 4).multiplyScalar(length);
      this.contacts[k]!.show(place, force, this.showContacts && row[at]! > 0);
      this.cones[k]?.show(place, force.fromArray(row, at + 7), this.showCones && row[at]! > 0);
      this.patches[k]?.show(place, force.fromArray(row, at + 7), row[at + 10]!, this.showContacts && row[at]! > 0);
    });
    this.scene.frames.reactions.forEach(({ place: at, index }, k) => {
      const joint = this.scene.joints[index]!;
      const visible = this.showReactions && joint.bodies !== undefined && joint.points !== undefined;
      if (visible) this.bodies.toWorld(joint.bodies![1], joint.points![1], place);
      this.reactions[k]!.show(place, force.fromArray(row, at).multiplyScalar(length), visible);
    });
  }
}

// The directions that the force of a contact with friction can have: within atan μ of the normal.
class Cone {
  readonly object = new THREE.Group();
  constructor(friction: number, extent: number, planar: boolean) {
    const height = 0.09 * extent;
    const radius = friction * height;
    const fill = new THREE.MeshBasicMaterial({ color: coneColor, transparent: true, opacity: 0.3, depthWrite: false, depthTest: !planar, side: THREE.DoubleSide });
    const rim = new THREE.LineBasicMaterial({ color: coneColor, depthTest: !planar, transparent: true });
    if (planar) {
      const corners = [new THREE.Vector3(), new THREE.Vector3(-radius, height, 0), new THREE.Vector3(radius, height, 0)];
      const triangle = new THREE.BufferGeometry().setFromPoints(corners);
      this.object.add(new THREE.Mesh(triangle, fill), new THREE.LineLoop(triangle, rim));
    } else {
      this.object.add(new THREE.Mesh(new THREE.ConeGeometry(radius, height, 32, 1, true).rotateX(Math.PI).translate(0, height / 2, 0), fill));
      const circle = new THREE.EllipseCurve(0, 0, radius, radius).getPoints(48).map((p) => new THREE.Vector3(p.x, height, p.y));
      this.object.add(new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(circle), rim));
    }
    this.object.traverse((part) => {
      part.renderOrder = 1900;
      part.frustumCulled = false;
    });
    this.object.visible = false;
  }
  show(place: THREE.Vector3, normal: THREE.Vector3, visible: boolean): void {
    this.object.visible = visible && normal.lengthSq() > 0;
    if (!this.object.visible) return;
    this.object.position.copy(place);
    this.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal.normalize());
  }
}

// The disc as large as the areas under pressure, about their centre of pressure. It is seen through the bodies that hide it.
class Patch {
  readonly object = new THREE.Group();
  constructor() {
    const fill = new THREE.MeshBasicMaterial({ color: contactColor, transparent: true, opacity: 0.35, depthWrite: false, depthTest: false, side: THREE.DoubleSide });
    const rim = new THREE.LineBasicMaterial({ color: contactColor, depthTest: false, transparent: true });
    const circle = new THREE.EllipseCurve(0, 0, 1, 1).getPoints(48).map((p) => new THREE.Vector3(p.x, p.y, 0));
    this.object.add(new THREE.Mesh(new THREE.CircleGeometry(1, 48), fill), new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(circle), rim));
    this.object.traverse((part) => {
      part.renderOrder = 1890;
      part.frustumCulled = false;
    });
    this.object.visible = false;
  }
  show(place: THREE.Vector3, normal: THREE.Vector3, area: number, visible: boolean): void {
    this.object.visible = visible && area > 0 && normal.lengthSq() > 0;
    if (!this.object.visible) return;
    this.object.position.copy(place);
    this.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal.normalize());
    this.object.scale.setScalar(Math.sqrt(area / Math.PI));
  }
}

class Arrow {
  readonly object = new THREE.Group();
  private shaft: THREE.Mesh;
  private head: THREE.Mesh;
  private dot: THREE.Mesh;
  private size: number;
  constructor(color: string, extent: number) {
    this.size = extent * 0.012;
    const material = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true });
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.22, 0.22, 1, 12).translate(0, 0.5, 0), material);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(0.6, 1.6, 20).translate(0, -0.8, 0), material);
    this.dot = new THREE.Mesh(new THREE.SphereGeometry(0.35, 16, 12), material);
    this.object.add(this.shaft, this.head, this.dot);
    this.object.traverse((part) => {
      part.renderOrder = 2000;
      part.frustumCulled = false;
    });
    this.object.visible = false;
  }
  show(place: THREE.Vector3, force: THREE.Vector3, visible: boolean): void {
    const length = force.length();
    this.object.visible = visible && Number.isFinite(length) && Number.isFinite(place.x);
    if (!this.object.visible) return;
    this.object.position.copy(place);
    this.dot.scale.setScalar(this.size);
    const long = length > 1e-3 * this.size;
    this.shaft.visible = this.head.visible = long;
    if (!long) return;
    this.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), force.clone().normalize());
    const headSize = Math.min(this.size, length / 1.6);
    this.head.scale.setScalar(headSize);
    this.head.position.y = length;
    this.shaft.scale.set(this.size, Math.max(length - 1.6 * headSize, 1e-9), this.size);
  }
}
