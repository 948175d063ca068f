import * as THREE from "three";
import type { Geometry } from "../types";
import type { Box } from "./stage";

// The planes of the ground in space: each lies under the scene and ends where it meets another, so that five of them
// make an open box. Seen from its outer side only, so that one can look into it.
export function cutPlanes(geometry: Geometry[], box: Box): THREE.Object3D {
  const group = new THREE.Group();
  const planes = geometry
    .filter(({ shape }) => shape === "plane")
    .map(({ position, turn }) => {
      const quaternion = new THREE.Quaternion(...turn);
      const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(quaternion);
      return { quaternion, plane: new THREE.Plane().setFromNormalAndCoplanarPoint(normal, new THREE.Vector3(...position)) };
    });
  const bounds = new THREE.Box3().setFromCenterAndSize(box.center, box.size);
  for (const { plane } of planes) bounds.expandByPoint(plane.projectPoint(box.center, new THREE.Vector3()));
  bounds.expandByScalar(0.03 * box.size.length());
  const ends = [0, 1, 2].flatMap((axis) => [
    new THREE.Plane(new THREE.Vector3().setComponent(axis, 1), -bounds.min.getComponent(axis)),
    new THREE.Plane(new THREE.Vector3().setComponent(axis, -1), bounds.max.getComponent(axis)),
  ]);
  const wide = 3 * bounds.getSize(new THREE.Vector3()).length();
  for (const { quaternion, plane } of planes) {
    const others = planes.filter((other) => other.plane !== plane && Math.abs(other.plane.normal.dot(plane.normal)) < 0.99);
    const material = new THREE.MeshStandardMaterial({
      color: "#98a2b0", transparent: true, opacity: 0.3, depthWrite: false, roughness: 0.95,
      clippingPlanes: [...others.map((other) => other.plane), ...ends],
    });
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(wide, wide), material);
    mesh.quaternion.copy(quaternion);
    plane.projectPoint(box.center, mesh.position);
    group.add(mesh);
  }
  return group;
}
