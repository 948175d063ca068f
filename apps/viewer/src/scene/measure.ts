import * as THREE from "three";
import type { Frames } from "../frames";
import type { Body, Geometry, Scene, Vector } from "../types";
import type { Box } from "./stage";

// A ball in body axes; a few of them hold a body.
interface Ball {
  place: THREE.Vector3;
  radius: number;
}

function ballsOfShape(geometry: Geometry, planar: boolean): Ball[] {
  const radius = geometry.radius ?? 0;
  const half = (geometry.length ?? 0) / 2;
  const at = (x: number, y: number, z: number, r: number): Ball => ({
    place: new THREE.Vector3(x, y, z).applyQuaternion(new THREE.Quaternion(...geometry.turn)).add(new THREE.Vector3(...geometry.position)),
    radius: r,
  });
  if (geometry.surface) {
    const { min, max } = new THREE.Box3().setFromPoints(geometry.surface.points.map((point) => new THREE.Vector3(...point)));
    return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => at(x, y, z, 0))));
  }
  switch (geometry.shape) {
    case "plane":
    case "slot":
      return []; // without end
    case "profile":
      return (geometry.outline ?? []).map(([x, y]) => at(x, y, 0, 0));
    case "box":
    case "ellipsoid": {
      const [x = 0, y = 0, z = 0] = (geometry.size ?? []).map((side) => side / 2);
      return [1, -1].flatMap((i) => [1, -1].flatMap((j) => [1, -1].map((k) => at(i * x, j * y, k * z, 0))));
    }
    default:
      return [1, -1].map((side) => (planar ? at(side * half, 0, 0, radius) : at(0, 0, side * half, radius)));
  }
}

// Shapes, points where joints and forces hold the body, and without shapes the mass centre; in space as far as the
// inertia lets guess.
function ballsOf(scene: Scene, body: Body, index: number): Ball[] {
  const balls = body.geometry.flatMap((geometry) => ballsOfShape(geometry, scene.planar));
  const add = (place: Vector, radius = 0) => balls.push({ place: new THREE.Vector3(...place), radius });
  for (const element of [...scene.joints, ...scene.forces]) {
    element.bodies?.forEach((holder, k) => {
      if (holder !== index || !element.points) return;
      if (k === 0 && element.lines) element.lines.flat().forEach((point) => add(point));
      else add(element.points[k]!);
    });
  }
  for (const { bodies, rings } of scene.bearings) {
    bodies.forEach((holder, k) => {
      if (holder === index) for (const point of rings[k]!.points) add(point);
    });
  }
  if (index === 0) return balls;
  if (balls.length === 0 || body.geometry.length === 0) {
    const reach = scene.planar ? 0 : Math.sqrt((1.5 * Math.max(...body.inertia)) / body.mass) || 0;
    add(body.center, reach);
  }
  return balls;
}

// The box that holds everything during the whole run.
export function measure(scene: Scene, frames: Frames): Box {
  const box = new THREE.Box3();
  const { width, bodies } = scene.frames;
  const { rows } = frames.coarse;
  const place = new THREE.Vector3();
  const turn = new THREE.Quaternion();
  const origin = new THREE.Vector3();
  const extend = (ball: Ball) => {
    place.copy(ball.place).applyQuaternion(turn).add(origin);
    if (!Number.isFinite(place.x + place.y + place.z)) return;
    box.expandByPoint(place.addScalar(ball.radius));
    box.expandByPoint(place.addScalar(-2 * ball.radius));
  };
  for (const ball of ballsOf(scene, scene.ground, 0)) extend(ball);
  const step = Math.max(1, Math.floor(frames.coarseCount / (scene.bodies.length > 500 ? 20 : 200)));
  scene.bodies.forEach((body, index) => {
    const balls = ballsOf(scene, body, index + 1);
    for (let i = 0; i < frames.coarseCount; i += step) {
      const at = i * width + bodies[index]!.place;
      origin.fromArray(rows, at);
      turn.fromArray(rows, at + 3);
      for (const ball of balls) extend(ball);
    }
  });
  if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  const size = box.getSize(new THREE.Vector3());
  const largest = Math.max(size.x, size.y, size.z) || 1;
  // A motion along a line still needs some room on both sides.
  size.max(new THREE.Vector3(0.3 * largest, 0.3 * largest, scene.planar ? 0 : 0.3 * largest));
  return { center: box.getCenter(new THREE.Vector3()), size };
}
