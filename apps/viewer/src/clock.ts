// The instant that everything on the page shows. Parts listen; none asks another.
export type Listener = (time: number) => void;

export class Clock {
  time: number;
  playing = false;
  loop = true;
  speed: number; // simulated seconds per second of the user
  private listeners: Listener[] = [];
  private stateListeners: (() => void)[] = [];

  constructor(
    public start: number,
    public end: number,
    public step: number, // s, of one press of an arrow key
  ) {
    this.time = start;
    this.speed = Clock.pleasantSpeed(end - start);
  }

  // A whole run in about ten seconds, but real time where that is near.
  static pleasantSpeed(span: number): number {
    if (!(span > 0)) return 1;
    if (span >= 2 && span <= 30) return 1;
    const raw = span / 10;
    const power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map((k) => k * power).find((value) => value >= raw * 0.7) ?? raw;
  }

  onTime(listener: Listener): void {
    this.listeners.push(listener);
  }
  onState(listener: () => void): void {
    this.stateListeners.push(listener);
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.start), this.end);
    for (const listener of this.listeners) listener(this.time);
  }
  setPlaying(playing: boolean): void {
    if (playing && this.time >= this.end) this.seek(this.start);
    this.playing = playing && this.end > this.start;
    this.changed();
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed();
  }
  setLoop(loop: boolean): void {
    this.loop = loop;
    this.changed();
  }
  stepBy(steps: number): void {
    this.setPlaying(false);
    this.seek(this.time + steps * this.step);
  }

  // The run has gone on. Whoever looks at its end stays at its end.
  extend(start: number, end: number, step: number): void {
    const follows = !this.playing && this.time >= this.end && this.end > this.start;
    [this.start, this.end, this.step] = [start, end, step];
    this.seek(follows ? end : this.time);
    this.changed();
  }

  // Called once a frame with the seconds since the last.
  advance(seconds: number): void {
    if (!this.playing) return;
    const next = this.time + Math.min(seconds, 0.1) * this.speed;
    if (next <= this.end) return this.seek(next);
    if (this.loop) return this.seek(this.start + ((next - this.start) % (this.end - this.start)));
    this.seek(this.end);
    this.setPlaying(false);
  }

  private changed(): void {
    for (const listener of this.stateListeners) listener();
  }
}
