/** Loops over strided tensors. */
import { rowMajorStrides, type Shape, shapeSize } from './shape.ts';
import { heap, type Memory, type TensorData } from './storage.ts';
import type { Tensor } from './tensor.ts';

/** A loop nest: sizes, and the step of each loop for each operand. */
export interface LoopNest {
  readonly shape: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<ReadonlyArray<number>>;
}

/**
 * The fewest loops that visit the same elements in the same order: axes of size 1 are dropped, and
 * adjacent axes are merged if every operand steps evenly across them. There is at least one loop.
 */
export function collapseLoops(shape: Shape, strides: ReadonlyArray<Shape>): LoopNest {
  const dims: number[] = [];
  const steps: number[][] = strides.map(() => []);
  for (let axis = 0; axis < shape.length; axis++) {
    const dim = shape[axis] as number;
    if (dim === 1) continue;
    const last = dims.length - 1;
    const merges =
      last >= 0 && strides.every((s, n) => (steps[n]?.[last] ?? 0) === (s[axis] as number) * dim);
    if (merges) dims[last] = (dims[last] as number) * dim;
    else dims.push(dim);
    steps.forEach((list, n) => {
      list[dims.length - 1] = strides[n]?.[axis] ?? 0;
    });
  }
  if (dims.length === 0) {
    dims.push(shapeSize(shape));
    for (const list of steps) list.push(0);
  }
  return { shape: dims, strides: steps };
}

/**
 * Visits the start of every row (the innermost loop) of a loop nest, in row-major order.
 * `visit(positions)` receives one position per operand, in an array that is reused.
 */
export function forEachRow(
  nest: LoopNest,
  offsets: ReadonlyArray<number>,
  visit: (positions: ReadonlyArray<number>) => void,
): void {
  if (nest.shape.includes(0)) return;
  const outer = nest.shape.length - 1;
  const index = new Array<number>(outer).fill(0);
  const positions = [...offsets];
  for (;;) {
    visit(positions);
    let axis = outer - 1;
    for (; axis >= 0; axis--) {
      const size = nest.shape[axis] as number;
      const next = (index[axis] as number) + 1;
      const wraps = next === size;
      index[axis] = wraps ? 0 : next;
      for (let n = 0; n < positions.length; n++) {
        const step = nest.strides[n]?.[axis] as number;
        positions[n] = (positions[n] as number) + (wraps ? step - step * size : step);
      }
      if (!wraps) break;
    }
    if (axis < 0) return;
  }
}

/** Whether the elements are contiguous, row-major, and fill `data`: `data[i]` is element i. */
export function isDense(t: Tensor): boolean {
  if (t.offset !== 0 || t.data.length !== shapeSize(t.shape)) return false;
  let expected = 1;
  for (let axis = t.shape.length - 1; axis >= 0; axis--) {
    const dim = t.shape[axis] as number;
    if (dim !== 1 && t.strides[axis] !== expected) return t.data.length === 0;
    expected *= dim;
  }
  return true;
}

/** The same values, dense: `t` itself, or one copy of the elements. */
export function dense(t: Tensor, memory: Memory = heap): Tensor {
  if (isDense(t)) return t;
  const { dtype, shape } = t;
  return {
    _tag: 'Tensor',
    dtype,
    shape,
    strides: rowMajorStrides(shape),
    offset: 0,
    data: gather(t, memory),
  };
}

function gather(t: Tensor, memory: Memory): TensorData {
  const { data } = t;
  const out = memory.take(t.dtype, shapeSize(t.shape));
  const { shape, strides } = collapseLoops(t.shape, [t.strides]);
  // Bits are copied as integers: a float register may change the payload of a NaN.
  const width = data.BYTES_PER_ELEMENT;
  if (width === 8) {
    const steps = [...(strides[0] ?? []).map((step) => step * 2), 1];
    copyRows(words(data), { shape: [...shape, 2], strides: [steps] }, t.offset * 2, words(out));
  } else {
    copyRows(words(data), { shape, strides }, t.offset, words(out));
  }
  return out;
}

type Words = Uint8Array | Uint16Array | Int32Array;

function words(data: TensorData): Words {
  const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT } = data;
  if (BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, byteOffset, byteLength);
  if (BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, byteOffset, byteLength / 2);
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

function copyRows(source: Words, nest: LoopNest, offset: number, target: Words): void {
  const length = nest.shape[nest.shape.length - 1] as number;
  const step = nest.strides[0]?.[nest.shape.length - 1] as number;
  let to = 0;
  forEachRow(nest, [offset], ([start]) => {
    let from = start as number;
    if (step === 1 && length > 16) {
      target.set(source.subarray(from, from + length), to);
      to += length;
      return;
    }
    for (let i = 0; i < length; i++) {
      target[to++] = source[from] as number;
      from += step;
    }
  });
}
