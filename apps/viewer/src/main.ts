import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Source, state as askState } from "./api";
import { Address } from "./address";
import { Clock } from "./clock";
import { byId, h } from "./dom";
import { Frames } from "./frames";
import { listenToKeys } from "./keys";
import { Live } from "./live";
import { showComparison } from "./panels/compare";
import { firstPlots, Plots } from "./panels/plots";
import { RunPanel } from "./panels/run_panel";
import { listenToMenus } from "./panels/menu";
import { SceneBar } from "./panels/scene_bar";
import { ScenePanel } from "./panels/scene_panel";
import { Side } from "./panels/side";
import { Timeline } from "./panels/timeline";
import { Selection } from "./selection";
import { fileName, type Shown } from "./shown";
import { startTheme, toggleTheme } from "./theme";
import type { FileState, RunState, Scene, State } from "./types";
import { Options } from "./view_options";

const state = { ready: false, frames: 0, firstPaint: 0, refreshes: 0, seen: (): unknown => null };
Object.assign(window, { caromViewer: state }); // for tests

const address = new Address();
const selection = new Selection();
// With what is shown now.
const reload = () => {
  address.write();
  location.reload();
};

function warn(sentences: string[]): void {
  const box = byId("warnings");
  box.replaceChildren(...sentences.map((sentence) => h("p", {}, sentence)));
  box.hidden = sentences.length === 0;
}

function showStatus(scene: Scene, run: RunState | null): void {
  document.title = `${scene.name} – Carom`;
  byId("name").textContent = scene.name;
  byId("file").textContent = fileName(scene.file);
  byId("file").title = scene.file;
  const chip = byId("status");
  chip.textContent = run?.phase === "running" && scene.kind === "result" ? "running" : scene.status;
  chip.className = `chip ${scene.status === "complete" || scene.kind === "model" ? "" : "alert"}`;
  chip.hidden = false;
}

function listenToTabs(): (tab: string) => void {
  const buttons = [...document.querySelectorAll<HTMLElement>(".tabs button")];
  const choose = (tab: string) => {
    document.body.dataset.tab = tab;
    buttons.forEach((button) => button.classList.toggle("active", button.dataset.tab === tab));
  };
  for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.tab!));
  choose("scene");
  return choose;
}

// The picture may fail where the browser has no WebGL; curves do not need it.
function buildScene(files: Shown[], clock: Clock): ScenePanel | null {
  const [shown, other] = files;
  if (!shown!.scene.drawable || !shown!.frames) return null;
  const { stresses } = shown!.scene.frames;
  try {
    return new ScenePanel(shown!, other, clock, new Options(address, { color: stresses.length > 0 ? "stress" : "body" }), selection);
  } catch (error) {
    byId("scene").replaceChildren(h("p", { class: "hint muted" }, `The scene cannot be drawn: ${(error as Error).message}. Plots work all the same; switch on WebGL in the browser to see the motion.`));
    return null;
  }
}

