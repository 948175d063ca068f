// The part of the run that all plots over time show.
export class PlotRange {
  private listeners: (() => Promise<void>)[] = [];
  from: number;
  to: number;
  constructor(
    public start: number,
    public end: number,
  ) {
    this.from = start;
    this.to = end;
  }
  onChange(listener: () => Promise<void>): () => void {
    this.listeners.push(listener);
    return () => (this.listeners = this.listeners.filter((other) => other !== listener));
  }
  set(from: number, to: number): Promise<unknown> {
    this.from = Math.max(from, this.start);
    this.to = Math.min(to, this.end);
    if (!(this.to > this.from)) [this.from, this.to] = [this.start, this.end];
    return Promise.all(this.listeners.map((listener) => listener()));
  }
  get isWhole(): boolean {
    return this.from === this.start && this.to === this.end;
  }
  // The run has gone on; a part of it that was chosen stays chosen. Done when all plots are.
  async extend(start: number, end: number): Promise<void> {
    const whole = this.isWhole;
    [this.start, this.end] = [start, end];
    if (whole) await this.reset();
  }
  reset(): Promise<unknown> {
    return this.set(this.start, this.end);
  }
}
