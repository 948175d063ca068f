import * as THREE from "three";

// Dark blue through white to red: readable without colour vision, too, since light marks the middle.
export const ramp = ["#3b4cc0", "#6a8bef", "#9fbfff", "#dddcdc", "#f5b89a", "#e26952", "#b40426"];
const colors = ramp.map((c) => new THREE.Color(c));

export function rampColor(share: number, target: THREE.Color): THREE.Color {
  const place = Math.min(Math.max(share, 0), 1) * (colors.length - 1);
  const k = Math.min(Math.floor(place), colors.length - 2);
  return target.copy(colors[k]!).lerp(colors[k + 1]!, place - k);
}
