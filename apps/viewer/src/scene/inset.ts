import { color, h, sharpContext } from "../dom";
import { prefixed } from "../format";
import { indexBefore, type Frames } from "../frames";
import type { Element, Part, Scene } from "../types";
import * as THREE from "three";

const mostOrbitPoints = 1500;

// A clearance joint under the magnifying glass: the circle that the journal's centre may not leave, its orbit so far,
// and the journal itself in a bearing whose play is drawn large.
export class Inset {
  readonly element: HTMLElement;
  readonly canvas = h("canvas", {});
  private select: HTMLSelectElement;
  private chosen = 0;
  private joints: { joint: Element; part: Part }[];
  private time = 0;

  constructor(
    private scene: Scene,
    private frames: Frames,
  ) {
    this.joints = scene.frames.eccentricities.map((part) => ({ joint: scene.joints[part.index]!, part }));
    this.select = h("select", { "aria-label": "Clearance joint", onchange: () => this.choose(this.select.selectedIndex) });
    for (const { joint } of this.joints) this.select.append(h("option", {}, joint.name));
    this.element = h("div", { class: "inset card" }, h("div", { class: "row" }, h("span", { class: "muted" }, "Clearance"), this.select), this.canvas, h("div", { class: "legend muted" }));
  }

  // For pictures.
  get title(): [string, string] {
    return [`Clearance of ${this.joints[this.chosen]?.joint.name ?? ""}`, this.element.querySelector(".legend")!.textContent ?? ""];
  }

  private choose(index: number): void {
    this.chosen = index;
    this.draw(this.time);
  }

  // Eccentricity in the plane across the joint's axis; of a slide in a planar model that is a line, drawn upright.
  private inPlane(joint: Element, at: number, rows: Float32Array): [number, number] {
    const isSlide = joint.clearance?.guide;
    if ((this.scene.planar && !isSlide) || !joint.axes || !joint.clearance) return [rows[at]!, rows[at + 1]!];
    const back = new THREE.Quaternion(...joint.axes[joint.clearance.bearing]!).invert();
    const local = new THREE.Vector3().fromArray(rows, at).applyQuaternion(back);
    return this.scene.planar ? [0, local.x] : [local.x, local.y];
  }

  draw(time: number): void {
    this.time = time;
    const entry = this.joints[this.chosen];
    const surface = sharpContext(this.canvas);
    if (!entry?.joint.clearance || !surface) return;
    const { context, width, height } = surface;
    const { joint, part } = entry;
    const radial = joint.clearance!.radial;
    const isGuide = joint.clearance!.guide;
    const middle: [number, number] = [width / 2, height / 2];
    const bearing = 0.46 * Math.min(width, height);
    const play = 0.36 * bearing; // drawn for the radial clearance
    const scale = play / radial;
    const to = ([x, y]: [number, number]): [number, number] => [middle[0] + scale * x, middle[1] - scale * y];
    const circle = (place: [number, number], radius: number) => {
      context.beginPath();
      context.arc(...place, radius, 0, 2 * Math.PI);
    };
    const now = this.inPlane(joint, part.place, this.frames.at(time));

    context.lineWidth = 2;
    context.strokeStyle = color("muted");
    circle(middle, bearing);
    if (!isGuide) context.stroke();
    else this.drawGuide(context, middle, bearing, play);
    context.fillStyle = color("journal");
    const [x, y] = to(now);
    if (isGuide) context.fillRect(x - bearing * 0.5, y - (bearing - play) * 0.7, bearing, (bearing - play) * 1.4);
    else circle([x, y], bearing - play);
    if (!isGuide) context.fill();
    context.setLineDash([3, 3]);
    context.lineWidth = 1;
    if (isGuide) context.strokeRect(middle[0] - play, middle[1] - play, 2 * play, 2 * play);
    else circle(middle, play);
    if (!isGuide) context.stroke();
    context.setLineDash([]);
    this.drawOrbit(context, joint, part, time, to);
    context.fillStyle = color("accent");
    circle(to(now), 3.5);
    context.fill();
    const far = Math.hypot(...now);
    this.element.querySelector(".legend")!.textContent = `e = ${prefixed(far, "m", radial)} (${((100 * far) / radial).toFixed(0)} % of the clearance)`;
  }

  // Walls that a block of the drawn size touches when it has used up the play.
  private drawGuide(context: CanvasRenderingContext2D, [x, y]: [number, number], bearing: number, play: number): void {
    const away = (bearing - play) * 0.7 + play;
    context.beginPath();
    for (const side of [1, -1]) {
      context.moveTo(x - bearing, y + side * away);
      context.lineTo(x + bearing, y + side * away);
    }
    context.stroke();
  }

  private drawOrbit(context: CanvasRenderingContext2D, joint: Element, part: Part, time: number, to: (p: [number, number]) => [number, number]): void {
    const { times, rows } = this.frames.coarse;
    const last = indexBefore(times, time);
    const first = Math.max(0, last - mostOrbitPoints);
    context.strokeStyle = color("accent");
    context.globalAlpha = 0.75;
    context.lineWidth = 1;
    context.beginPath();
    for (let i = first; i <= last; ++i) context.lineTo(...to(this.inPlane(joint, i * this.scene.frames.width + part.place, rows)));
    context.stroke();
    context.globalAlpha = 1;
  }
}
