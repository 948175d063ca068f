import * as THREE from "three";
import { color } from "../dom";

const covered = 1; // in the stencil: pixels that belong to A

// What is drawn of A marks its pixels, so that the ghost stays behind it and A keeps its colours.
export function cover(object: THREE.Object3D): void {
  object.traverse((part) => {
    if (!(part instanceof THREE.Mesh || part instanceof THREE.Line)) return;
    const material = part.material as THREE.Material;
    material.stencilWrite = true;
    material.stencilRef = covered;
    material.stencilZPass = THREE.ReplaceStencilOp;
  });
}

// Makes what was built look like a ghost: one colour, seen through. It keeps its shape and its motion.
export function makeGhost(object: THREE.Object3D): void {
  const behind = { stencilWrite: true, stencilRef: covered, stencilFunc: THREE.NotEqualStencilFunc };
  const fill = new THREE.MeshBasicMaterial({ color: color("ghost"), transparent: true, opacity: 0.3, depthWrite: false, side: THREE.DoubleSide, ...behind });
  const line = new THREE.LineBasicMaterial({ color: color("ghost"), transparent: true, opacity: 0.85, ...behind });
  object.traverse((part) => {
    if (part instanceof THREE.Mesh && part.material instanceof THREE.ShaderMaterial) Object.assign(part.material, behind);
    else if (part instanceof THREE.Mesh) part.material = fill;
    else if (part instanceof THREE.Line) part.material = line;
    part.renderOrder = 500; // over the bodies, under the joints
  });
}
