import { api } from "./api";
import type { Layout } from "./types";

const mostCoarseBytes = 48e6; // for the frames of the whole run
const mostCoarseFrames = 3000;
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
    private layout: Layout,
    readonly samples: number,
    readonly stride: number,
    readonly coarse: Block,
    private onArrival: () => void,
  ) {
    this.row = new Float32Array(layout.width);
  }

  static async load(layout: Layout, samples: number, onArrival: () => void): Promise<Frames> {
    const most = Math.max(2, Math.min(mostCoarseFrames, Math.floor(mostCoarseBytes / (4 * Math.max(layout.width, 1)))));
    const stride = Math.max(1, Math.ceil(samples / most));
    const [times, rows] = await Promise.all([api.times(0, samples, stride), api.frames(0, samples, stride)]);
    return new Frames(layout, samples, stride, { times, rows }, onArrival);
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
    Promise.all([api.times(from, to, 1), api.frames(from, to, 1)])
      .then(([times, rows]) => {
        this.fine.set(key, { times, rows });
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
