import type uPlot from "uplot";
import { color } from "../dom";
import { numberText } from "../format";

export const strokes = ["--curve-1", "--curve-2", "--curve-3", "--curve-4", "--curve-5", "--curve-6", "--curve-7"];
export const strokeOf = (index: number): string => color(strokes[index % strokes.length]!.slice(2));

const font = "11px system-ui, sans-serif";

export function axis(label: string, size: number): uPlot.Axis {
  return {
    label,
    labelFont: font,
    font,
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

// A little air above and below.
export function padded(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const span = high - low || Math.abs(high) || 1;
  return [low - 0.06 * span, high + 0.06 * span];
}
