import * as THREE from "three";
import { lights } from "./stage";

// Many spheres (discs in the plane), each drawn as one square that faces the eye; the picture of the ball is computed
// for every pixel, by a ray. Two triangles a ball instead of hundreds, and round at every size. A darker half shows how
// it turns.

const shared = /* glsl */ `
  varying vec2 vPlace;
  varying vec3 vColor;
  varying vec3 vRay;
  varying vec4 vBall;
  varying vec3 vAxis;
`;

const vertex = /* glsl */ `
  ${shared}
  attribute vec4 ball;
  attribute vec4 turn;
  attribute vec3 paint;
  void main() {
    vPlace = position.xy;
    vColor = paint;
    vec3 axis = vec3(1.0 - 2.0 * (turn.y * turn.y + turn.z * turn.z), 2.0 * (turn.x * turn.y + turn.z * turn.w), 2.0 * (turn.x * turn.z - turn.y * turn.w));
    vAxis = mat3(viewMatrix) * axis;
    vec3 center = (viewMatrix * vec4(ball.xyz, 1.0)).xyz;
    vBall = vec4(center, ball.w);
    #ifdef FLAT
      vRay = center + ball.w * vec3(position.xy, 0.0);
    #else
      // As large as the ball looks from the eye, with a pixel to spare.
      float away = max(length(center), 1.001 * ball.w);
      vec3 back = -center / away;
      vec3 side = normalize(cross(abs(back.y) < 0.99 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), back));
      float size = 1.02 * ball.w * away / sqrt(away * away - ball.w * ball.w);
      vRay = center + size * (position.x * side + position.y * cross(back, side));
    #endif
    gl_Position = projectionMatrix * vec4(vRay, 1.0);
  }
`;

const fragment = /* glsl */ `
  ${shared}
  uniform vec3 sky, ground, sun, up, sunward;
  uniform vec4 ghost;
  uniform mat4 lens;
  void main() {
    vec3 color = vColor;
    #ifdef FLAT
      float inside = 1.0 - dot(vPlace, vPlace);
      if (inside < 0.0) discard;
      color *= dot(vPlace, vAxis.xy) > 0.0 ? 1.0 : 0.72;
    #else
      vec3 ray = normalize(vRay);
      float along = dot(ray, vBall.xyz);
      float inside = along * along - dot(vBall.xyz, vBall.xyz) + vBall.w * vBall.w;
      if (inside < 0.0) discard;
      vec3 hit = ray * (along - sqrt(inside));
      vec3 normal = (hit - vBall.xyz) / vBall.w;
      color *= dot(normal, vAxis) > 0.02 ? 1.0 : 0.72;
      vec3 light = mix(ground, sky, 0.5 + 0.5 * dot(normal, mat3(viewMatrix) * up)) + sun * max(dot(normal, mat3(viewMatrix) * sunward), 0.0);
      color *= 0.3183099 * light;
      vec4 place = lens * vec4(hit, 1.0);
      gl_FragDepth = 0.5 + 0.5 * place.z / place.w;
    #endif
    gl_FragColor = ghost.a > 0.0 ? ghost : vec4(color, 1.0);
    #include <colorspace_fragment>
  }
`;

export class Balls {
  readonly object: THREE.Mesh;
  private places: THREE.InstancedBufferAttribute; // x y z in m, radius
  private turns: THREE.InstancedBufferAttribute; // quaternions
  private paints: THREE.InstancedBufferAttribute; // colours
  private material: THREE.ShaderMaterial;

  constructor(colors: THREE.Color[], radii: number[], planar: boolean, up: THREE.Vector3) {
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.instanceCount = radii.length;
    this.places = new THREE.InstancedBufferAttribute(new Float32Array(radii.flatMap((radius) => [0, 0, 0, radius])), 4);
    this.turns = new THREE.InstancedBufferAttribute(new Float32Array(4 * radii.length), 4);
    for (const attribute of [this.places, this.turns]) attribute.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("ball", this.places);
    geometry.setAttribute("turn", this.turns);
    this.paints = new THREE.InstancedBufferAttribute(new Float32Array(colors.flatMap(({ r, g, b }) => [r, g, b])), 3);
    geometry.setAttribute("paint", this.paints);
    const { sky, ground, sun, sunward } = lights(up);
    const uniforms = { sky, ground, sun, up, sunward, ghost: new THREE.Vector4(0, 0, 0, 0), lens: new THREE.Matrix4() };
    this.material = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: Object.fromEntries(Object.entries(uniforms).map(([name, value]) => [name, { value }])),
      defines: planar ? { FLAT: "" } : {},
    });
    this.object = new THREE.Mesh(geometry, this.material);
    this.object.frustumCulled = false;
    this.object.raycast = () => {}; // hitBy is exact
    this.object.onBeforeRender = (_, __, camera) => (this.material.uniforms.lens!.value as THREE.Matrix4).copy(camera.projectionMatrix);
  }

  place(k: number, position: THREE.Vector3, turn: THREE.Quaternion): void {
    position.toArray(this.places.array, 4 * k);
    turn.toArray(this.turns.array as unknown as number[], 4 * k);
  }
  placed(): void {
    this.places.needsUpdate = this.turns.needsUpdate = true;
  }

  paint(k: number, { r, g, b }: THREE.Color): void {
    this.paints.setXYZ(k, r, g, b);
  }
  painted(): void {
    this.paints.needsUpdate = true;
  }

  makeGhost(color: THREE.Color, opacity: number): void {
    this.material.transparent = true;
    this.material.depthWrite = false;
    (this.material.uniforms.ghost!.value as THREE.Vector4).set(color.r, color.g, color.b, opacity);
  }

  // The ball that a ray meets first, and how far away.
  hitBy({ ray }: THREE.Raycaster): { index: number; distance: number } | null {
    let best: { index: number; distance: number } | null = null;
    const sphere = new THREE.Sphere();
    const point = new THREE.Vector3();
    for (let k = 0; k < this.places.count; ++k) {
      sphere.center.fromArray(this.places.array, 4 * k);
      sphere.radius = this.places.array[4 * k + 3]!;
      if (!ray.intersectSphere(sphere, point)) continue;
      const distance = ray.origin.distanceTo(point);
      if (!best || distance < best.distance) best = { index: k, distance };
    }
    return best;
  }
}
