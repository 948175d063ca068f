import * as THREE from "three";
import type { Geometry } from "../types";

// Meshes of the shapes of bodies. In planar models they are flat and seen along z.

export interface Look {
  color: THREE.Color;
  planar: boolean;
  extent: number; // m, of the whole scene; unbounded shapes are cut there
}

const opaque = (look: Look, side: THREE.Side = THREE.FrontSide) =>
  look.planar
    ? new THREE.MeshBasicMaterial({ color: look.color, side: THREE.DoubleSide, transparent: true, opacity: 0.8, depthWrite: false })
    : new THREE.MeshStandardMaterial({ color: look.color, roughness: 0.55, metalness: 0.1, side });

const glassy = (look: Look, side: THREE.Side) =>
  new THREE.MeshStandardMaterial({ color: look.color, transparent: true, opacity: 0.22, depthWrite: false, side, roughness: 0.9 });

const edge = (look: Look) => new THREE.LineBasicMaterial({ color: look.color.clone().multiplyScalar(0.62) });

function outline(points: THREE.Vector2[], closed: boolean, look: Look): THREE.Object3D {
  const geometry = new THREE.BufferGeometry().setFromPoints(points.map((p) => new THREE.Vector3(p.x, p.y, 0)));
  return closed ? new THREE.LineLoop(geometry, edge(look)) : new THREE.Line(geometry, edge(look));
}

// A filled outline.
export function flat(points: THREE.Vector2[], look: Look): THREE.Object3D {
  const group = new THREE.Group();
  group.add(new THREE.Mesh(new THREE.ShapeGeometry(new THREE.Shape(points)), opaque(look)), outline(points, true, look));
  return group;
}

export function circlePoints(radius: number, count = 64, from = 0, to = 2 * Math.PI, center = new THREE.Vector2()): THREE.Vector2[] {
  const points = [];
  for (let k = 0; k <= count; ++k) {
    const angle = from + ((to - from) * k) / count;
    points.push(new THREE.Vector2(center.x + radius * Math.cos(angle), center.y + radius * Math.sin(angle)));
  }
  return points;
}

// All points within `radius` of the line from a to b.
export function stadium(a: THREE.Vector2, b: THREE.Vector2, radius: number): THREE.Vector2[] {
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  return [
    ...circlePoints(radius, 20, angle - Math.PI / 2, angle + Math.PI / 2, b),
    ...circlePoints(radius, 20, angle + Math.PI / 2, angle + (3 * Math.PI) / 2, a),
  ];
}

export function rectangle(wide: number, high: number): THREE.Vector2[] {
  const [x, y] = [wide / 2, high / 2];
  return [new THREE.Vector2(-x, -y), new THREE.Vector2(x, -y), new THREE.Vector2(x, y), new THREE.Vector2(-x, y)];
}

// Ground: a line with hatching below it, along x.
function hatched(look: Look, wide: number): THREE.Object3D {
  const points: THREE.Vector3[] = [new THREE.Vector3(-wide, 0, 0), new THREE.Vector3(wide, 0, 0)];
  const step = wide / 60;
  for (let x = -wide; x <= wide; x += step) points.push(new THREE.Vector3(x, 0, 0), new THREE.Vector3(x - step * 0.7, -step, 0));
  return new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(points), edge(look));
}

// Corners of the triangles of a face: about its first corner; of a flat outline, which may have dents, by ears.
function trianglesOf(surface: NonNullable<Geometry["surface"]>, face: number[]): number[] {
  const level = face.every((corner) => surface.points[corner]![2] === 0);
  if (!level || face.length < 5) return face.slice(2).flatMap((corner, k) => [face[0]!, face[k + 1]!, corner]);
  const contour = face.map((corner) => new THREE.Vector2(surface.points[corner]![0], surface.points[corner]![1]));
  return THREE.ShapeUtils.triangulateShape(contour, []).flatMap((triangle) => triangle.map((k) => face[k]!));
}

// Faces of a surface, and lines: the walls of a hole, or the edges to be drawn.
function surfaceMesh(surface: NonNullable<Geometry["surface"]>, look: Look): THREE.Object3D {
  const corners = surface.faces.flatMap((face) => trianglesOf(surface, face));
  const places = new Float32Array(corners.flatMap((corner) => surface.points[corner]!));
  const mesh = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(places, 3));
  mesh.computeVertexNormals();
  const filled = new THREE.Mesh(mesh, opaque(look, THREE.DoubleSide));
  if (surface.lines.length === 0) return filled;
  const walls = new THREE.Group();
  if (surface.faces.length > 0) walls.add(filled);
  for (const line of surface.lines) {
    const points = line.map((index) => new THREE.Vector3(...surface.points[index]!));
    walls.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), edge(look)));
  }
  return walls;
}

