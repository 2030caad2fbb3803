/**
 * The memory plan: one arena for all buffers of a list of steps, with offsets by liveness. A pure
 * function of the list.
 *
 * A buffer lives from the step that first writes to it, or from the start, to the step that last
 * reads it, or to the end. A part of another buffer lives in it. A result takes the place of an
 * operand that the step may overwrite and that nothing reads later.
 */

/** Bytes that a step reads or writes. */
export interface PlannedBuffer {
  readonly bytes: number;
  /** The buffer of which this one is a part, and the first byte in it. */
  readonly within?: { readonly buffer: number; readonly offset: number } | undefined;
}

/** A step: the indices of the buffers that it uses. */
export interface PlannedStep {
  readonly reads: ReadonlyArray<number>;
  readonly writes: ReadonlyArray<number>;
  /** Operands of the step in whose place its only result may be written. */
  readonly overwrites: ReadonlyArray<number>;
}

/** Buffers that live beyond the steps. */
export interface Borders {
  /** Filled before the first step. */
  readonly inputs: ReadonlyArray<number>;
  /** Read after the last step. */
  readonly outputs: ReadonlyArray<number>;
  /** Steps that run several times: from one to the one before the other. */
  readonly loops?: ReadonlyArray<{ readonly from: number; readonly to: number }>;
}

/** The places of buffers. */
export interface MemoryPlan {
  /** The first byte of each buffer, a multiple of {@link ALIGNMENT} unless it is a part. */
  readonly offsets: ReadonlyArray<number>;
  readonly bytes: number;
  /** The most bytes that live at one time: no plan in this order of steps has fewer. */
  readonly lowerBound: number;
  /** What has a place of its own, with it. */
  readonly blocks: ReadonlyArray<PlacedBlock>;
}

/** The alignment of buffers in bytes: four vectors, a cache line. */
export const ALIGNMENT = 64;

/**
 * Bytes that live together, in one place: a buffer, its parts, and what is written in their place. They live
 * from a step to a step; -1 is the time before the first one.
 */
export interface Block {
  readonly bytes: number;
  readonly from: number;
  readonly to: number;
}

/** A block in its place. */
export interface PlacedBlock extends Block {
  readonly offset: number;
}

/**
 * Plans the memory of steps.
 *
 * **Complexity** O(n log n) for n buffers, and the sum of the live blocks over all steps.
 */
export function planMemory(
  buffers: ReadonlyArray<PlannedBuffer>,
  steps: ReadonlyArray<PlannedStep>,
  borders: Borders,
): MemoryPlan {
  const { blocks, blockOf } = blocksOf(buffers, steps, borders);
  const orders = [bySize, byArea, byStart].map((order) => placed(blocks, order));
  const best = orders.reduce((a, b) => (b.bytes < a.bytes ? b : a));
  const offsets = rootsOf(buffers).map(
    ({ offset }, buffer) => offset + (best.offsets[blockOf[buffer] as number] as number),
  );
  return {
    offsets,
    bytes: best.bytes,
    lowerBound: mostAlive(blocks, steps.length),
    blocks: blocks.map((block, at) => ({ ...block, offset: best.offsets[at] as number })),
  };
}

/** The blocks of buffers, and the block of each buffer that is no part. */
function blocksOf(
  buffers: ReadonlyArray<PlannedBuffer>,
  steps: ReadonlyArray<PlannedStep>,
  { inputs, outputs, loops = [] }: Borders,
): { readonly blocks: ReadonlyArray<Block>; readonly blockOf: ReadonlyArray<number> } {
  const whole = rootsOf(buffers).map((root) => root.buffer);
  const from = buffers.map(() => steps.length);
  const to = buffers.map(() => -1);
  const use = (buffer: number, step: number): void => {
    const at = whole[buffer] as number;
    from[at] = Math.min(from[at] as number, step);
    to[at] = Math.max(to[at] as number, step);
  };
  for (const buffer of inputs) use(buffer, -1);
  steps.forEach(({ reads, writes }, step) => {
    for (const buffer of [...reads, ...writes]) use(buffer, step);
  });
  for (const buffer of outputs) use(buffer, steps.length);
  // What is there before a loop, or after it, is there in all of its turns.
  for (const { from: begin, to: end } of loops) {
    buffers.forEach((_, at) => {
      const [start, last] = [from[at] as number, to[at] as number];
      if (start < begin && last >= begin) to[at] = Math.max(last, end - 1);
      if (start < end && last >= end) from[at] = Math.min(start, begin);
    });
  }
  const first = buffers.map((_, buffer) => buffer);
  steps.forEach(({ writes: [result, ...others], overwrites }, step) => {
    if (result === undefined || others.length > 0) return;
    const isNew = whole[result] === result && from[result] === step;
    const operand = overwrites.find(
      (at) =>
        isNew &&
        whole[at] === at &&
        to[at] === step &&
        sizeOf(buffers, at) === sizeOf(buffers, result),
    );
    if (operand !== undefined) first[result] = first[operand] as number;
  });
  const lastUse = to.slice();
  first.forEach((owner, buffer) => {
    lastUse[owner] = Math.max(lastUse[owner] as number, to[buffer] as number);
  });
  const owners = whole.flatMap((own, buffer) =>
    own === buffer && first[buffer] === buffer ? [buffer] : [],
  );
  const index = new Map(owners.map((owner, block) => [owner, block]));
  return {
    blocks: owners.map((owner) => ({
      bytes: aligned(sizeOf(buffers, owner)),
      from: from[owner] as number,
      to: lastUse[owner] as number,
    })),
    blockOf: whole.map((own) => index.get(first[own] as number) as number),
  };
}

