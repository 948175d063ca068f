import * as THREE from "three";
import type { Body, Scene, Vector } from "../types";
import { circlePoints, flat, rectangle, stadium, type Look } from "./shapes";

// Shapes for bodies that have none: bars between their joints, blocks where they slide, else a mark at the mass centre.

interface Hold {
  point: Vector;
  type: string;
  axis: THREE.Vector3; // of the joint, in body axes
}

function holdsOf(scene: Scene, index: number): Hold[] {
  const holds: Hold[] = [];
  for (const element of [...scene.joints, ...scene.forces]) {
    element.bodies?.forEach((body, k) => {
      const point = element.points?.[k];
      const turn = element.axes?.[k];
      const alongLine = "lines" in element && k === 0; // held along it, not at its point
      if (body !== index + 1 || !point || !turn || alongLine) return;
      holds.push({ point, type: element.type, axis: new THREE.Vector3(0, 0, 1).applyQuaternion(new THREE.Quaternion(...turn)) });
    });
  }
  return holds;
}

function distinct(points: THREE.Vector3[], tolerance: number): THREE.Vector3[] {
  const kept: THREE.Vector3[] = [];
  for (const point of points) if (kept.every((other) => other.distanceTo(point) > tolerance)) kept.push(point);
  return kept;
}

// Points of the convex hull, counter-clockwise.
function hull(points: THREE.Vector2[]): THREE.Vector2[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list: THREE.Vector2[]) => {
    const chain: THREE.Vector2[] = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = [chain[chain.length - 2]!, chain[chain.length - 1]!];
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function planarBody(points: THREE.Vector3[], holds: Hold[], center: THREE.Vector3, thickness: number, look: Look): THREE.Object3D {
  const group = new THREE.Group();
  const flatPoints = points.map((p) => new THREE.Vector2(p.x, p.y));
  const slide = holds.find((hold) => hold.type === "prismatic" || hold.type === "point_on_line");
  if (slide) {
    const block = flat(rectangle(thickness * 5, thickness * 3.2), look);
    block.position.fromArray(slide.point);
    block.rotation.z = Math.atan2(slide.axis.y, slide.axis.x);
    group.add(block);
  }
  if (flatPoints.length >= 3) {
    const corners = hull(flatPoints);
    if (corners.length >= 3) group.add(flat(hull(corners.flatMap((p) => circlePoints(thickness, 16, 0, 2 * Math.PI, p))), look));
    else group.add(flat(stadium(corners[0]!, corners[corners.length - 1]!, thickness), look));
  } else if (flatPoints.length === 2) {
    group.add(flat(stadium(flatPoints[0]!, flatPoints[1]!, thickness), look));
  } else if (!slide) {
    const disc = flat(circlePoints(thickness * 1.6), look);
    disc.position.copy(center);
    group.add(disc);
  }
  return group;
}

export function bar(from: THREE.Vector3, to: THREE.Vector3, radius: number, material: THREE.Material): THREE.Mesh {
  const along = to.clone().sub(from);
  const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, along.length(), 24), material);
  mesh.position.copy(from).addScaledVector(along, 0.5);
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
  return mesh;
}

// A cylinder or box with the mass and the inertia of the body: a flat one for a wheel, a long one for a rod.
function inertiaShape(body: Body, largest: number, material: THREE.Material): THREE.Mesh | null {
  const [x, y, z] = body.inertia;
  if (!(body.mass > 0)) return null;
  const near = (a: number, b: number) => Math.abs(a - b) <= 0.05 * Math.max(a, b);
  if (near(x, y) && z > 1.2 * x) {
    const radius = Math.sqrt((2 * z) / body.mass);
    if (radius > largest) return null;
    const length = Math.max(Math.sqrt(Math.max((12 * (x - z / 2)) / body.mass, 0)), 0.12 * radius);
    return new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 64).rotateX(Math.PI / 2), material);
  }
  const side = (a: number, b: number, c: number) => Math.sqrt(Math.max((6 * (a + b - c)) / body.mass, 0));
  const sides = [side(y, z, x), side(x, z, y), side(x, y, z)];
  if (Math.max(...sides) > 2 * largest || Math.max(...sides) === 0) return null;
  const least = Math.max(...sides) * 0.04;
  return new THREE.Mesh(new THREE.BoxGeometry(...(sides.map((s) => Math.max(s, least)) as Vector)), material);
}

function spatialBody(body: Body, points: THREE.Vector3[], center: THREE.Vector3, thickness: number, look: Look): THREE.Object3D {
  const group = new THREE.Group();
  const material = new THREE.MeshStandardMaterial({ color: look.color, roughness: 0.5, metalness: 0.15 });
  const marker = inertiaShape(body, look.extent * 0.4, material) ?? new THREE.Mesh(new THREE.SphereGeometry(thickness * 1.6, 32, 20), material);
  marker.position.copy(center);
  group.add(marker);
  for (const point of points) if (point.distanceTo(center) > thickness) group.add(bar(center, point, thickness * 0.6, material));
  return group;
}

export function deriveShape(scene: Scene, index: number, look: Look): THREE.Object3D {
  const body = scene.bodies[index]!;
  const thickness = look.extent * 0.014;
  const holds = holdsOf(scene, index);
  const center = new THREE.Vector3(...body.center);
  const points = distinct(
    holds.map((hold) => new THREE.Vector3(...hold.point)),
    1e-6 * look.extent,
  );
  if (!look.planar) return spatialBody(body, points, center, thickness, look);
  if (points.length === 1 && points[0]!.distanceTo(center) > thickness) points.push(center);
  return planarBody(points, holds, center, thickness, look);
}
