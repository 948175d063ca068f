import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { color } from "../dom";

export interface Box {
  center: THREE.Vector3;
  size: THREE.Vector3;
}

// From above and from the side, and the same in numbers for shaders: colours times intensities.
export function lights(up: THREE.Vector3) {
  const skyLight = new THREE.HemisphereLight("#ffffff", "#8890a0", 1.6);
  skyLight.position.copy(up);
  const sunLight = new THREE.DirectionalLight("#ffffff", 1.8);
  sunLight.position.set(1, -1.5, 2).applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), up));
  const scaled = (color: THREE.Color, intensity: number) => color.clone().multiplyScalar(intensity);
  return {
    skyLight,
    sunLight,
    sky: scaled(skyLight.color, skyLight.intensity),
    ground: scaled(skyLight.groundColor, skyLight.intensity),
    sun: scaled(sunLight.color, sunLight.intensity),
    sunward: sunLight.position.clone().normalize(),
  };
}

// Whether pictures are computed by the processor: then sharp edges are left for when nothing moves.
function isSoftware(): boolean {
  const context = new OffscreenCanvas(1, 1).getContext("webgl2");
  const names = context?.getExtension("WEBGL_debug_renderer_info");
  const name = context && names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

// Where to look from; in planar models there is only one way.
export type Preset = "front" | "side" | "top" | "iso";
const directions: Record<Preset, [number, number, number]> = { front: [0, -1, 0], side: [1, 0, 0], top: [0, -1e-4, 1], iso: [0.75, -1.25, 0.6] };

const [margin, below] = [14, 50]; // pixels that a fitted scene leaves free: at all edges, and below for axes and scales
const restless = 300; // ms after the last change until the picture is drawn sharply

// Renderer, camera, light and the way the user looks around. Draws only when asked.
export class Stage {
  readonly scene = new THREE.Scene();
  readonly canvas: HTMLCanvasElement;
  readonly camera: THREE.OrthographicCamera | THREE.PerspectiveCamera;
  private renderer: THREE.WebGLRenderer;
  private controls: OrbitControls;
  private asked = true;
  private ratio: number;
  private drawsTwice: boolean; // roughly while things move, sharply when they rest
  private isSharp = false;
  private lastAsked = 0; // ms
  private touched = false; // the user has chosen where to look from
  private preset: Preset = "iso";
  frames = 0; // drawn so far
  onDrawn: () => void = () => {};
  onView: () => void = () => {}; // the user has looked around

  constructor(
    private host: HTMLElement,
    planar: boolean,
    private box: Box,
    up: THREE.Vector3,
  ) {
    this.drawsTwice = isSoftware();
    this.renderer = new THREE.WebGLRenderer({ antialias: !this.drawsTwice, preserveDrawingBuffer: true, stencil: true });
    this.renderer.localClippingEnabled = true; // planes of the ground cut each other
    this.ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.domElement.setAttribute("aria-label", "Moving picture of the mechanism");
    host.prepend(this.renderer.domElement);
    this.canvas = this.renderer.domElement;
    const reach = box.size.length() || 1;
    this.camera = planar ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(38, 1, reach / 500, reach * 50);
    if (planar) {
      this.camera.near = -reach * 20;
      this.camera.far = reach * 20;
    }
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableRotate = !planar;
    this.controls.zoomToCursor = true;
    if (planar) this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
    if (planar) this.controls.touches.ONE = THREE.TOUCH.PAN;
    let byUser = false;
    this.controls.addEventListener("start", () => (byUser = true));
    this.controls.addEventListener("change", () => {
      this.touched ||= byUser; // a mere click moves nothing
      this.ask();
    });
    this.controls.addEventListener("end", () => {
      byUser = false;
      this.onView();
    });
    const { skyLight, sunLight } = lights(up);
    this.scene.add(skyLight, sunLight);
    this.applyTheme();
    this.reset();
    new ResizeObserver(() => this.resize()).observe(host);
  }

  applyTheme(): void {
    this.scene.background = new THREE.Color(color("scene"));
    this.ask();
  }

  // The scene has become larger. Whoever has looked around keeps the view.
  widen(box: Box): void {
    if (box.size.equals(this.box.size) && box.center.equals(this.box.center)) return;
    this.box = box;
    if (!this.touched) this.reset();
  }

  // The whole scene in view, from where one has looked last.
  reset(preset: Preset = this.preset): void {
    this.touched = false;
    this.preset = preset;
    const { center, size } = this.box;
    const { camera } = this;
    this.controls.target.copy(center);
    if (camera instanceof THREE.PerspectiveCamera) {
      const direction = new THREE.Vector3(...directions[preset]);
      direction.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), camera.up)).normalize();
      const distance = (0.62 * size.length()) / Math.tan(((camera.fov / 2) * Math.PI) / 180);
      camera.position.copy(center).addScaledVector(direction, distance / Math.min(1, this.aspect()));
    } else {
      camera.position.copy(center).setZ(center.z + (size.length() || 1));
      camera.zoom = 1;
    }
    this.resize();
    this.controls.update();
    this.onView();
  }

  // Where the camera stands and what it looks at, for the address; empty: the whole scene as at the beginning.
  get view(): string {
    if (!this.touched) return this.preset === "iso" ? "" : this.preset;
    const { position, zoom } = this.camera;
    return [...position.toArray(), ...this.controls.target.toArray(), zoom].map((x) => Number(x.toPrecision(6))).join(",");
  }
  set view(text: string) {
    if (text in directions) this.reset(text as Preset);
    const numbers = text.split(",").map(Number);
    if (numbers.length !== 7 || !numbers.every(Number.isFinite) || !(numbers[6]! > 0)) return;
    this.touched = true;
    this.camera.position.fromArray(numbers);
    this.controls.target.fromArray(numbers, 3);
    this.camera.zoom = numbers[6]!;
    this.resize();
    this.controls.update();
  }

  // Moves the camera along with what it follows.
  moveBy(way: THREE.Vector3): void {
    this.camera.position.add(way);
    this.controls.target.add(way);
    this.controls.update();
  }
  lookAt(point: THREE.Vector3): void {
    this.moveBy(point.clone().sub(this.controls.target));
  }

  // Pixels of the picture that a metre takes at the middle of the view.
  get pixelsPerMetre(): number {
    const { camera, host } = this;
    if (camera instanceof THREE.PerspectiveCamera) {
      const away = camera.position.distanceTo(this.controls.target);
      return host.clientHeight / (2 * away * Math.tan(((camera.fov / 2) * Math.PI) / 180));
    }
    return (host.clientHeight * camera.zoom) / (camera.top - camera.bottom);
  }

  private aspect(): number {
    return this.host.clientWidth / Math.max(this.host.clientHeight, 1) || 1;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    const aspect = width / height;
    if (this.camera instanceof THREE.PerspectiveCamera) {
      this.camera.aspect = aspect;
    } else {
      const { size } = this.box;
      const [free, wide] = [Math.max(height - margin - below, height / 2), Math.max(width - 2 * margin, width / 2)];
      const half = Math.max((0.58 * size.x) / aspect, 0.5 * height * Math.max(size.y / free, size.x / wide), 1e-12);
      [this.camera.top, this.camera.bottom] = [half, -half];
      [this.camera.left, this.camera.right] = [-half * aspect, half * aspect];
      if (!this.touched) this.lookAt(this.box.center.clone().setY(this.box.center.y - ((below - margin) / 2 / height) * 2 * half));
    }
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  // The ray from the eye through a place of the picture, in pixels from its upper left corner.
  rayAt(x: number, y: number): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    const { clientWidth, clientHeight } = this.host;
    ray.setFromCamera(new THREE.Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), this.camera);
    return ray;
  }

  // Where a point of the scene appears, in such pixels.
  pixelOf(point: THREE.Vector3): [number, number] {
    const { x, y } = point.project(this.camera);
    return [((x + 1) / 2) * this.host.clientWidth, ((1 - y) / 2) * this.host.clientHeight];
  }

  ask(): void {
    this.asked = true;
  }
  drawIfAsked(): void {
    const now = performance.now();
    if (this.asked) this.lastAsked = now;
    const sharpen = this.drawsTwice && !this.isSharp && now - this.lastAsked > restless;
    if (!this.asked && !sharpen) return;
    if (this.drawsTwice && this.isSharp !== sharpen) {
      this.isSharp = sharpen;
      this.renderer.setPixelRatio(sharpen ? 2 * this.ratio : this.ratio);
    }
    this.draw();
  }
  draw(): void {
    this.asked = false;
    this.renderer.render(this.scene, this.camera);
    ++this.frames;
    this.onDrawn();
  }

  // Draws so many pixels a pixel of the screen until the work is done.
  async withRatio<T>(ratio: number, work: () => Promise<T>): Promise<T> {
    const before = this.renderer.getPixelRatio();
    this.renderer.setPixelRatio(ratio);
    try {
      return await work();
    } finally {
      this.renderer.setPixelRatio(before);
      this.ask();
    }
  }
}
