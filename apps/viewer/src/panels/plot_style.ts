import type uPlot from "uplot";
import { color } from "../dom";
import { numberText } from "../format";

export const strokes = ["--curve-1", "--curve-2", "--curve-3", "--curve-4", "--curve-5", "--curve-6", "--curve-7"];
export const strokeOf = (index: number): string => color(strokes[index % strokes.length]!.slice(2));

export const font = (ratio = 1): string => `${11 * ratio}px system-ui, sans-serif`;

export function axis(label: string, size: number): uPlot.Axis {
  return {
    label,
    labelFont: font(),
    font: font(),
    labelSize: 16,
    labelGap: 0,
    size,
    gap: 4,
    stroke: () => color("muted"),
    grid: { stroke: () => color("line"), width: 1 },
    ticks: { stroke: () => color("line"), width: 1, size: 4 },
    values: (_, ticks) => ticks.map((tick) => numberText(tick, 6)),
  };
}

// Of a logarithmic scale: a line at every power of ten, or at every second, third, … where they are many.
export function logAxis(label: string, size: number): uPlot.Axis {
  const powers = (low: number, high: number): number[] => {
    const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const step = Math.max(1, Math.ceil((to - from) / 7));
    return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, k) => 10 ** (from + k * step));
  };
  return { ...axis(label, size), splits: (_, __, low, high) => powers(low, high), filter: (_, splits) => splits };
}

// A little air above and below.
export function padded(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const span = high - low || Math.abs(high) || 1;
  return [low - 0.06 * span, high + 0.06 * span];
}
