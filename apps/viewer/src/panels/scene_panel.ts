import * as THREE from "three";
import type { Clock } from "../clock";
import { byId, h } from "../dom";
import { prefixed } from "../format";
import type { Frames } from "../frames";
import { Arrows } from "../scene/arrows";
import { Beams } from "../scene/beams";
import { Bodies } from "../scene/bodies";
import { Inset } from "../scene/inset";
import { Joints } from "../scene/joints";
import { measure } from "../scene/measure";
import { Stage, type Box } from "../scene/stage";
import { Trails } from "../scene/trails";
import { makeGhost } from "../scene/ghost";
import type { Shown } from "../shown";
import { onTheme } from "../theme";
import type { Scene } from "../types";

// The moving picture with its switches.
export class ScenePanel {
  readonly stage: Stage;
  private bodies: Bodies;
  private beams: Beams;
  private joints: Joints;
  private arrows: Arrows;
  private trails: Trails;
  private inset: Inset | null;
  private largestStress: number;
  private scene: Scene;
  private frames: Frames;
  private ghost: Ghost | null;
  onChoose: (body: string) => void = () => {};
  onContact: (group: string) => void = () => {};

  constructor(
    shown: Shown,
    other: Shown | undefined,
    private clock: Clock,
  ) {
    const host = byId("scene");
    const { scene } = shown;
    const frames = shown.frames!;
    this.scene = scene;
    this.frames = frames;
    const box = measure(scene, frames);
    const extent = Math.max(box.size.x, box.size.y, box.size.z);
    const gravity = new THREE.Vector3(...scene.gravity);
    const up = scene.planar ? new THREE.Vector3(0, 1, 0) : gravity.length() > 0 ? gravity.normalize().negate() : new THREE.Vector3(0, 0, 1);
    this.stage = new Stage(host, scene.planar, box, up);
    this.bodies = new Bodies(scene, extent, box, up);
    this.beams = new Beams(scene, this.bodies);
    this.joints = new Joints(scene, this.bodies, extent, frames);
    this.arrows = new Arrows(scene, this.bodies, extent, frames);
    this.trails = new Trails(scene, frames);
    this.trails.object.visible = false;
    this.largestStress = largestOf(scene, frames);
    this.stage.scene.add(this.beams.object, this.bodies.object, this.joints.object, this.trails.object, this.arrows.object);
    this.ghost = other?.scene.drawable && other.frames ? new Ghost(other.scene, other.frames, extent, box, up) : null;
    if (this.ghost) this.stage.scene.add(this.ghost.object);
    this.inset = scene.frames.eccentricities.length > 0 ? new Inset(scene, frames) : null;
    if (this.inset) host.append(this.inset.element);
    host.append(this.controls());
    this.listenToPointer(host);
    if (this.largestStress > 0) host.append(h("div", { class: "scale card" }, h("span", {}, "0"), h("i"), h("span", {}, prefixed(this.largestStress, "Pa", this.largestStress, 0))));
    clock.onTime(() => this.show());
    onTheme(() => {
      this.ghost?.paint();
      this.stage.applyTheme();
      this.inset?.draw(clock.time);
    });
    this.show();
  }

