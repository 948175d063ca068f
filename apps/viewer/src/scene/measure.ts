import * as THREE from "three";
import type { Frames } from "../frames";
import type { Body, Scene } from "../types";
import type { Box } from "./stage";

// How far a body reaches from its origin, planes and slots left out.
function reachOf(body: Body): number {
  let reach = 0;
  for (const geometry of body.geometry) {
    const offset = Math.hypot(...geometry.position);
    const [x = 0, y = 0, z = 0] = geometry.size ?? [];
    const outline = Math.max(0, ...(geometry.outline ?? []).map(([a, b]) => Math.hypot(a, b)));
    reach = Math.max(reach, offset + (geometry.radius ?? 0) + (geometry.length ?? 0) / 2 + Math.hypot(x, y, z) / 2 + outline);
  }
  return reach;
}

// The box that holds everything during the whole run.
export function measure(scene: Scene, frames: Frames): Box {
  const box = new THREE.Box3();
  const { width, bodies } = scene.frames;
  const { rows } = frames.coarse;
  const step = Math.max(1, Math.floor(frames.coarseCount / 300));
  const place = new THREE.Vector3();
  const extend = (reach: number) => {
    if (!Number.isFinite(place.x + place.y + place.z)) return;
    box.expandByPoint(place.clone().addScalar(reach)).expandByPoint(place.clone().addScalar(-reach));
  };
  const held = scene.bodies.map((_, index) =>
    scene.joints.flatMap((joint) => (joint.bodies ?? []).flatMap((body, k) => (body === index + 1 ? [joint.points![k]!] : []))),
  );
  const turn = new THREE.Quaternion();
  scene.bodies.forEach((body, index) => {
    const reach = reachOf(body);
    for (let i = 0; i < frames.coarseCount; i += step) {
      const at = i * width + bodies[index]!.place;
      extend.call(null, (place.fromArray(rows, at), reach));
      turn.fromArray(rows, at + 3);
      for (const point of held[index]!) {
        place.set(...point).applyQuaternion(turn);
        place.x += rows[at]!;
        place.y += rows[at + 1]!;
        place.z += rows[at + 2]!;
        extend(0);
      }
    }
  });
  const bounded: Body = { ...scene.ground, geometry: scene.ground.geometry.filter((g) => g.shape !== "plane" && g.shape !== "slot") };
  if (bounded.geometry.length > 0) extend.call(null, (place.set(0, 0, 0), reachOf(bounded)));
  for (const joint of scene.joints) {
    joint.bodies?.forEach((body, k) => body === 0 && extend.call(null, (place.set(...joint.points![k]!), 0)));
  }
  if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  const size = box.getSize(new THREE.Vector3());
  const largest = Math.max(size.x, size.y, size.z) || 1;
  // A motion along a line still needs some room on both sides.
  size.max(new THREE.Vector3(0.35 * largest, 0.35 * largest, scene.planar ? 0 : 0.35 * largest));
  return { center: box.getCenter(new THREE.Vector3()), size };
}
