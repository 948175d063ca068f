import { byId, h } from "../dom";
import { timeText } from "../format";
import { fileName, type Shown } from "../shown";

const mostNamed = 4;

function listed(names: string[]): string {
  return names.slice(0, mostNamed).join(", ") + (names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "");
}

// What the second file has not, in sentences.
export function lacking([a, b]: [Shown, Shown]): string[] {
  const sentences: string[] = [];
  const names = new Set(b.groups.flatMap(({ name, components }) => components.map((component) => `${name}.${component.name}`)));
  const missing = a.groups
    .map(({ name, components }) => ({ name, count: components.filter((component) => !names.has(`${name}.${component.name}`)).length, all: components.length }))
    .filter(({ count }) => count > 0);
  if (b.scene.kind === "model") sentences.push("B is a model that was not run: it stands still.");
  else if (b.scene.samples === 0) sentences.push("B holds no samples yet.");
  else if (missing.length > 0) sentences.push(`B lacks quantities of ${listed(missing.map(({ name, count, all }) => (count < all ? `${name} (${count} of ${all})` : name)))}.`);
  if (!b.scene.drawable) sentences.push("The model of B cannot be read, so it has no ghost.");
  const bodies = new Set(b.scene.bodies.map(({ name }) => name));
  const gone = a.scene.bodies.map(({ name }) => name).filter((name) => !bodies.has(name));
  if (b.scene.drawable && gone.length > 0) sentences.push(`B has no body ${listed(gone)}.`);
  const span = a.scene.end - a.scene.start;
  if (b.scene.samples > 1 && b.scene.end < a.scene.end - 1e-9 * span) sentences.push(`B ends at ${timeText(b.scene.end, span)}, A at ${timeText(a.scene.end, span)}.`);
  return sentences;
}

// Says which is which.
export function showComparison(files: [Shown, Shown]): void {
  const [a, b] = files;
  const entry = ({ letter, scene }: Shown, look: string) =>
    h("span", { class: "row", title: scene.file }, h("span", { class: `letter ${letter}` }, letter), h("strong", {}, fileName(scene.file)), h("span", { class: "muted" }, `${scene.method}, ${scene.status}: ${look}`));
  byId("compare").replaceChildren(entry(a, "in colours, solid curves"), entry(b, "ghost, dashed curves"), ...lacking(files).map((sentence) => h("span", { class: "muted lack" }, sentence)));
  byId("compare").hidden = false;
}
