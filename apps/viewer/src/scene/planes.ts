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
  const wide = 1.15 * Math.max(box.size.x, box.size.y, box.size.z);
  for (const { quaternion, plane } of planes) {
    const others = planes.filter((other) => other.plane !== plane && Math.abs(other.plane.normal.dot(plane.normal)) < 0.99);
    const material = new THREE.MeshStandardMaterial({
      color: "#98a2b0", transparent: true, opacity: 0.3, depthWrite: false, roughness: 0.95,
      clippingPlanes: others.map((other) => other.plane),
    });
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(wide, wide), material);
    mesh.quaternion.copy(quaternion);
    plane.projectPoint(box.center, mesh.position);
    group.add(mesh);
  }
  return group;
}