function runLoop(clock: Clock, panel: ScenePanel | null): void {
  let last = performance.now();
  const tick = (now: number) => {
    clock.advance((now - last) / 1000);
    last = now;
    panel?.stage.drawIfAsked();
    if (panel) state.frames = panel.stage.frames;
    if (!state.firstPaint) state.firstPaint = performance.now();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

async function load(of: number, onArrival: () => void): Promise<Shown> {
  const source = new Source(of);
  const [scene, groups] = await Promise.all([source.scene(), source.quantities()]);
  const frames = scene.samples > 0 ? await Frames.load(source, scene.frames, scene.samples, onArrival) : null;
  return { source, letter: of === 0 ? "A" : "B", scene, groups, frames };
}

// Of the file with the finer samples.
function stepOf(files: Shown[]): number {
  const steps = files.map(({ scene }) => (scene.samples > 1 ? (scene.end - scene.start) / (scene.samples - 1) : Infinity));
  const step = Math.min(...steps);
  return Number.isFinite(step) ? step : 0;
}
function spanOf(files: Shown[]): [number, number] {
  const filled = files.filter(({ scene }) => scene.samples > 0).map(({ scene }) => scene);
  if (filled.length === 0) return [0, 0];
  return [Math.min(...filled.map(({ start }) => start)), Math.max(...filled.map(({ end }) => end))];
}

// Takes over what a run has added to a file. True: something was.
async function extend(shown: Shown, now: FileState): Promise<boolean> {
  const { scene } = shown;
  if (now.samples === scene.samples && now.status === scene.status) return false;
  await shown.frames?.extend(now.samples);
  [scene.samples, scene.start, scene.end, scene.status] = [now.samples, now.start, now.end, now.status];
  return true;
}

// Those of the address, or what one wants to see first; from then on the address has those that differ from these.
async function showPlots(plots: Plots, main: Shown): Promise<void> {
  const wanted = await firstPlots(main);
  if (wanted.length > 0) plots.addTime(wanted);
  plots.showEnergy();
  const beginning = plots.text;
  const text = address.get("plots");
  if (text !== undefined && text !== beginning) plots.replace(text);
  plots.brings = true;
  plots.rangeText = address.get("range") ?? "";
  plots.onChange(() => {
    address.set("plots", plots.text === beginning ? null : plots.text);
    address.set("range", plots.rangeText || null);
  });
}

// Instant, camera and choice, once they are taken from there.
function keepInAddress(clock: Clock, panel: ScenePanel | null, isStill: boolean): void {
  const time = Number(address.get("t") ?? NaN);
  if (Number.isFinite(time) && !isStill) clock.seek(time);
  const chosen = address.get("chosen");
  if (chosen) selection.choose(chosen);
  selection.onChange(() => address.set("chosen", selection.group));
  if (panel) {
    panel.stage.view = address.get("camera") ?? "";
    panel.stage.onView = () => address.set("camera", panel.stage.view || null);
    state.seen = () => panel.seen;
  }
  clock.onTime((now) => !clock.playing && !isStill && address.set("t", now > clock.start ? String(Number(now.toPrecision(9))) : null));
  clock.onState(() => !clock.playing && !isStill && address.set("t", clock.time > clock.start ? String(Number(clock.time.toPrecision(9))) : null));
}

async function start(): Promise<void> {
  startTheme();
  const chooseTab = listenToTabs();
  byId("theme").addEventListener("click", toggleTheme);
  byId("reload").addEventListener("click", reload);
  const live = new Live((message) => warn(message ? [message] : []));
  const runPanel = new RunPanel(live);

  const first = await askState();
  if (first.run) {
    runPanel.show(first.run);
    void runPanel.loadFields();
  }
  let panel: ScenePanel | null = null;
  const files = await Promise.all(first.files.map((_, of) => load(of, () => panel?.show())));
  const main = files[0]!;
  showStatus(main.scene, first.run);
  const warnings = files.flatMap(({ scene, letter }) => scene.warnings.map((sentence) => (files.length > 1 ? `${letter}: ${sentence}` : sentence)));
  warn(warnings);
  if (files.length > 1) showComparison(files as [Shown, Shown]);
  const clock = new Clock(...spanOf(files), stepOf(files));
  panel = buildScene(files, clock);
  const isStill = clock.end === clock.start;
  document.body.classList.toggle("still", isStill);
  runLoop(clock, panel);
  // The picture comes before the curves.
  await new Promise((drawn) => requestAnimationFrame(() => window.setTimeout(drawn, 0)));

  const plots = new Plots(files, clock, selection);
  const side = new Side(files, plots, clock, selection);
  const bar = panel && new SceneBar(panel, clock, selection);
  if (panel) panel.onContact = (group) => plots.addLoop(group) && chooseTab("plots");
  const timeline = new Timeline(files, clock);
  if (!isStill) await showPlots(plots, main);
  keepInAddress(clock, panel, isStill);
  listenToMenus();
  listenToKeys({
    clock,
    jump: (direction) => timeline.jump(direction),
    changeSpeed: (by) => timeline.changeSpeed(by),
    fit: () => panel?.stage.reset(),
    energy: () => plots.showEnergy(),
    search: () => (chooseTab("side"), side.searchQuantities()),
    theme: toggleTheme,
    reload,
    preset: (which) => panel?.scene.planar || panel?.stage.reset(which),
    measure: () => bar?.toggleMeasuring(),
    picture: () => void bar?.savePicture(),
    leave: () => bar?.leave(),
  });
  state.ready = true;
  for (const { frames } of files) {
    if (!frames?.isCoarse) continue;
    await frames.refine();
    panel?.extend();
  }

  live.onState(async (now: State) => {
    if (now.run) runPanel.show(now.run);
    const broken = now.files.flatMap(({ error }) => (error && now.run?.phase !== "running" ? [error] : []));
    warn(broken.length > 0 ? broken : warnings);
    if (now.files.some(({ error }) => error)) return;
    const isOther = now.files.some((file, k) => file.generation !== first.files[k]!.generation || file.kind !== files[k]!.scene.kind || (file.samples > 0 && !files[k]!.frames));
    if (isOther) return reload();
    const changes = await Promise.all(now.files.map((file, k) => extend(files[k]!, file)));
    showStatus(main.scene, now.run);
    if (!changes.some(Boolean)) return;
    ++state.refreshes;
    if (files.length > 1) showComparison(files as [Shown, Shown]);
    clock.extend(...spanOf(files), stepOf(files));
    panel?.extend();
    await Promise.all([plots.extend(), timeline.loadMarks()]);
  });
  live.askNow();
}

start().catch((error: Error) => {
  warn([error.message]);
  byId("warnings").classList.add("fatal");
  state.ready = true;
});
