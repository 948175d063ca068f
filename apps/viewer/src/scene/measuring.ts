import * as THREE from "three";
import { prefixed } from "../format";
import type { Scene } from "../types";
import type { MeasuredLine } from "./annotations";
import type { Bodies } from "./bodies";
import type { Stage } from "./stage";

const reach = 12; // pixels within which a joint or mass centre is meant

// A point that moves with a body.
interface Held {
  body: number; // 0: the ground
  place: THREE.Vector3; // in body axes
}

// The distance between two points that the user clicks: joints, mass centres, else any place on a body or in the plane.
// The points stay with their bodies, so the distance follows the motion.
export class Measuring {
  active = false;
  private points: Held[] = [];

  constructor(
    private scene: Scene,
    private bodies: Bodies,
    private stage: Stage,
  ) {}

  start(active: boolean): void {
    this.active = active;
    this.points = [];
  }
  // A third click begins anew. False: nothing is there.
  click(x: number, y: number): boolean {
    const held = this.marked(x, y) ?? this.hit(x, y);
    if (!held) return false;
    this.points = this.points.length === 1 ? [...this.points, held] : [held];
    return true;
  }

  // The joint or mass centre nearest to a pixel, of those within reach.
  private marked(x: number, y: number): Held | null {
    const candidates: Held[] = [];
    for (const { bodies, points, lines } of this.scene.joints) {
      bodies?.forEach((body, k) => points && !(lines && k === 0) && candidates.push({ body, place: new THREE.Vector3(...points[k]!) }));
    }
    this.scene.bodies.forEach(({ center }, index) => candidates.push({ body: index + 1, place: new THREE.Vector3(...center) }));
    let [best, least] = [null as Held | null, reach];
    for (const held of candidates) {
      const [px, py] = this.stage.pixelOf(this.inWorld(held));
      const away = Math.hypot(px - x, py - y);
      if (away < least) [best, least] = [held, away];
    }
    return best;
  }

  private hit(x: number, y: number): Held | null {
    const ray = this.stage.rayAt(x, y);
    const hit = this.bodies.hitBy(ray);
    const inPlane = this.scene.planar ? ray.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 0, 1), 0), new THREE.Vector3()) : null;
    const point = hit?.point ?? inPlane;
    if (!point) return null;
    const body = hit?.body ?? 0;
    if (this.scene.planar) point.z = 0;
    const place = point.clone().sub(this.bodies.toWorld(body, [0, 0, 0], new THREE.Vector3())).applyQuaternion(this.bodies.turnOf(body).clone().invert());
    return { body, place };
  }

  private inWorld({ body, place }: Held): THREE.Vector3 {
    return this.bodies.toWorld(body, place.toArray(), new THREE.Vector3());
  }

  get line(): MeasuredLine | null {
    const [from, to] = this.points.map((held) => this.inWorld(held));
    if (!this.active || !from) return null;
    if (!to) return { from, to: null, text: "" };
    const way = to.clone().sub(from);
    const long = way.length();
    const part = (name: string, value: number) => `Δ${name} ${prefixed(value, "m", long, 3)}`;
    const parts = [part("x", way.x), part("y", way.y), ...(this.scene.planar ? [] : [part("z", way.z)])];
    return { from, to, text: `${prefixed(long, "m", long, 3)} (${parts.join(", ")})` };
  }
}
