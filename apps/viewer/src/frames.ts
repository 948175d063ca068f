import type { Source } from "./api";
import type { Layout } from "./types";

const mostCoarseBytes = 48e6; // for the frames of the whole run
const mostCoarseFrames = 3000;
const mostFirstFrames = 250;
const blockSize = 256; // samples of a block of all frames
const mostBlocks = 40;

interface Block {
  times: Float64Array;
  rows: Float32Array;
}

// The frames of a run: coarse ones of all of it, and all frames of the stretches that were looked at. Between frames
// numbers are interpolated, quaternions along the shorter way.
export class Frames {
  readonly row: Float32Array;
  private fine = new Map<number, Block>();
  private asked = new Set<number>();
  private constructor(
    private source: Source,
    private layout: Layout,
    public samples: number,
    public stride: number,
    public coarse: Block,
    private onArrival: () => void,
  ) {
    this.row = new Float32Array(layout.width);
  }

  private static most(layout: Layout): number {
    return Math.max(2, Math.min(mostCoarseFrames, Math.floor(mostCoarseBytes / (4 * Math.max(layout.width, 1)))));
  }

  // With few frames at first, so that there is a picture soon; refine() brings the rest.
  static async load(source: Source, layout: Layout, samples: number, onArrival: () => void): Promise<Frames> {
    const stride = Math.max(1, Math.ceil(samples / Math.min(mostFirstFrames, Frames.most(layout))));
    return new Frames(source, layout, samples, stride, await fetchBlock(source, 0, samples, stride), onArrival);
  }
  get isCoarse(): boolean {
    return this.stride > Math.max(1, Math.ceil(this.samples / Frames.most(this.layout)));
  }
  async refine(): Promise<void> {
    const { samples } = this;
    const stride = Math.max(1, Math.ceil(samples / Frames.most(this.layout)));
    const block = await fetchBlock(this.source, 0, samples, stride);
    [this.coarse, this.stride] = [block, stride];
  }

  // The run has gone on: fetches the frames that are new, and keeps fewer of the old ones when they become too many.
  async extend(samples: number): Promise<void> {
    const from = this.coarse.times.length * this.stride;
    if (samples > from) {
      const more = await fetchBlock(this.source, from, samples, this.stride);
      this.coarse = joined(this.coarse, more, this.layout.width);
    }
    while (this.coarse.times.length > 2 * Frames.most(this.layout)) {
      this.coarse = halved(this.coarse, this.layout.width);
      this.stride *= 2;
    }
    // A block that ended with the old samples is asked for again.
    const last = Math.floor((this.samples - 1) / blockSize);
    for (const key of [last - 1, last]) {
      this.fine.delete(key);
      this.asked.delete(key);
    }
    this.samples = samples;
  }

  get coarseCount(): number {
    return this.coarse.times.length;
  }

  // The row at an instant, in `this.row`. Asks for more frames where only coarse ones are at hand.
  at(time: number): Float32Array {
    const block = this.stride > 1 ? (this.blockAt(time) ?? this.coarse) : this.coarse;
    interpolate(block, time, this.layout, this.row);
    return this.row;
  }

  private blockAt(time: number): Block | undefined {
    const { times } = this.coarse;
    const index = Math.min(indexBefore(times, time) * this.stride, this.samples - 1);
    const key = Math.floor(index / blockSize);
    this.request(key);
    if (index % blockSize > blockSize / 2) this.request(key + 1);
    const block = this.fine.get(key);
    if (!block || time < block.times[0]! || time > block.times[block.times.length - 1]!) return undefined;
    return block;
  }

  private request(key: number): void {
    const from = key * blockSize;
    if (this.asked.has(key) || from >= this.samples) return;
    this.asked.add(key);
    const to = Math.min(from + blockSize + this.stride + 1, this.samples);
    fetchBlock(this.source, from, to, 1)
      .then((block) => {
        this.fine.set(key, block);
        const oldest = this.fine.keys().next().value;
        if (this.fine.size > mostBlocks && oldest !== undefined) {
          this.fine.delete(oldest);
          this.asked.delete(oldest);
        }
        this.onArrival();
      })
      .catch(() => this.asked.delete(key)); // the coarse frames remain
  }
}

async function fetchBlock(source: Source, from: number, to: number, stride: number): Promise<Block> {
  const [times, rows] = await Promise.all([source.times(from, to, stride), source.frames(from, to, stride)]);
  return { times, rows };
}

function joined(a: Block, b: Block, width: number): Block {
  const times = new Float64Array(a.times.length + b.times.length);
  const rows = new Float32Array(times.length * width);
  times.set(a.times);
  times.set(b.times, a.times.length);
  rows.set(a.rows);
  rows.set(b.rows, a.rows.length);
  return { times, rows };
}

// Every second frame.
function halved({ times, rows }: Block, width: number): Block {
  const kept = Array.from({ length: Math.ceil(times.length / 2) }, (_, k) => 2 * k);
  const fewer = new Float32Array(kept.length * width);
  kept.forEach((i, k) => fewer.set(rows.subarray(i * width, (i + 1) * width), k * width));
  return { times: Float64Array.from(kept, (i) => times[i]!), rows: fewer };
}

// The last index whose time is not after `time`; 0 before the first.
export function indexBefore(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

function interpolate(block: Block, time: number, layout: Layout, row: Float32Array): void {
  const { times, rows } = block;
  const width = layout.width;
  const i = indexBefore(times, time);
  const j = Math.min(i + 1, times.length - 1);
  const span = times[j]! - times[i]!;
  const s = span > 0 ? Math.min(Math.max((time - times[i]!) / span, 0), 1) : 0;
  const a = i * width;
  const b = j * width;
  for (let k = 0; k < width; ++k) row[k] = (1 - s) * rows[a + k]! + s * rows[b + k]!;
  for (const body of layout.bodies) {
    const q = body.place + 3;
    let dot = 0;
    for (let k = q; k < q + 4; ++k) dot += rows[a + k]! * rows[b + k]!;
    const sign = dot < 0 ? -1 : 1;
    let norm = 0;
    for (let k = q; k < q + 4; ++k) {
      row[k] = (1 - s) * rows[a + k]! + sign * s * rows[b + k]!;
      norm += row[k]! ** 2;
    }
    const factor = norm > 0 ? 1 / Math.sqrt(norm) : 0;
    for (let k = q; k < q + 4; ++k) row[k]! *= factor;
  }
  // What touches now is a matter of the sample, not of the way to the next.
  for (const contact of layout.contacts) row[contact.place] = rows[(s < 0.5 ? a : b) + contact.place]!;
}