/** The storage of a buffer: the outermost buffer that contains it, and its first byte there. */
export interface Root {
  readonly buffer: number;
  readonly offset: number;
}

/**
 * The root of each buffer: for a part of a part, the outermost buffer.
 *
 * **Complexity** linear if each whole comes after its parts.
 */
export function rootsOf(buffers: ReadonlyArray<Pick<PlannedBuffer, 'within'>>): Root[] {
  const roots: Root[] = [];
  for (let buffer = buffers.length - 1; buffer >= 0; buffer--) {
    let [at, offset] = [buffer, 0];
    for (let part = buffers[at]?.within; part !== undefined; part = buffers[at]?.within) {
      offset += part.offset;
      at = part.buffer;
      const known = roots[at];
      if (known === undefined) continue;
      offset += known.offset;
      at = known.buffer;
    }
    roots[buffer] = { buffer: at, offset };
  }
  return roots;
}

type Order = (a: Block, b: Block) => number;

const bySize: Order = (a, b) => b.bytes - a.bytes || b.to - b.from - (a.to - a.from);
const byArea: Order = (a, b) => b.bytes * (b.to - b.from + 1) - a.bytes * (a.to - a.from + 1);
const byStart: Order = (a, b) => a.from - b.from || b.bytes - a.bytes;

/** Places the blocks in order, each in the smallest gap that is free during its lifetime. */
function placed(
  blocks: ReadonlyArray<Block>,
  order: Order,
): { readonly offsets: ReadonlyArray<number>; readonly bytes: number } {
  const offsets = blocks.map(() => 0);
  const alive = new Map<number, number[]>();
  let bytes = 0;
  const sorted = blocks.map((_, block) => block);
  sorted.sort((a, b) => order(blocks[a] as Block, blocks[b] as Block) || a - b);
  for (const at of sorted) {
    const block = blocks[at] as Block;
    if (block.bytes === 0 || block.to < block.from) continue;
    const others = new Set<number>();
    for (let step = block.from; step <= block.to; step++) {
      const list = alive.get(step) ?? [];
      for (const other of list) others.add(other);
      list.push(at);
      alive.set(step, list);
    }
    const offset = bestFit(block.bytes, [...others], blocks, offsets);
    offsets[at] = offset;
    bytes = Math.max(bytes, offset + block.bytes);
  }
  return { offsets, bytes };
}

function bestFit(
  bytes: number,
  others: number[],
  blocks: ReadonlyArray<Block>,
  offsets: ReadonlyArray<number>,
): number {
  others.sort((a, b) => (offsets[a] as number) - (offsets[b] as number));
  let best = -1;
  let smallest = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const other of others) {
    const start = offsets[other] as number;
    const gap = start - end;
    if (gap >= bytes && gap < smallest) {
      best = end;
      smallest = gap;
    }
    end = Math.max(end, start + (blocks[other] as Block).bytes);
  }
  return best < 0 ? end : best;
}

function mostAlive(blocks: ReadonlyArray<Block>, steps: number): number {
  const changes = new Array<number>(steps + 3).fill(0);
  for (const { bytes, from, to } of blocks) {
    if (to < from) continue;
    changes[from + 1] = (changes[from + 1] as number) + bytes;
    changes[to + 2] = (changes[to + 2] as number) - bytes;
  }
  let now = 0;
  let most = 0;
  for (const change of changes) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

const sizeOf = (buffers: ReadonlyArray<PlannedBuffer>, buffer: number): number =>
  buffers[buffer]?.bytes ?? 0;

/** The bytes up to the next aligned address. */
export const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
