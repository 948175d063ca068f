import { GIFEncoder, applyPalette, quantize } from "gifenc";
import type { Clock } from "../clock";
import { fileName } from "../shown";
import type { ScenePanel } from "./scene_panel";

export type FilmKind = "webm" | "mp4" | "gif";

const framesPerSecond = 30;
const gifPerSecond = 12;
const mostGifFrames = 240;
const gifWidth = 640; // pixels at the most

const types: Record<"webm" | "mp4", string[]> = {
  webm: ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"],
  mp4: ["video/mp4;codecs=avc1.42E01E", "video/mp4;codecs=avc1", "video/mp4"],
};
const typeOf = (kind: "webm" | "mp4"): string | undefined => (typeof MediaRecorder === "undefined" ? undefined : types[kind].find((type) => MediaRecorder.isTypeSupported(type)));

// What this browser can write.
export const filmKinds = (): FilmKind[] => [...(["webm", "mp4"] as const).filter((kind) => typeOf(kind)), "gif"];

const pngOf = (canvas: HTMLCanvasElement): Promise<Blob> => new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("The browser could not make the picture."))), "image/png"));

// As sharp as twice the screen.
export function takePicture(panel: ScenePanel): Promise<Blob> {
  return panel.stage.withRatio(2, () => {
    panel.stage.draw();
    return pngOf(panel.composed(document.createElement("canvas"), 2));
  });
}

// Plays the run once from its beginning and records it. `told` hears the share that is done; `stopped` ends it early.
export async function takeFilm(panel: ScenePanel, clock: Clock, kind: FilmKind, told: (share: number) => void, stopped: () => boolean): Promise<Blob> {
  const before = { time: clock.time, playing: clock.playing };
  clock.setPlaying(false);
  try {
    // Twice as sharp as is shown where there is time for it: thin lines survive.
    return await (kind === "gif" ? panel.stage.withRatio(2, () => takeGif(panel, clock, told, stopped)) : takeVideo(panel, clock, kind, told, stopped));
  } finally {
    clock.seek(before.time);
    clock.setPlaying(before.playing);
  }
}

const nextFrame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));

// At the speed of the timeline: a film takes as long to make as it is.
async function takeVideo(panel: ScenePanel, clock: Clock, kind: "webm" | "mp4", told: (share: number) => void, stopped: () => boolean): Promise<Blob> {
  const canvas = document.createElement("canvas");
  const show = (time: number) => {
    clock.seek(time);
    panel.stage.draw();
    panel.composed(canvas, 1, true);
  };
  show(clock.start);
  const recorder = new MediaRecorder(canvas.captureStream(framesPerSecond), { mimeType: typeOf(kind)!, videoBitsPerSecond: 8e6 });
  const pieces: Blob[] = [];
  recorder.addEventListener("dataavailable", (event) => pieces.push(event.data));
  const ended = new Promise((done) => recorder.addEventListener("stop", done));
  recorder.start();
  const begin = performance.now();
  const seconds = (clock.end - clock.start) / clock.speed;
  for (let now = begin; !stopped() && (now - begin) / 1000 < seconds; now = await nextFrame()) {
    show(clock.start + ((now - begin) / 1000) * clock.speed);
    told((now - begin) / 1000 / seconds);
  }
  if (!stopped()) show(clock.end);
  await nextFrame();
  recorder.stop();
  await ended;
  return new Blob(pieces, { type: typeOf(kind)! });
}

// Picture by picture, so that none is lost however slowly they are drawn.
async function takeGif(panel: ScenePanel, clock: Clock, told: (share: number) => void, stopped: () => boolean): Promise<Blob> {
  const wanted = Math.ceil(((clock.end - clock.start) / clock.speed) * gifPerSecond) + 1;
  const count = Math.min(Math.max(wanted, 2), mostGifFrames);
  const canvas = document.createElement("canvas");
  const gif = GIFEncoder();
  for (let k = 0; k < count && !stopped(); ++k) {
    clock.seek(clock.start + ((clock.end - clock.start) * k) / (count - 1));
    panel.stage.draw();
    panel.composed(canvas, Math.min(1, gifWidth / panel.width));
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d", { willReadFrequently: true })!.getImageData(0, 0, width, height);
    const palette = quantize(data, 256, { format: "rgb565" });
    gif.writeFrame(applyPalette(data, palette, "rgb565"), width, height, { palette, delay: Math.round(1000 / gifPerSecond) });
    told(k / count);
    await new Promise((done) => window.setTimeout(done, 0));
  }
  gif.finish();
  return new Blob([gif.bytes() as BlobPart], { type: "image/gif" });
}

// Hands a file to the user.
export function save(blob: Blob, file: string, ending: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${fileName(file).replace(/\.\w+$/, "")}.${ending}`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
