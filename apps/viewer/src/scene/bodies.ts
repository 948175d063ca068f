import * as THREE from "three";
import type { Scene } from "../types";
import { deriveShape } from "./derived";
import { cutPlanes } from "./planes";
import type { Box } from "./stage";
import { buildShape, type Look } from "./shapes";

const palette = ["#4878a8", "#d0803c", "#5b9a68", "#a8618f", "#8a7a55", "#4a9ba0", "#b85450", "#7a70b8"];
export const bodyColor = (index: number): THREE.Color => new THREE.Color(palette[index % palette.length]);

const manySpheres = 24; // from here on they are drawn in one go

interface Instance {
  body: number;
  local: THREE.Matrix4;
}

// All moving bodies. `update` places them as a row of frames says.
export class Bodies {
  readonly object = new THREE.Group();
  private groups: THREE.Group[] = [];
  private instances: Instance[] = [];
  private instanced: THREE.InstancedMesh | null = null;
  private matrix = new THREE.Matrix4();

  constructor(
    private scene: Scene,
    extent: number,
    box: Box,
    private isGhost = false, // the ground stands there already
  ) {
    const nodes = new Set(scene.beams.flatMap((beam) => beam.nodes));
    const spheres = scene.bodies.reduce((sum, body) => sum + body.geometry.filter((g) => g.shape === "sphere").length, 0);
    const look = (index: number): Look => ({ color: bodyColor(index), planar: scene.planar, extent });
    scene.bodies.forEach((body, index) => {
      const group = new THREE.Group();
      group.name = body.name;
      for (const geometry of body.geometry) {
        if (geometry.shape === "sphere" && spheres >= manySpheres) this.addInstance(index, geometry);
        else {
          const shape = buildShape(geometry, look(index));
          if (shape) group.add(shape);
        }
      }
      if (body.geometry.length === 0 && !nodes.has(index + 1)) group.add(deriveShape(scene, index, look(index)));
      // Flat bodies lie one above the other, as they would on a table.
      if (scene.planar) group.traverse((part) => (part.renderOrder = index + 1));
      this.groups.push(group);
      if (group.children.length > 0) this.object.add(group);
    });
    if (this.instances.length > 0) this.buildInstances(scene);
    if (this.isGhost) return;
    for (const geometry of scene.ground.geometry) {
      if (!scene.planar && geometry.shape === "plane") continue;
      const shape = buildShape(geometry, { color: new THREE.Color("#8b93a0"), planar: scene.planar, extent });
      if (shape) this.object.add(shape);
    }
    if (!scene.planar) this.object.add(cutPlanes(scene.ground.geometry, box));
  }

  private addInstance(body: number, geometry: Scene["bodies"][0]["geometry"][0]): void {
    const radius = geometry.radius ?? 0;
    const local = new THREE.Matrix4().compose(
      new THREE.Vector3(...geometry.position),
      new THREE.Quaternion(...geometry.turn),
      new THREE.Vector3(radius, radius, radius),
    );
    this.instances.push({ body, local });
  }

  private buildInstances(scene: Scene): void {
    const count = this.instances.length;
    const fine = count < 500 ? 2 : count < 3000 ? 0.8 : 0.5;
    const ball = scene.planar ? new THREE.CircleGeometry(1, 48) : new THREE.SphereGeometry(1, Math.round(16 * fine), Math.round(10 * fine));
    paintBand(ball);
    const material = scene.planar
      ? new THREE.MeshBasicMaterial({ vertexColors: true })
      : new THREE.MeshLambertMaterial({ vertexColors: true });
    this.instanced = new THREE.InstancedMesh(ball, material, count);
    this.instanced.frustumCulled = false;
    this.instances.forEach((instance, k) => this.instanced!.setColorAt(k, bodyColor(instance.body)));
    this.object.add(this.instanced);
  }

  update(row: Float32Array): void {
    const { bodies } = this.scene.frames;
    this.groups.forEach((group, index) => {
      const at = bodies[index]!.place;
      group.position.set(row[at]!, row[at + 1]!, row[at + 2]!);
      group.quaternion.set(row[at + 3]!, row[at + 4]!, row[at + 5]!, row[at + 6]!);
      if (this.instanced) group.updateMatrix();
    });
    if (!this.instanced) return;
    this.instances.forEach(({ body, local }, k) => {
      this.instanced!.setMatrixAt(k, this.matrix.multiplyMatrices(this.groups[body]!.matrix, local));
    });
    this.instanced.instanceMatrix.needsUpdate = true;
  }

  // The name of the body nearest to the eye along a ray.
  hitBy(ray: THREE.Raycaster): string | undefined {
    this.instanced?.computeBoundingSphere(); // the spheres have moved since
    const hit = ray.intersectObject(this.object, true).find(({ object }) => object instanceof THREE.Mesh);
    if (!hit) return undefined;
    if (hit.object === this.instanced && hit.instanceId !== undefined) {
      return this.scene.bodies[this.instances[hit.instanceId]!.body]!.name;
    }
    let object: THREE.Object3D | null = hit.object;
    while (object && !this.groups.includes(object as THREE.Group)) object = object.parent;
    return object?.name;
  }

  // A point of a body in the world; body 0 is the ground.
  toWorld(body: number, point: readonly number[], target: THREE.Vector3): THREE.Vector3 {
    target.set(point[0]!, point[1]!, point[2]!);
    const group = this.groups[body - 1];
    return group ? target.applyQuaternion(group.quaternion).add(group.position) : target;
  }
  turnOf(body: number): THREE.Quaternion {
    return this.groups[body - 1]?.quaternion ?? new THREE.Quaternion();
  }
}

// A darker half shows how a round thing turns.
function paintBand(geometry: THREE.BufferGeometry): void {
  const positions = geometry.getAttribute("position");
  const colors = new Float32Array(3 * positions.count);
  for (let k = 0; k < positions.count; ++k) colors.fill(positions.getX(k) > 0.02 ? 1 : 0.72, 3 * k, 3 * k + 3);
  geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
}