function planarShape(geometry: Geometry, look: Look): THREE.Object3D | null {
  const radius = geometry.radius ?? 0;
  const length = geometry.length ?? 0;
  switch (geometry.shape) {
    case "sphere":
    case "inner_race":
    case "cylinder": {
      const group = flat(circlePoints(radius), look);
      group.add(outline([new THREE.Vector2(), new THREE.Vector2(radius, 0)], false, look)); // shows how it turns
      return group;
    }
    case "box":
      return flat(rectangle(geometry.size?.[0] ?? 0, geometry.size?.[1] ?? 0), look);
    case "ellipsoid": {
      const [x = 0, y = 0] = (geometry.size ?? []).map((axis) => axis / 2);
      const group = flat(circlePoints(1, 96).map((point) => new THREE.Vector2(x * point.x, y * point.y)), look);
      group.add(outline([new THREE.Vector2(), new THREE.Vector2(x, 0)], false, look)); // shows how it turns
      return group;
    }
    case "capsule":
      return flat(stadium(new THREE.Vector2(-length / 2, 0), new THREE.Vector2(length / 2, 0), radius), look);
    case "plane":
      return hatched(look, look.extent * 1.5);
    case "cavity":
    case "outer_race":
    case "bore":
      return outline(circlePoints(radius, 128), true, look);
    case "slot": {
      const group = new THREE.Group();
      for (const side of [1, -1]) {
        const wall = hatched(look, look.extent * 0.6);
        wall.position.y = (-side * (geometry.width ?? 0)) / 2;
        wall.scale.y = side;
        group.add(wall);
      }
      return group;
    }
    case "profile": {
      const points = (geometry.outline ?? []).map(([x, y]) => new THREE.Vector2(x, y));
      return geometry.closed ? flat(points, look) : outline(points, false, look);
    }
  }
  return geometry.surface ? surfaceMesh(geometry.surface, look) : null;
}

function spatialShape(geometry: Geometry, look: Look): THREE.Object3D | null {
  const radius = geometry.radius ?? 0;
  const length = geometry.length ?? 0;
  const alongZ = <T extends THREE.BufferGeometry>(shape: T): T => shape.rotateX(Math.PI / 2) as T;
  switch (geometry.shape) {
    case "sphere":
      return new THREE.Mesh(new THREE.SphereGeometry(radius, 40, 24), opaque(look));
    case "box": {
      const [x = 0, y = 0, z = 0] = geometry.size ?? [];
      return new THREE.Mesh(new THREE.BoxGeometry(x, y, z), opaque(look));
    }
    case "ellipsoid": {
      const [x = 0, y = 0, z = 0] = (geometry.size ?? []).map((axis) => axis / 2);
      return new THREE.Mesh(new THREE.SphereGeometry(1, 48, 32).scale(x, y, z), opaque(look));
    }
    case "cylinder":
      return new THREE.Mesh(alongZ(new THREE.CylinderGeometry(radius, radius, length, 48)), opaque(look));
    case "capsule":
      return new THREE.Mesh(alongZ(new THREE.CapsuleGeometry(radius, length, 12, 32)), opaque(look));
    case "plane": {
      // Seen from its outer side only, so that one can look into a box of planes.
      const wide = look.extent * 1.2;
      const group = new THREE.Group();
      group.add(new THREE.Mesh(new THREE.PlaneGeometry(wide, wide), glassy(look, THREE.FrontSide)));
      return group;
    }
    case "cavity":
      return new THREE.Mesh(new THREE.SphereGeometry(radius, 48, 32), glassy(look, THREE.BackSide));
    case "bore":
      return new THREE.Mesh(alongZ(new THREE.CylinderGeometry(radius, radius, length, 48, 1, true)), glassy(look, THREE.DoubleSide));
    case "slot": {
      const wide = geometry.width ?? 0;
      return new THREE.Mesh(new THREE.BoxGeometry(wide, geometry.height ?? wide, look.extent * 0.6), glassy(look, THREE.BackSide));
    }
  }
  return geometry.surface ? surfaceMesh(geometry.surface, look) : null;
}

// That of the model file, where it gives one.
export function chosenColor(geometry: Geometry, fallback: THREE.Color): THREE.Color {
  return geometry.color && /^#[0-9a-f]{6}$/i.test(geometry.color) ? new THREE.Color(geometry.color) : fallback;
}

export function buildShape(geometry: Geometry, look: Look): THREE.Object3D | null {
  const chosen = { ...look, color: chosenColor(geometry, look.color) };
  const object = look.planar ? planarShape(geometry, chosen) : spatialShape(geometry, chosen);
  if (!object) return null;
  object.position.fromArray(geometry.position);
  object.quaternion.fromArray(geometry.turn);
  return object;
}
