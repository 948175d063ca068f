import type { Component, EventPage, Group, Mark, Parameters, RunState, Scene, SpectrumData, State, Summary } from "./types";

type Query = Record<string, string | number>;

// A request that was refused; `fields` says what is wrong with which parameter.
export class Refusal extends Error {
  constructor(
    message: string,
    readonly fields: Record<string, string> = {},
  ) {
    super(message);
  }
}

async function fetchFrom(path: string, query: Query = {}, method = "GET", body?: string): Promise<Response> {
  const words = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const address = `api/${path}${words.length ? "?" + words.join("&") : ""}`;
  let response: Response;
  try {
    response = await fetch(address, { method, ...(body === undefined ? {} : { body }) });
  } catch {
    throw new Error("The program does not answer any more. Start carom view again and reload the page.");
  }
  if (response.ok) return response;
  const text = await response.text();
  let answer: { error?: string; fields?: Record<string, string> } = {};
  try {
    answer = JSON.parse(text);
  } catch {
    // plain text is a message already
  }
  throw new Refusal(answer.error ?? text, answer.fields);
}

const json = async <T>(path: string, query: Query = {}, method = "GET", body?: string): Promise<T> => (await fetchFrom(path, query, method, body)).json();
const bytes = async (path: string, query: Query = {}): Promise<ArrayBuffer> => (await fetchFrom(path, query)).arrayBuffer();

// Where the points of a Poincaré map are taken: once a period, or where a quantity passes a level.
export type MapRule = { period: number } | { section: string; level: number; crossing: "rising" | "falling" | "both" };

export const state = () => json<State>("state");
export const stopRun = () => json<RunState>("stop", {}, "POST");
// With values that replace those of the model, as they would be written in it.
export const startRun = (set: Record<string, string>) => json<RunState>("run", {}, "POST", JSON.stringify({ set }));

// What one of the files shown has to tell; 1 is the one compared with.
export class Source {
  constructor(readonly of: number) {}

  private with(query: Query = {}): Query {
    return this.of > 0 ? { ...query, of: this.of } : query;
  }
  scene(): Promise<Scene> {
    return json("scene", this.with());
  }
  async quantities(): Promise<Group[]> {
    const { components, groups } = await json<{ components: Component[][]; groups: { name: string; components: number }[] }>("quantities", this.with());
    return groups.map((group) => ({ name: group.name, components: components[group.components]! }));
  }
  parameters(): Promise<Parameters> {
    return json("parameters", this.with());
  }
  summary(): Promise<Summary> {
    return json("summary", this.with());
  }
  events(query: { after?: number; first?: number; count?: number }): Promise<EventPage> {
    return json("events", this.with(query));
  }
  marks(points: number): Promise<Mark[]> {
    return json("marks", this.with({ points }));
  }
  async modelText(): Promise<string> {
    return (await fetchFrom("model_text", this.with())).text();
  }
  async frames(from: number, to: number, stride: number): Promise<Float32Array> {
    return new Float32Array(await bytes("frames", this.with({ from, to, stride })));
  }
  async times(from: number, to: number, stride: number): Promise<Float64Array> {
    return new Float64Array(await bytes("times", this.with({ from, to, stride })));
  }
  async column(name: string, from: number, to: number, points: number): Promise<Float64Array> {
    return new Float64Array(await bytes("column", this.with({ name, from, to, points })));
  }
  async phase(x: string, y: string, from: number, to: number, points: number, above?: number): Promise<Float64Array> {
    return new Float64Array(await bytes("phase", this.with({ x, y, from, to, points, ...(above === undefined ? {} : { above }) })));
  }
  async map(x: string, y: string, from: number, to: number, rule: MapRule): Promise<Float64Array> {
    return new Float64Array(await bytes("map", this.with({ x, y, from, to, ...rule })));
  }
  spectrum(name: string, from: number, to: number, logarithmic: boolean): Promise<SpectrumData> {
    return json("spectrum", this.with({ name, from, to, points: 2000, ...(logarithmic ? { log: 1 } : {}) }));
  }
}
