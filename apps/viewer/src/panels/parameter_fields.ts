import type { Source } from "../api";
import { h } from "../dom";
import { numberText, unitText } from "../format";
import type { Parameter } from "../types";

const fewEnough = 8; // to be shown at once

interface Field {
  parameter: Parameter;
  input: HTMLInputElement;
  note: HTMLElement;
  element: HTMLElement;
}

// The parameters of the model, each a field with its unit. What stands in them is what the next run uses.
export class ParameterFields {
  readonly element = h("details", { class: "parameters", hidden: true });
  private fields: Field[] = [];
  private back = h("button", { type: "button", title: "All values as the file says them", onclick: () => this.reset() }, "As in the file");

  constructor(
    private source: Source,
    private onEnter: () => void,
  ) {}

  async load(): Promise<void> {
    const { list } = await this.source.parameters();
    this.fields = list.map((parameter, k) => this.build(parameter, k));
    this.element.hidden = list.length === 0;
    this.element.open = list.length <= fewEnough;
    this.element.replaceChildren(h("summary", {}, `Parameters (${list.length})`), h("div", { class: "fields" }, ...this.fields.map(({ element }) => element), this.back));
    for (const field of this.fields) this.mark(field);
  }

  // Those that differ from the file.
  get changed(): Record<string, string> {
    return Object.fromEntries(this.fields.filter(isChanged).map(({ parameter, input }) => [parameter.name, input.value.trim()]));
  }

  // What is wrong, each beside its field; the first of them gets the cursor.
  complain(complaints: Record<string, string>): void {
    this.element.open ||= Object.keys(complaints).some((name) => name !== "");
    let first: HTMLInputElement | null = null;
    for (const field of this.fields) {
      const complaint = complaints[field.parameter.name];
      field.input.toggleAttribute("aria-invalid", complaint !== undefined);
      if (complaint !== undefined) {
        field.input.setAttribute("aria-invalid", "true");
        field.note.textContent = complaint;
        first ??= field.input;
      } else field.note.textContent = noteOf(field.parameter, field.input.value);
      field.note.classList.toggle("alert-text", complaint !== undefined);
    }
    first?.focus();
  }

  private reset(): void {
    for (const field of this.fields) {
      field.input.value = field.parameter.base;
      this.mark(field);
    }
    this.complain({});
  }

  private build(parameter: Parameter, index: number): Field {
    const note = h("span", { class: "note muted", id: `parameter-note-${index}` });
    const input = h("input", { type: "text", value: parameter.text, spellcheck: "false", autocomplete: "off", "data-parameter": parameter.name, "aria-describedby": note.id });
    const label = h("label", { title: parameter.remark }, h("span", { class: "name" }, parameter.name), input);
    const field = { parameter, input, note, element: h("div", { class: "field" }, label, note) };
    input.addEventListener("input", () => {
      input.removeAttribute("aria-invalid");
      note.classList.remove("alert-text");
      this.mark(field);
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.onEnter();
      if (event.key === "Escape") input.blur();
    });
    return field;
  }

  private mark(field: Field): void {
    field.element.classList.toggle("changed", isChanged(field));
    field.note.textContent = noteOf(field.parameter, field.input.value);
    this.back.hidden = !this.fields.some(isChanged);
  }
}

const isChanged = ({ parameter, input }: Field): boolean => input.value.trim() !== parameter.base;

// The value in SI units where it is known, and what the file remarks.
function noteOf({ text, base, value, unit, remark }: Parameter, shown: string): string {
  const words: string[] = [];
  if (shown.trim() !== base) words.push(`file: ${base}`);
  else if (shown === text && value !== null && (unit !== "" || text.startsWith("="))) words.push(`= ${numberText(value)} ${unitText(unit)}`.trim());
  if (remark) words.push(remark);
  return words.join(" · ");
}
