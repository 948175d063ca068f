import * as THREE from "three";
import type { Clock } from "../clock";
import { byId, color, h, sharpContext } from "../dom";
import { prefixed, timeText } from "../format";
import type { Frames } from "../frames";
import { annotationText, drawAnnotations, scalesOf, type Annotations } from "../scene/annotations";
import { Arrows, coneColor, contactColor, reactionColor } from "../scene/arrows";
import { Beams } from "../scene/beams";
import { Bearings } from "../scene/bearings";
import { Bodies, colorOf, highlightColor } from "../scene/bodies";
import { Coloring } from "../scene/coloring";
import { cover, makeGhost } from "../scene/ghost";
import { Inset } from "../scene/inset";
import { Joints } from "../scene/joints";
import { measure } from "../scene/measure";
import { Measuring } from "../scene/measuring";
import { Stage, type Box } from "../scene/stage";
import { Trails } from "../scene/trails";
import type { Selection } from "../selection";
import type { Shown } from "../shown";
import { onTheme } from "../theme";
import type { Scene } from "../types";
import type { Options } from "../view_options";
import { drawLegend, legendElement, type LegendEntry } from "./legend";

const mostInLegend = 14; // bodies

// The moving picture: what there is to see of the scene at the instant of the clock, as the options say.
// Large: it holds one of each thing that is drawn.
export class ScenePanel {
  readonly stage: Stage;
  readonly measuring: Measuring;
  readonly scene: Scene;
  readonly inset: Inset | null;
  readonly arrows: Arrows;
  readonly ghost: Ghost | null;
  readonly coloring: Coloring;
  largestStress: number;
  private bodies: Bodies;
  private beams: Beams;
  private bearings: Bearings;
  private joints: Joints;
  private trails: Trails;
  private frames: Frames;
  private followed: THREE.Vector3 | null = null; // where the followed body was
  private overlay = h("canvas", { class: "overlay", role: "img", "aria-label": "" });
  private strip = h("div", { class: "legend-strip", role: "group", "aria-label": "Legend" });
  private host = h("div", { class: "stage" });
  onContact: (group: string) => void = () => {};

  constructor(
    shown: Shown,
    other: Shown | undefined,
    private clock: Clock,
    readonly options: Options,
    private selection: Selection,
  ) {
    const { scene } = shown;
    const frames = shown.frames!;
    this.scene = scene;
    this.frames = frames;
    const middle = h("div", { class: "scene-body" }, this.host);
    byId("scene").append(middle, this.strip);
    const box = measure(scene, frames);
    const extent = Math.max(box.size.x, box.size.y, box.size.z);
    const gravity = new THREE.Vector3(...scene.gravity);
    const up = scene.planar ? new THREE.Vector3(0, 1, 0) : gravity.length() > 0 ? gravity.normalize().negate() : new THREE.Vector3(0, 0, 1);
    this.stage = new Stage(this.host, scene.planar, box, up);
    this.bodies = new Bodies(scene, extent, box, up);
    this.beams = new Beams(scene, this.bodies);
    this.bearings = new Bearings(scene, this.bodies, extent, frames);
    this.joints = new Joints(scene, this.bodies, extent, frames);
    this.arrows = new Arrows(scene, this.bodies, extent, frames);
    this.trails = new Trails(scene, frames);
    this.coloring = new Coloring(scene, this.bodies, frames);
    this.measuring = new Measuring(scene, this.bodies, this.stage);
    this.largestStress = largestOf(scene, frames);
    this.stage.scene.add(this.bearings.object, this.beams.object, this.bodies.object, this.joints.object, this.trails.object, this.arrows.object);
    this.ghost = other?.scene.drawable && other.frames ? new Ghost(other.scene, other.frames, extent, box, up) : null;
    if (this.ghost) {
      for (const { object } of [this.beams, this.bodies]) cover(object);
      this.stage.scene.add(this.ghost.object);
    }
    this.inset = scene.frames.eccentricities.length > 0 ? new Inset(scene, frames) : null;
    if (this.inset) middle.append(this.inset.element);
    this.host.append(this.overlay);
    this.listenToPointer();
    this.stage.onDrawn = () => this.annotate();
    clock.onTime(() => this.show());
    options.onChange(() => this.apply());
    selection.onChange(() => this.apply());
    onTheme(() => {
      this.ghost?.paint();
      this.stage.applyTheme();
      this.inset?.draw(clock.time);
    });
    new ResizeObserver(() => this.stage.ask()).observe(this.host);
    this.apply();
  }

