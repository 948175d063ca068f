import * as THREE from "three";
import type { Frames } from "../frames";
import type { Element, Scene } from "../types";
import { highlightColor, type Bodies } from "./bodies";

const jointColor = "#e8ebf0";
const realColor = "#e0a030"; // joints with clearance

// Marks at the joints, supports at those on the ground, and springs as zigzags.
export class Joints {
  readonly object = new THREE.Group();
  private marks: { element: Element; mark: THREE.Object3D }[] = [];
  private lines: { element: Element; line: THREE.Object3D }[] = [];
  private springs: { element: Element; line: THREE.Line }[] = [];

  constructor(
    private scene: Scene,
    private bodies: Bodies,
    private extent: number,
    private frames: Frames,
  ) {
    for (const joint of scene.joints) {
      if (!joint.bodies || !joint.points) continue;
      const mark = this.buildMark(joint);
      mark.traverse((part) => (part.renderOrder = 1000));
      this.marks.push({ element: joint, mark });
      this.object.add(mark);
      for (const points of joint.lines ?? []) {
        const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points.map((p) => new THREE.Vector3(...p))), new THREE.LineBasicMaterial({ color: joint.clearance ? "#b07818" : "#8b93a0" }));
        line.frustumCulled = false;
        this.lines.push({ element: joint, line });
        this.object.add(line);
      }
    }
    for (const force of scene.forces) {
      if (!force.bodies || !force.points) continue;
      const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(force.type === "spring" ? zigzag : straight), new THREE.LineBasicMaterial({ color: "#7d8896" }));
      line.frustumCulled = false;
      this.springs.push({ element: force, line });
      this.object.add(line);
    }
  }

  // The mark of this joint stands out; null: none.
  highlight(name: string | null): void {
    for (const { element, mark } of this.marks) {
      mark.traverse((part) => {
        const material = part instanceof THREE.Mesh || part instanceof THREE.Line ? (part.material as THREE.MeshBasicMaterial) : null;
        if (!material) return;
        material.userData.own ??= material.color.clone();
        material.color.copy(element.name === name ? new THREE.Color(highlightColor) : (material.userData.own as THREE.Color));
      });
      mark.scale.setScalar(element.name === name && element.type !== "prismatic" && !element.clearance ? 1.8 : 1);
    }
  }

  private buildMark(joint: Element): THREE.Object3D {
    const size = this.extent * 0.008;
    const fill = joint.clearance ? realColor : jointColor;
    const group = new THREE.Group();
    const grounded = joint.bodies!.includes(0);
    if (!this.scene.planar) {
      const material = new THREE.MeshStandardMaterial({ color: fill, roughness: 0.4 });
      const shape = joint.type === "revolute" || joint.type === "cylindrical" || joint.type === "prismatic" || joint.type === "screw"
          ? new THREE.CylinderGeometry(size * 1.3, size * 1.3, size * 4, 24).rotateX(Math.PI / 2)
          : new THREE.SphereGeometry(size * 1.5, 24, 16);
      group.add(new THREE.Mesh(shape, material));
      return group;
    }
    const dark = new THREE.LineBasicMaterial({ color: "#39424e", transparent: true });
    const circle = new THREE.EllipseCurve(0, 0, size, size).getPoints(32).map((p) => new THREE.Vector3(p.x, p.y, 0));
    if (joint.type === "prismatic" && grounded) {
      const [low, high] = this.travelOf(joint);
      const margin = this.extent * 0.05;
      const gap = this.extent * 0.0235;
      const points: THREE.Vector3[] = [];
      for (const side of [1, -1]) {
        points.push(new THREE.Vector3(side * gap, 0, low - margin), new THREE.Vector3(side * gap, 0, high + margin));
      }
      group.add(new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: "#8b93a0" })));
      return group;
    }
    if (joint.type === "revolute" && grounded) {
      const t = size * 3;
      const base = [[0, 0], [-t * 0.7, -t], [t * 0.7, -t], [0, 0]].map(([x, y]) => new THREE.Vector3(x, y, 0));
      group.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(base), new THREE.LineBasicMaterial({ color: "#8b93a0" })));
    }
    if (joint.clearance && !joint.lines) {
      // The bearing in its true size.
      const { bearing_radius: radius } = joint.clearance;
      const wall = new THREE.EllipseCurve(0, 0, radius, radius).getPoints(64).map((p) => new THREE.Vector3(p.x, p.y, 0));
      group.add(new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(wall), new THREE.LineBasicMaterial({ color: "#b07818", transparent: true })));
    }
    if (joint.type === "prismatic" || joint.type === "gear" || joint.type === "distance") return group;
    group.add(
      new THREE.Mesh(new THREE.CircleGeometry(size, 32), new THREE.MeshBasicMaterial({ color: fill, depthTest: false, transparent: true })),
      new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(circle), dark),
    );
    return group;
  }

  // How far a body slides along a guide on the ground during the run, m from the guide's point.
  private travelOf(joint: Element): [number, number] {
    const side = joint.bodies![0] === 0 ? 0 : 1;
    const { width, bodies } = this.scene.frames;
    const layout = bodies[joint.bodies![1 - side]! - 1];
    const { rows } = this.frames.coarse;
    const axis = new THREE.Vector3(0, 0, 1).applyQuaternion(new THREE.Quaternion(...joint.axes![side]!));
    let [low, high] = [0, 0];
    for (let i = 0; layout && i < this.frames.coarseCount; ++i) {
      const at = i * width + layout.place;
      const place = new THREE.Vector3(...joint.points![1 - side]!).applyQuaternion(new THREE.Quaternion().fromArray(rows, at + 3));
      place.add(new THREE.Vector3().fromArray(rows, at)).sub(new THREE.Vector3(...joint.points![side]!));
      const along = place.dot(axis);
      if (along < low) low = along;
      if (along > high) high = along;
    }
    return [low, high];
  }

  update(): void {
    const place = new THREE.Vector3();
    const other = new THREE.Vector3();
    for (const { element, mark } of this.marks) {
      // On the ground if it is held there, so that supports and guides stand still.
      const side = element.bodies![0] === 0 && !element.lines ? 0 : 1;
      mark.position.copy(this.bodies.toWorld(element.bodies![side]!, element.points![side]!, place));
      if (element.axes && (!this.scene.planar || element.type === "prismatic")) {
        mark.quaternion.copy(this.bodies.turnOf(element.bodies![side]!)).multiply(new THREE.Quaternion(...element.axes[side]!));
      }
    }
    for (const { element, line } of this.lines) {
      line.position.copy(this.bodies.toWorld(element.bodies![0], [0, 0, 0], place));
      line.quaternion.copy(this.bodies.turnOf(element.bodies![0]));
    }
    for (const { element, line } of this.springs) {
      this.bodies.toWorld(element.bodies![0], element.points![0], place);
      this.bodies.toWorld(element.bodies![1], element.points![1], other);
      const along = other.sub(place);
      const length = along.length();
      const wide = Math.min(this.extent * 0.02, length * 0.2);
      line.position.copy(place);
      line.scale.set(length || 1e-9, wide || 1e-9, 1);
      line.quaternion.setFromUnitVectors(new THREE.Vector3(1, 0, 0), along.normalize());
    }
  }
}

const straight = [new THREE.Vector3(0, 0, 0), new THREE.Vector3(1, 0, 0)];
const zigzag = (() => {
  const points = [new THREE.Vector3(0, 0, 0), new THREE.Vector3(0.15, 0, 0)];
  for (let k = 0; k < 10; ++k) points.push(new THREE.Vector3(0.15 + (0.7 * (k + 0.5)) / 10, k % 2 ? -1 : 1, 0));
  points.push(new THREE.Vector3(0.85, 0, 0), new THREE.Vector3(1, 0, 0));
  return points;
})();
