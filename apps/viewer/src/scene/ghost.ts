import * as THREE from "three";
import { color } from "../dom";

// Makes what was built look like a ghost: one colour, seen through. It keeps its shape and its motion.
export function makeGhost(object: THREE.Object3D): void {
  const fill = new THREE.MeshBasicMaterial({ color: color("ghost"), transparent: true, opacity: 0.3, depthWrite: false, side: THREE.DoubleSide });
  const line = new THREE.LineBasicMaterial({ color: color("ghost"), transparent: true, opacity: 0.85 });
  object.traverse((part) => {
    if (part instanceof THREE.Mesh && !(part.material instanceof THREE.ShaderMaterial)) part.material = fill;
    else if (part instanceof THREE.Line) part.material = line;
    part.renderOrder = 500; // over the bodies, under the joints
  });
}