  // Names what the pointer rests on; a click chooses it.
  private listenToPointer(): void {
    const label = h("div", { class: "name-tip", hidden: true });
    this.host.append(label);
    const { canvas } = this.stage;
    let pressed = [0, 0];
    canvas.addEventListener("pointerdown", (event) => (pressed = [event.offsetX, event.offsetY]));
    canvas.addEventListener("pointermove", (event) => {
      const name = event.buttons || event.pointerType === "touch" ? undefined : (this.contactAt(event) ?? this.partAt(event)?.replace(/^(body|beam):/, ""));
      label.hidden = !name;
      label.textContent = name ?? "";
      label.style.transform = `translate(${event.offsetX + 14}px, ${event.offsetY + 14}px)`;
    });
    canvas.addEventListener("pointerleave", () => (label.hidden = true));
    canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.offsetX - pressed[0]!, event.offsetY - pressed[1]!) > 4) return;
      if (this.measuring.active) {
        this.measuring.click(event.offsetX, event.offsetY);
        return this.stage.ask();
      }
      const contact = this.contactAt(event);
      if (contact) {
        this.selection.choose(contact);
        return this.onContact(contact);
      }
      this.selection.choose(this.partAt(event) ?? null);
    });
  }
  private partAt({ offsetX, offsetY }: { offsetX: number; offsetY: number }): string | undefined {
    const ray = this.stage.rayAt(offsetX, offsetY);
    const [body, beam] = [this.bodies.hitBy(ray), this.beams.hitBy(ray)];
    if (beam && (!body?.name || beam.distance < body.distance)) return `beam:${beam.name}`;
    return body?.name ? `body:${body.name}` : undefined;
  }
  private contactAt({ offsetX, offsetY }: { offsetX: number; offsetY: number }): string | undefined {
    if (!this.options.values.contacts) return undefined;
    return this.arrows.nearest(this.frames.row, (place) => {
      const [x, y] = this.stage.pixelOf(place);
      return Math.hypot(x - offsetX, y - offsetY);
    });
  }

  // There are other frames: the run has gone on, or more of them have come.
  extend(): void {
    this.stage.widen(measure(this.scene, this.frames));
    this.arrows.measure();
    this.coloring.forget();
    this.largestStress = largestOf(this.scene, this.frames);
    this.trails.forget();
    this.apply();
  }

  // Options or what is chosen have changed.
  private apply(): void {
    const { values } = this.options;
    this.joints.object.visible = values.joints;
    if (this.inset) this.inset.element.hidden = !values.clearance;
    this.arrows.showContacts = values.contacts;
    this.arrows.showReactions = values.reactions;
    this.arrows.showCones = values.cones;
    this.arrows.scale = 10 ** values.arrows;
    if (this.ghost) this.ghost.object.visible = values.ghost;
    const { group } = this.selection;
    const named = (prefix: string) => (group?.startsWith(prefix) ? group.slice(prefix.length) : null);
    this.bodies.highlight(named("body:"));
    this.beams.highlight(named("beam:"));
    this.joints.highlight(named("joint:"));
    if (values.color === "body" || values.color === "stress") this.coloring.paint(null, 0);
    this.showLegend();
    this.show();
  }

  show(): void {
    const { values } = this.options;
    const { time } = this.clock;
    if (values.color === "speed") this.coloring.paint(this.coloring.speeds(time, this.clock.step), this.coloring.largest.speed);
    const row = this.frames.at(time);
    if (values.color === "force") this.coloring.paint(this.coloring.forces(row), this.coloring.largest.force);
    this.bodies.update(row);
    this.beams.update(row, values.color === "stress" ? this.largestStress : 0);
    this.bearings.update(row);
    this.joints.update();
    this.arrows.update(row);
    this.trails.update(time, values.paths, values.path);
    if (this.ghost?.object.visible) this.ghost.update(time);
    this.inset?.draw(time);
    this.follow();
    this.stage.ask();
  }

  // The camera goes along with the mass centre of a body.
  private follow(): void {
    const index = this.scene.bodies.findIndex(({ name }) => name === this.options.values.follow);
    if (index < 0) return void (this.followed = null);
    const now = this.bodies.toWorld(index + 1, this.scene.bodies[index]!.center, new THREE.Vector3());
    if (this.followed) this.stage.moveBy(now.clone().sub(this.followed));
    else this.stage.lookAt(now);
    this.followed = now;
  }

  get legend(): LegendEntry[] {
    const { values } = this.options;
    const entries: LegendEntry[] = [];
    const ramp = (text: string, largest: number, unit: string) => entries.push({ kind: "ramp", text, low: "0", high: `≥ ${prefixed(largest, unit, largest, 2)}` });
    if (values.color === "speed") ramp("Speed of the mass centre", this.coloring.largest.speed, "m/s");
    else if (values.color === "force") ramp("Largest force on the body", this.coloring.largest.force, "N");
    else {
      const nodes = new Set(this.scene.beams.flatMap((beam) => beam.nodes));
      const bodies = this.scene.bodies.map((body, index) => ({ body, index })).filter(({ body, index }) => !nodes.has(index + 1) || body.geometry.length > 0);
      for (const { body, index } of bodies.slice(0, mostInLegend)) entries.push({ kind: "body", color: this.selection.holds(`body:${body.name}`) ? highlightColor : `#${colorOf(this.scene, index).getHexString()}`, text: body.name, group: `body:${body.name}` });
      if (bodies.length > mostInLegend) entries.push({ kind: "line", color: "transparent", text: `and ${bodies.length - mostInLegend} more bodies` });
    }
    if (values.color === "stress" && this.largestStress > 0) entries.push({ kind: "ramp", text: "Stress", low: "0", high: prefixed(this.largestStress, "Pa", this.largestStress, 0) });
    const { largestLoad } = this.bearings;
    if (largestLoad > 0) entries.push({ kind: "ramp", text: "Load of a ball or roller", low: "0", high: prefixed(largestLoad, "N", largestLoad, 0) });
    const { contacts, reactions } = this.scene.frames;
    const mean = contacts.some((contact) => contact.mean) ? "contact force (mean over a sample)" : "contact force";
    if (values.contacts && contacts.length > 0) entries.push({ kind: "arrow", color: contactColor, text: mean });
    if (values.reactions && reactions.length > 0) entries.push({ kind: "arrow", color: reactionColor, text: "joint force" });
    if (values.cones && this.arrows.anyCone) entries.push({ kind: "line", color: coneColor, text: "friction cone" });
    if (values.ghost && this.ghost) entries.push({ kind: "body", color: color("ghost"), text: "B" });
    return entries;
  }
  private showLegend(): void {
    this.strip.hidden = !this.options.values.legend;
    this.strip.replaceChildren(...legendElement(this.legend, (group) => this.selection.choose(this.selection.group === group ? null : group), (group) => this.selection.holds(group)));
  }

  private get annotations(): Annotations {
    const { values } = this.options;
    const { contacts, reactions } = this.scene.frames;
    const arrows = values.contacts && contacts.length > 0 ? contactColor : values.reactions && reactions.length > 0 ? reactionColor : null;
    const scales = values.scale ? scalesOf(this.stage, !this.scene.planar, this.arrows.metresPerNewton, arrows) : { bar: null, arrow: null };
    return { axes: values.axes, scales, measured: this.measuring.line };
  }
  private annotate(): void {
    const surface = sharpContext(this.overlay);
    if (!surface) return;
    const { annotations } = this;
    drawAnnotations(surface.context, surface.height, annotations, this.stage, this.scene.planar);
    this.overlay.setAttribute("aria-label", annotationText(annotations));
  }

  get width(): number {
    return this.host.clientWidth + (this.insetWidth > 0 ? this.insetWidth : 0);
  }
  private get insetWidth(): number {
    return this.inset && !this.inset.element.hidden ? this.inset.canvas.clientWidth + 16 : 0;
  }

  // All that is shown, as one picture: the scene, the magnified joint beside it, legend and time below. Films need even
  // numbers of pixels.
  composed(canvas: HTMLCanvasElement, ratio: number, even = false): HTMLCanvasElement {
    const { clientWidth: wide, clientHeight: high } = this.host;
    const context = canvas.getContext("2d")!;
    const entries = this.options.values.legend ? this.legend : [];
    const below = 22 + drawLegend(context, entries, this.width, 0, "#000"); // the canvas is wiped when it gets its size
    const round = (size: number) => (even ? 2 * Math.round((size * ratio) / 2) : Math.round(size * ratio));
    [canvas.width, canvas.height] = [round(this.width), round(high + below)];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = color("panel");
    context.fillRect(0, 0, this.width + 2, high + below + 2);
    context.imageSmoothingQuality = "high";
    context.drawImage(this.stage.canvas, 0, 0, wide, high);
    drawAnnotations(context, high, this.annotations, this.stage, this.scene.planar);
    if (this.inset && this.insetWidth > 0) {
      const { canvas: glass, title } = this.inset;
      context.fillStyle = color("text");
      context.textAlign = "center";
      context.font = "11px system-ui, sans-serif";
      const middle = wide + this.insetWidth / 2;
      context.fillText(title[0], middle, 16);
      context.drawImage(glass, wide + 8, 22, glass.clientWidth, glass.clientHeight);
      context.fillText(title[1], middle, 22 + glass.clientHeight + 14, this.insetWidth - 4);
      context.textAlign = "left";
    }
    const ink = color("text");
    const used = drawLegend(context, entries, this.width, high, ink);
    context.fillStyle = ink;
    context.font = "11px system-ui, sans-serif";
    context.fillText(`${this.scene.name}   t = ${timeText(this.clock.time, this.clock.end - this.clock.start)}`, 10, high + used + 15);
    return canvas;
  }

  // For tests: what cannot be asked of the page itself.
  get seen() {
    const pixel = (x: number, y: number, z: number) => this.stage.pixelOf(new THREE.Vector3(x, y, z));
    return {
      trails: this.trails.count,
      pixelOf: pixel,
      pixelOfBody: (name: string) => {
        const index = this.scene.bodies.findIndex((body) => body.name === name);
        return this.stage.pixelOf(this.bodies.toWorld(index + 1, this.scene.bodies[index]!.center, new THREE.Vector3()));
      },
    };
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