  // Names what the pointer rests on; a click shows its quantities.
  private listenToPointer(host: HTMLElement): void {
    const label = h("div", { class: "name-tip", hidden: true });
    host.append(label);
    const { canvas } = this.stage;
    let pressed = [0, 0];
    canvas.addEventListener("pointerdown", (event) => (pressed = [event.offsetX, event.offsetY]));
    canvas.addEventListener("pointermove", (event) => {
      const name = event.buttons || event.pointerType === "touch" ? undefined : (this.contactAt(event) ?? this.bodies.hitBy(this.stage.rayAt(event.offsetX, event.offsetY)));
      label.hidden = !name;
      label.textContent = name ?? "";
      label.style.transform = `translate(${event.offsetX + 14}px, ${event.offsetY + 14}px)`;
    });
    canvas.addEventListener("pointerleave", () => (label.hidden = true));
    canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.offsetX - pressed[0]!, event.offsetY - pressed[1]!) > 4) return;
      const contact = this.contactAt(event);
      if (contact) return this.onContact(contact);
      const name = this.bodies.hitBy(this.stage.rayAt(event.offsetX, event.offsetY));
      if (name) this.onChoose(name);
    });
  }
  private contactAt({ offsetX, offsetY }: { offsetX: number; offsetY: number }): string | undefined {
    if (!this.arrows.showContacts) return undefined;
    return this.arrows.nearest(this.frames.row, (place) => {
      const [x, y] = this.stage.pixelOf(place);
      return Math.hypot(x - offsetX, y - offsetY);
    });
  }

  private controls(): HTMLElement {
    const toggle = (label: string, value: boolean, change: (on: boolean) => void, available = true) => {
      const box = h("input", { type: "checkbox", onchange: () => (change(box.checked), this.show()) });
      box.checked = value;
      return available ? h("label", {}, box, label) : null;
    };
    const { contacts, reactions } = this.scene.frames;
    const slider = h("input", { type: "range", min: -1, max: 2, step: 0.05, value: 0, title: "Length of the force arrows", "aria-label": "Length of force arrows" });
    slider.addEventListener("input", () => {
      this.arrows.scale = 10 ** Number(slider.value);
      this.show();
    });
    return h(
      "div",
      { class: "view-options card" },
      toggle("Joints", true, (on) => (this.joints.object.visible = on), this.scene.joints.length > 0),
      toggle("Paths", false, (on) => (this.trails.object.visible = on)),
      toggle("Clearance", true, (on) => (this.inset!.element.hidden = !on), this.inset !== null),
      toggle("Contact forces", true, (on) => (this.arrows.showContacts = on), contacts.length > 0),
      toggle("Joint forces", false, (on) => (this.arrows.showReactions = on), reactions.length > 0),
      toggle("Friction cones", false, (on) => (this.arrows.showCones = on), this.arrows.anyCone),
      toggle("Ghost of B", true, (on) => (this.ghost!.object.visible = on), this.ghost !== null),
      this.arrows.any && slider,
      h("button", { type: "button", title: "Show everything (F)", onclick: () => this.stage.reset() }, "Fit"),
    );
  }

  // There are other frames: the run has gone on, or more of them have come.
  extend(): void {
    this.stage.widen(measure(this.scene, this.frames));
    this.arrows.measure();
    this.largestStress = largestOf(this.scene, this.frames);
    this.trails.build();
    this.show();
  }

  show(): void {
    const row = this.frames.at(this.clock.time);
    this.bodies.update(row);
    this.beams.update(row, this.largestStress);
    this.joints.update();
    this.arrows.update(row);
    if (this.trails.object.visible) this.trails.update(this.clock.time);
    if (this.ghost?.object.visible) this.ghost.update(this.clock.time);
    this.inset?.draw(this.clock.time);
    this.stage.ask();
  }
}

// The bodies of the file compared with.
class Ghost {
  readonly object = new THREE.Group();
  private bodies: Bodies;
  private beams: Beams;
  constructor(
    scene: Scene,
    private frames: Frames,
    extent: number,
    box: Box,
    up: THREE.Vector3,
  ) {
    this.bodies = new Bodies(scene, extent, box, up, true);
    this.beams = new Beams(scene, this.bodies);
    this.object.add(this.bodies.object, this.beams.object);
    this.paint();
  }
  paint(): void {
    this.bodies.makeGhost();
    makeGhost(this.beams.object);
  }
  update(time: number): void {
    const row = this.frames.at(time);
    this.bodies.update(row);
    this.beams.update(row, 0);
  }
}

function largestOf(scene: Scene, frames: Frames): number {
  const { width, stresses } = scene.frames;
  let largest = 0;
  for (let i = 0; i < frames.coarseCount; ++i) {
    for (const { place, count } of stresses) {
      for (let k = 0; k < count; ++k) {
        const value = Math.abs(frames.coarse.rows[i * width + place + k]!);
        if (value > largest) largest = value;
      }
    }
  }
  return largest;
}
