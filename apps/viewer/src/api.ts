import type { Component, EventPage, Group, Mark, Scene, Summary } from "./types";

async function fetchFrom(path: string, query: Record<string, string | number> = {}): Promise<Response> {
  const words = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const address = `api/${path}${words.length ? "?" + words.join("&") : ""}`;
  let response: Response;
  try {
    response = await fetch(address);
  } catch {
    throw new Error("The program does not answer any more. Start carom view again and reload the page.");
  }
  if (response.ok) return response;
  const text = await response.text();
  let message = text;
  try {
    message = JSON.parse(text).error ?? text;
  } catch {
    // plain text is a message already
  }
  throw new Error(message);
}

const json = async <T>(path: string, query = {}): Promise<T> => (await fetchFrom(path, query)).json();
const bytes = async (path: string, query = {}): Promise<ArrayBuffer> => (await fetchFrom(path, query)).arrayBuffer();

export const api = {
  scene: () => json<Scene>("scene"),
  quantities: async (): Promise<Group[]> => {
    const { components, groups } = await json<{ components: Component[][]; groups: { name: string; components: number }[] }>("quantities");
    return groups.map((group) => ({ name: group.name, components: components[group.components]! }));
  },
  summary: () => json<Summary>("summary"),
  events: (query: { after?: number; first?: number; count?: number }) => json<EventPage>("events", query),
  marks: (points: number) => json<Mark[]>("marks", { points }),
  modelText: async () => (await fetchFrom("model_text")).text(),
  frames: async (from: number, to: number, stride: number) =>
    new Float32Array(await bytes("frames", { from, to, stride })),
  times: async (from: number, to: number, stride: number) =>
    new Float64Array(await bytes("times", { from, to, stride })),
  column: async (name: string, from: number, to: number, points: number) =>
    new Float64Array(await bytes("column", { name, from, to, points })),
  phase: async (x: string, y: string, points: number) => new Float64Array(await bytes("phase", { x, y, points })),
};
