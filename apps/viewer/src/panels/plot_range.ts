// The part of the run that all plots over time show.
export class PlotRange {
  private listeners: (() => void)[] = [];
  from: number;
  to: number;
  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.from = start;
    this.to = end;
  }
  onChange(listener: () => void): () => void {
    this.listeners.push(listener);
    return () => (this.listeners = this.listeners.filter((other) => other !== listener));
  }
  set(from: number, to: number): void {
    this.from = Math.max(from, this.start);
    this.to = Math.min(to, this.end);
    if (!(this.to > this.from)) [this.from, this.to] = [this.start, this.end];
    for (const listener of this.listeners) listener();
  }
  reset(): void {
    this.set(this.start, this.end);
  }
}
