const superscripts: Record<string, string> = { "2": "²", "3": "³", "4": "⁴", "-": "⁻", "1": "¹" };

// "kg m^2" as people write it; nothing for dimensionless numbers.
export function unitText(unit: string): string {
  if (unit === "" || unit === "1") return "";
  return unit.replace(/\^(-?\d)/g, (_, power: string) => [...power].map((c) => superscripts[c] ?? c).join("")).replace(/ /g, " ");
}

export function withUnit(name: string, unit: string): string {
  const text = unitText(unit);
  return text ? `${name} [${text}]` : name;
}

export function numberText(value: number | null | undefined, digits = 5): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(Math.max(digits - 3, 1)).replace(/\.?0*e\+?/, "e").replaceAll("-", "−");
  return Number(value.toPrecision(digits)).toString().replace("-", "−");
}

const prefixes: [number, string][] = [
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

// A number with a unit and a prefix chosen by `scale`, so that a running clock does not change its unit.
export function prefixed(value: number, unit: string, scale = Math.abs(value), digits = 2): string {
  const large: [number, string][] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  const [factor, prefix] =
    [...(unit === "s" ? [] : large), ...prefixes].find(([size]) => scale >= size) ?? (scale > 0 ? [1e-9, "n"] : [1, ""]);
  return `${(value / (factor as number)).toFixed(digits).replace("-", "−")} ${prefix}${unit}`;
}

// Times of a run of this length, with enough digits to tell its samples apart.
export function timeText(time: number, span: number): string {
  return prefixed(time, "s", span > 0.5 ? 1 : span, 3);
}

export function durationText(seconds: number): string {
  if (!(seconds < 360000)) return "–";
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${seconds.toFixed(0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)} min`;
  return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)} h`;
}
