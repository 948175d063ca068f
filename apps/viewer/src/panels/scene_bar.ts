import type { Clock } from "../clock";
import { byId, h } from "../dom";
import { prefixed, timeText } from "../format";
import type { Preset } from "../scene/stage";
import { Trails } from "../scene/trails";
import type { Selection } from "../selection";
import type { ViewOptions } from "../view_options";
import { filmKinds, save, takeFilm, takePicture, type FilmKind } from "./film";
import { checkbox, closeMenus, menu, slider } from "./menu";
import type { ScenePanel } from "./scene_panel";

const mostOffered = 200; // bodies in a list

// The row above the scene: where to look from, what to show, paths, measuring, pictures.
export class SceneBar {
  private measure = h("button", { type: "button", title: "Distance between two points (M)", "aria-pressed": "false", onclick: () => this.toggleMeasuring() }, "Measure");
  private filming = h("button", { type: "button", class: "primary", hidden: true, onclick: () => (this.stop = true) });
  private stop = false;

  constructor(
    private panel: ScenePanel,
    private clock: Clock,
    private selection: Selection,
  ) {
    byId("scene").prepend(
      h(
        "div",
        { class: "panel-head scene-bar" },
        this.viewMenu(),
        this.showMenu(),
        this.pathMenu(),
        this.measure,
        this.saveMenu(),
        this.filming,
        h("span", { class: "spring" }),
        h("button", { type: "button", title: "Show everything (F)", onclick: () => panel.stage.reset() }, "Fit"),
      ),
    );
  }

  private toggle<K extends keyof ViewOptions>(key: K, label: string, available = true): HTMLElement | null {
    const { options } = this.panel;
    return available ? checkbox(label, options.values[key] as boolean, (on) => options.set(key, on as ViewOptions[K])) : null;
  }

  private viewMenu(): HTMLElement {
    const { scene, options, stage } = this.panel;
    const presets: [Preset, string][] = [["front", "Front (1)"], ["side", "Side (2)"], ["top", "Top (3)"], ["iso", "Oblique (4)"]];
    const follow = h("select", { "aria-label": "Body to follow", onchange: () => options.set("follow", follow.value) }, h("option", { value: "" }, "nothing"), ...scene.bodies.slice(0, mostOffered).map(({ name }) => h("option", { value: name }, name)));
    follow.value = options.values.follow;
    options.onChange(() => (follow.value = options.values.follow));
    return menu(
      "View",
      "Where to look from",
      scene.planar ? null : h("div", { class: "row wrap" }, ...presets.map(([preset, label]) => h("button", { type: "button", "data-preset": preset, onclick: () => stage.reset(preset) }, label))),
      h("label", {}, "Follow", follow),
      this.toggle("axes", "Axes"),
      this.toggle("scale", "Scales of lengths and arrows"),
      this.toggle("legend", "Legend"),
    );
  }

  private showMenu(): HTMLElement {
    const { scene, options, arrows, inset, ghost, coloring, largestStress } = this.panel;
    const { contacts, reactions } = scene.frames;
    const colors: [ViewOptions["color"], string, boolean][] = [
      ["body", "body", true],
      ["speed", "speed", scene.samples > 1],
      ["force", "force", coloring.hasForces],
      ["stress", "stress", largestStress > 0],
    ];
    const choice = h("select", { "aria-label": "Colour by", onchange: () => options.set("color", choice.value as "body") }, ...colors.filter(([, , has]) => has).map(([value, label]) => h("option", { value }, label)));
    choice.value = options.values.color;
    const lengthText = (value: number) => (arrows.largest > 0 ? `${prefixed(arrows.largest, "N", arrows.largest, 1)} is ${prefixed(arrows.metresPerNewton * arrows.largest, "m", arrows.metresPerNewton * arrows.largest, 1)} long` : `× ${(10 ** value).toFixed(2)}`);
    return menu(
      "Show",
      "What to show",
      this.toggle("joints", "Joints", scene.joints.length > 0),
      this.toggle("clearance", "Clearance", inset !== null),
      this.toggle("contacts", "Contact forces", contacts.length > 0),
      this.toggle("reactions", "Joint forces", reactions.length > 0),
      this.toggle("cones", "Friction cones", arrows.anyCone),
      this.toggle("ghost", "Ghost of B", ghost !== null),
      h("label", {}, "Colour by", choice),
      arrows.any && slider("Length of arrows", { min: -1, max: 2, step: 0.05, value: options.values.arrows }, lengthText, (value) => options.set("arrows", value)),
    );
  }

