import * as THREE from "three";
import type { Beam, Scene } from "../types";
import { highlightColor, type Bodies } from "./bodies";
import { rampColor } from "./ramp";

const parts = 8; // of an element

// The bent line of every beam as a tube (a ribbon in the plane), coloured by stress where it was recorded.
export class Beams {
  readonly object = new THREE.Group();
  private drawn: DrawnBeam[] = [];
  constructor(scene: Scene, bodies: Bodies) {
    scene.beams.forEach((beam, index) => {
      const stress = scene.frames.stresses.find((part) => part.index === index);
      const drawn = new DrawnBeam(beam, bodies, scene.planar, stress?.place);
      drawn.mesh.name = beam.name;
      this.drawn.push(drawn);
      this.object.add(drawn.mesh);
    });
  }
  // The beam that a ray meets first, and how far away.
  hitBy(ray: THREE.Raycaster): { name: string; distance: number; point: THREE.Vector3 } | null {
    for (const { mesh } of this.drawn) mesh.geometry.computeBoundingSphere(); // it has moved since
    const hit = ray.intersectObject(this.object, true)[0];
    return hit ? { name: hit.object.name, distance: hit.distance, point: hit.point } : null;
  }
  highlight(name: string | null): void {
    for (const beam of this.drawn) beam.isChosen = beam.mesh.name === name;
  }
  update(row: Float32Array, largestStress: number): void {
    for (const beam of this.drawn) beam.update(row, largestStress);
  }
}

class DrawnBeam {
  readonly mesh: THREE.Mesh;
  private points: THREE.Vector3[];
  private positions: THREE.BufferAttribute;
  private colors: THREE.BufferAttribute;
  private sides: number;
  private scratch = [0, 1, 2, 3].map(() => new THREE.Vector3()) as [THREE.Vector3, THREE.Vector3, THREE.Vector3, THREE.Vector3];
  private color = new THREE.Color();
  isChosen = false;

  constructor(
    private beam: Beam,
    private bodies: Bodies,
    planar: boolean,
    private stressPlace: number | undefined,
  ) {
    const count = beam.elements.length * parts + 1;
    this.sides = planar ? 2 : 12;
    this.points = Array.from({ length: count }, () => new THREE.Vector3());
    const geometry = new THREE.BufferGeometry();
    this.positions = new THREE.BufferAttribute(new Float32Array(3 * count * this.sides), 3);
    this.colors = new THREE.BufferAttribute(new Float32Array(3 * count * this.sides), 3);
    geometry.setAttribute("position", this.positions);
    geometry.setAttribute("color", this.colors);
    geometry.setIndex(this.faces(count, planar));
    const material = planar
      ? new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.DoubleSide, transparent: true, opacity: 0.9, depthWrite: false })
      : new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.6, flatShading: false });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 0.5;
  }

  private faces(count: number, planar: boolean): number[] {
    const list: number[] = [];
    const n = this.sides;
    for (let i = 0; i + 1 < count; ++i) {
      for (let s = 0; s < (planar ? 1 : n); ++s) {
        const [a, b] = [i * n + s, i * n + ((s + 1) % n)];
        list.push(a, a + n, b, b, a + n, b + n);
      }
    }
    return list;
  }

  update(row: Float32Array, largestStress: number): void {
    this.placePoints();
    const [tangent, side, up, place] = this.scratch;
    const base = this.color.set(this.isChosen ? highlightColor : "#6f8fb0");
    const plain = [base.r, base.g, base.b] as const;
    this.points.forEach((point, i) => {
      tangent.copy(this.points[Math.min(i + 1, this.points.length - 1)]!).sub(this.points[Math.max(i - 1, 0)]!).normalize();
      side.set(0, 0, 1);
      if (this.sides > 2 && Math.abs(tangent.z) > 0.9) side.set(1, 0, 0);
      side.cross(tangent).normalize();
      up.crossVectors(tangent, side);
      const element = Math.min(Math.floor(i / parts), this.beam.elements.length - 1);
      let [r, g, b] = plain;
      if (this.stressPlace !== undefined && largestStress > 0 && !this.isChosen) {
        const c = rampColor(Math.abs(row[this.stressPlace + element]!) / largestStress, this.color);
        [r, g, b] = [c.r, c.g, c.b];
      }
      for (let s = 0; s < this.sides; ++s) {
        const angle = (2 * Math.PI * s) / this.sides;
        place.copy(point).addScaledVector(side, this.beam.radius * Math.cos(angle)).addScaledVector(up, this.beam.radius * Math.sin(angle));
        this.positions.setXYZ(i * this.sides + s, place.x, place.y, place.z);
        this.colors.setXYZ(i * this.sides + s, r, g, b);
      }
    });
    this.positions.needsUpdate = true;
    this.colors.needsUpdate = true;
    if (this.sides > 2) this.mesh.geometry.computeVertexNormals();
  }

  // Cubic curves through the nodes, along the directions that they have.
  private placePoints(): void {
    const [a, b, begin, end] = this.scratch;
    this.beam.elements.forEach((element, e) => {
      const [from, to] = [this.beam.nodes[e]!, this.beam.nodes[e + 1]!];
      this.bodies.toWorld(from, [0, 0, 0], a);
      this.bodies.toWorld(to, [0, 0, 0], b);
      begin.set(...element.begin).applyQuaternion(this.bodies.turnOf(from)).multiplyScalar(element.length);
      end.set(...element.end).applyQuaternion(this.bodies.turnOf(to)).multiplyScalar(element.length);
      for (let k = e === 0 ? 0 : 1; k <= parts; ++k) {
        const s = k / parts;
        const r = 1 - s;
        this.points[e * parts + k]!
          .set(0, 0, 0)
          .addScaledVector(a, r * r * (1 + 2 * s))
          .addScaledVector(b, s * s * (1 + 2 * r))
          .addScaledVector(begin, r * r * s)
          .addScaledVector(end, -s * s * r);
      }
    });
  }
}
