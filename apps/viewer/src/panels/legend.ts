import { h } from "../dom";
import { ramp } from "../scene/ramp";

// What the colours of the scene mean: a list, shown below the scene and written into pictures.
export type LegendEntry = { kind: "body" | "arrow" | "line"; color: string; text: string; group?: string } | { kind: "ramp"; low: string; high: string; text: string };

export function legendElement(entries: LegendEntry[], choose: (group: string) => void, chosen: (group: string) => boolean): HTMLElement[] {
  return entries.map((entry) => {
    if (entry.kind === "ramp") return h("span", { class: "legend-ramp" }, h("span", {}, entry.text), h("span", { class: "number" }, entry.low), h("i"), h("span", { class: "number" }, entry.high));
    const mark = h("i", { class: entry.kind });
    mark.style.setProperty("--ink", entry.color);
    const { group } = entry;
    if (!group) return h("span", { class: "legend-entry" }, mark, entry.text);
    return h("button", { type: "button", class: `legend-entry${chosen(group) ? " chosen" : ""}`, "aria-pressed": String(chosen(group)), "data-legend": group, onclick: () => choose(group) }, mark, entry.text);
  });
}

// On a canvas, in lines of the given width; returns the height that they take.
export function drawLegend(context: CanvasRenderingContext2D, entries: LegendEntry[], width: number, top: number, ink: string): number {
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "left";
  const [line, gap] = [18, 16];
  let [x, y] = [10, top + 13];
  const place = (wide: number): [number, number] => {
    if (x > 10 && x + wide > width - 10) [x, y] = [10, y + line];
    const at: [number, number] = [x, y];
    x += wide + gap;
    return at;
  };
  for (const entry of entries) {
    if (entry.kind === "ramp") {
      const [low, title] = [context.measureText(entry.low).width, context.measureText(entry.text).width];
      const [left, base] = place(title + low + context.measureText(entry.high).width + 120);
      const shade = context.createLinearGradient(left + title + low + 14, 0, left + title + low + 100, 0);
      ramp.forEach((color, k) => shade.addColorStop(k / (ramp.length - 1), color));
      context.fillStyle = ink;
      context.fillText(`${entry.text}  ${entry.low}`, left, base);
      context.fillText(entry.high, left + title + low + 106, base);
      context.fillStyle = shade;
      context.fillRect(left + title + low + 14, base - 8, 86, 8);
      continue;
    }
    const [left, base] = place(context.measureText(entry.text).width + 16);
    context.fillStyle = entry.color;
    if (entry.kind === "body") context.fillRect(left, base - 8, 10, 10);
    else context.fillRect(left, base - 5, 12, 3);
    context.fillStyle = ink;
    context.fillText(entry.text, left + 16, base);
  }
  return entries.length > 0 ? y + 8 - top : 0;
}
