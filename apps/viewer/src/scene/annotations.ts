import * as THREE from "three";
import { color } from "../dom";
import { prefixed } from "../format";
import type { Stage } from "./stage";

// What is written over the scene: the axes, a bar of known length, an arrow of known force, and what is measured. Drawn
// on a plain canvas, so that pictures and films show the same.

export interface Scales {
  bar: { metres: number; pixels: number; text: string } | null;
  arrow: { newtons: number; pixels: number; text: string; color: string } | null;
}
export interface MeasuredLine {
  from: THREE.Vector3;
  to: THREE.Vector3 | null; // null: the second point is still to be chosen
  text: string;
}
export interface Annotations {
  axes: boolean;
  scales: Scales;
  measured: MeasuredLine | null;
}

// 1, 2 or 5 times a power of ten, the largest that is not above.
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([5, 2, 1].find((k) => k * power <= value * (1 + 1e-9)) ?? 1) * power;
}
const shortText = (value: number, unit: string): string => prefixed(value, unit, value, 3).replace(/\.?0+ /, " ");

export function scalesOf(stage: Stage, spatial: boolean, metresPerNewton: number, arrowColor: string | null): Scales {
  const { pixelsPerMetre } = stage;
  if (!(pixelsPerMetre > 0)) return { bar: null, arrow: null };
  const metres = roundBelow(120 / pixelsPerMetre);
  const bar = { metres, pixels: metres * pixelsPerMetre, text: shortText(metres, "m") + (spatial ? " (at the centre)" : "") };
  if (!arrowColor || !(metresPerNewton > 0)) return { bar, arrow: null };
  const newtons = roundBelow(80 / (pixelsPerMetre * metresPerNewton));
  return { bar, arrow: { newtons, pixels: newtons * metresPerNewton * pixelsPerMetre, text: shortText(newtons, "N"), color: arrowColor } };
}

// The same in words.
export function annotationText({ scales, measured }: Annotations): string {
  return [scales.bar && `Scale bar: ${scales.bar.text}`, scales.arrow && `Arrow of ${scales.arrow.text}`, measured?.text && `Measured: ${measured.text}`].filter(Boolean).join(". ");
}

export function drawAnnotations(context: CanvasRenderingContext2D, height: number, { axes, scales, measured }: Annotations, stage: Stage, planar: boolean): void {
  context.save();
  context.font = "11px system-ui, sans-serif";
  context.lineJoin = "round";
  const ground = color("scene");
  const written = (text: string, x: number, y: number, align: CanvasTextAlign = "left") => {
    context.textAlign = align;
    context.lineWidth = 3;
    context.strokeStyle = ground;
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  };
  let x = 14;
  if (axes) {
    drawAxes(context, 40, height - 34, stage.camera, planar, written);
    x = 88;
  }
  context.fillStyle = color("text");
  if (scales.bar) {
    drawBar(context, x, height - 14, scales.bar.pixels);
    context.fillStyle = color("text");
    written(scales.bar.text, x, height - 22);
    x += Math.max(scales.bar.pixels, context.measureText(scales.bar.text).width) + 24;
  }
  if (scales.arrow) {
    drawArrow(context, x, height - 14, scales.arrow.pixels, scales.arrow.color);
    context.fillStyle = color("text");
    written(scales.arrow.text, x, height - 22);
  }
  if (measured) drawMeasured(context, measured, stage, written);
  context.restore();
}

type Writer = (text: string, x: number, y: number, align?: CanvasTextAlign) => void;

function drawAxes(context: CanvasRenderingContext2D, x: number, y: number, camera: THREE.Camera, planar: boolean, written: Writer): void {
  const size = 22;
  const turn = camera.quaternion.clone().invert();
  const axes = [
    { name: "x", way: new THREE.Vector3(1, 0, 0), ink: "#d8433b" },
    { name: "y", way: new THREE.Vector3(0, 1, 0), ink: "#3f9e5c" },
    { name: "z", way: new THREE.Vector3(0, 0, 1), ink: "#3f7fd8" },
  ];
  const seen = axes.slice(0, planar ? 2 : 3).map((axis) => ({ ...axis, way: axis.way.applyQuaternion(turn) }));
  for (const { name, way, ink } of seen.sort((a, b) => a.way.z - b.way.z)) {
    context.strokeStyle = context.fillStyle = ink;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + size * way.x, y - size * way.y);
    context.stroke();
    written(name, x + (size + 8) * way.x, y - (size + 8) * way.y + 4, "center");
  }
}

function drawBar(context: CanvasRenderingContext2D, x: number, y: number, pixels: number): void {
  context.strokeStyle = color("text");
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, y - 4);
  context.lineTo(x, y + 4);
  context.moveTo(x, y);
  context.lineTo(x + pixels, y);
  context.moveTo(x + pixels, y - 4);
  context.lineTo(x + pixels, y + 4);
  context.stroke();
}

function drawArrow(context: CanvasRenderingContext2D, x: number, y: number, pixels: number, ink: string): void {
  context.strokeStyle = context.fillStyle = ink;
  context.lineWidth = 3;
  const head = Math.min(10, pixels);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + pixels - head, y);
  context.stroke();
  context.beginPath();
  context.moveTo(x + pixels, y);
  context.lineTo(x + pixels - head, y - 4.5);
  context.lineTo(x + pixels - head, y + 4.5);
  context.fill();
}

function drawMeasured(context: CanvasRenderingContext2D, { from, to, text }: MeasuredLine, stage: Stage, written: Writer): void {
  const points = [from, ...(to ? [to] : [])].map((point) => stage.pixelOf(point.clone()));
  context.strokeStyle = context.fillStyle = color("accent");
  context.lineWidth = 1.5;
  if (to) {
    context.setLineDash([6, 3]);
    context.beginPath();
    context.moveTo(...points[0]!);
    context.lineTo(...points[1]!);
    context.stroke();
    context.setLineDash([]);
  }
  for (const [x, y] of points) {
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.fill();
  }
  if (!to) return;
  context.fillStyle = color("text");
  written(text, (points[0]![0] + points[1]![0]) / 2, (points[0]![1] + points[1]![1]) / 2 - 8, "center");
}
