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
import { Stage } from "../scene/stage";
import { Trails } from "../scene/trails";
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
  onChoose: (body: string) => void = () => {};

  constructor(
    private scene: Scene,
    private frames: Frames,
    private clock: Clock,
  ) {
    const host = byId("scene");
    const box = measure(scene, frames);
    const extent = Math.max(box.size.x, box.size.y, box.size.z);
    const gravity = new THREE.Vector3(...scene.gravity);
    const up = scene.planar ? new THREE.Vector3(0, 1, 0) : gravity.length() > 0 ? gravity.normalize().negate() : new THREE.Vector3(0, 0, 1);
    this.stage = new Stage(host, scene.planar, box, up);
    this.bodies = new Bodies(scene, extent, box);
    this.beams = new Beams(scene, this.bodies);
    this.joints = new Joints(scene, this.bodies, extent, frames);
    this.arrows = new Arrows(scene, this.bodies, extent, frames);
    this.trails = new Trails(scene, frames);
    this.trails.object.visible = false;
    this.largestStress = largestOf(scene, frames);
    this.stage.scene.add(this.beams.object, this.bodies.object, this.joints.object, this.trails.object, this.arrows.object);
    this.inset = scene.frames.eccentricities.length > 0 ? new Inset(scene, frames) : null;
    if (this.inset) host.append(this.inset.element);
    host.append(this.controls());
    this.listenToPointer(host);
    if (this.largestStress > 0) host.append(h("div", { class: "scale card" }, h("span", {}, "0"), h("i"), h("span", {}, prefixed(this.largestStress, "Pa", this.largestStress, 0))));
    clock.onTime(() => this.show());
    onTheme(() => {
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
      const name = event.buttons || event.pointerType === "touch" ? undefined : this.bodies.hitBy(this.stage.rayAt(event.offsetX, event.offsetY));
      label.hidden = !name;
      label.textContent = name ?? "";
      label.style.transform = `translate(${event.offsetX + 14}px, ${event.offsetY + 14}px)`;
    });
    canvas.addEventListener("pointerleave", () => (label.hidden = true));
    canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.offsetX - pressed[0]!, event.offsetY - pressed[1]!) > 4) return;
      const name = this.bodies.hitBy(this.stage.rayAt(event.offsetX, event.offsetY));
      if (name) this.onChoose(name);
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
      this.arrows.any && slider,
      h("button", { type: "button", title: "Show everything (F)", onclick: () => this.stage.reset() }, "Fit"),
    );
  }

  show(): void {
    const row = this.frames.at(this.clock.time);
    this.bodies.update(row);
    this.beams.update(row, this.largestStress);
    this.joints.update();
    this.arrows.update(row);
    if (this.trails.object.visible) this.trails.update(this.clock.time);
    this.inset?.draw(this.clock.time);
    this.stage.ask();
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