  // Whose paths, and how long.
  private pathMenu(): HTMLElement {
    const { scene, options } = this.panel;
    const names = Trails.moving(scene).map((index) => scene.bodies[index]!.name);
    const span = this.clock.end - this.clock.start;
    const choose = (name: string, on: boolean) => {
      const all = options.values.paths.includes("*") ? names : options.values.paths;
      const chosen = on ? [...new Set([...all, name])] : all.filter((other) => other !== name);
      options.set("paths", chosen.length === names.length ? ["*"] : chosen);
    };
    const isOn = (name: string) => options.values.paths.includes("*") || options.values.paths.includes(name);
    const boxes = names.map((name) => checkbox(name, isOn(name), (on) => choose(name, on)));
    const all = checkbox("Paths of all", options.values.paths.includes("*"), (on) => options.set("paths", on ? ["*"] : []));
    options.onChange(() => {
      boxes.forEach((box, k) => (box.querySelector("input")!.checked = isOn(names[k]!)));
      all.querySelector("input")!.checked = options.values.paths.includes("*");
    });
    // From a hundredth of the run to all of it.
    const lengthOf = (value: number) => (value >= 0 ? 0 : span * 10 ** value);
    const value = options.values.path > 0 && span > 0 ? Math.log10(options.values.path / span) : 0;
    return menu(
      "Paths",
      "Paths of the mass centres",
      all,
      h("div", { class: "menu-list" }, ...boxes),
      slider("Length", { min: -2.5, max: 0, step: 0.05, value }, (at) => (at >= 0 ? "from the beginning" : `last ${timeText(lengthOf(at), span)}`), (at) => options.set("path", lengthOf(at))),
    );
  }

  toggleMeasuring(on = !this.panel.measuring.active): void {
    this.panel.measuring.start(on);
    this.measure.setAttribute("aria-pressed", String(on));
    this.panel.stage.canvas.style.cursor = on ? "crosshair" : "";
    this.panel.stage.ask();
  }
  // Escape takes back one thing at a time.
  leave(): void {
    if (closeMenus()) return;
    if (this.panel.measuring.active) this.toggleMeasuring(false);
    else this.selection.choose(null);
  }

  private saveMenu(): HTMLElement {
    const still = this.clock.end === this.clock.start;
    const labels: Record<FilmKind, string> = { webm: "Film (WebM)", mp4: "Film (MP4)", gif: "Film (GIF)" };
    return menu(
      "Save",
      "A picture or film of what is shown",
      h("button", { type: "button", "data-save": "png", onclick: () => void this.savePicture() }, "Picture (PNG)"),
      ...(still ? [] : filmKinds().map((kind) => h("button", { type: "button", "data-save": kind, onclick: () => void this.saveFilm(kind) }, labels[kind]))),
      h("p", { class: "muted" }, "A film shows the whole run once, as fast as the timeline plays it."),
    );
  }
  async savePicture(): Promise<void> {
    closeMenus();
    save(await takePicture(this.panel), this.panel.scene.file, "png");
  }
  private async saveFilm(kind: FilmKind): Promise<void> {
    closeMenus();
    this.stop = false;
    this.filming.hidden = false;
    try {
      const tell = (share: number) => (this.filming.textContent = `Filming ${Math.round(100 * share)} % – stop`);
      tell(0);
      save(await takeFilm(this.panel, this.clock, kind, tell, () => this.stop), this.panel.scene.file, kind);
    } finally {
      this.filming.hidden = true;
    }
  }
}
