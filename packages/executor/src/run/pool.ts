/**
 * The storage of a program's intermediate tensors, used again as soon as nothing holds it, within a
 * run and in later ones.
 *
 * A block counts the places that hold a tensor in it: slots of activations, and fields of tuples
 * that such slots hold. Whatever else takes a value (a closure, a cell, a constructor, a result)
 * counts as one more and never gives it back, so its block goes with it, as any garbage does. A
 * count that is too high costs storage; none is ever too low.
 */
import { dtypeInfo, type Memory, storageOf, type Tensor } from '@baton/tensor';
import { Scalar } from '../values/scalar.ts';
import type { TupleValue, Value } from '../values/value.ts';

/** Storage that a pool owns. */
class Block extends ArrayBuffer {
  /** The places that hold a tensor in it. */
  holders = 0;
}

/** A tuple with tensors in blocks among its fields. */
class HeldTuple implements TupleValue {
  readonly _tag = 'Tuple';
  readonly fields: ReadonlyArray<Value>;
  holders = 0;

  constructor(fields: ReadonlyArray<Value>) {
    this.fields = fields;
  }
}

/** Whether a tensor lies in storage that will be used again. */
export const isLent = (t: Tensor): boolean => blockOf(t) !== undefined;

/** Storage for the intermediates of one program. */
export interface Pool extends Memory {
  /** Where storage is that is taken from now on, until it is {@link settle}d. */
  readonly mark: () => number;
  /** Gives back what was taken since `mark` and holds no part of a value: all but the result. */
  readonly settle: (mark: number, value: Value | undefined) => void;
  /** Says that one more place holds the value. */
  readonly hold: (value: Value) => void;
  /** Says that a place no longer holds the value. */
  readonly drop: (value: Value) => void;
  /** A tuple that holds its fields for as long as it is held. */
  readonly tuple: (fields: ReadonlyArray<Value>) => TupleValue;
  /** The bytes of all blocks that were ever made. */
  readonly madeBytes: () => number;
}

/** A pool without blocks. `returned` is told of each block that is free again. */
export function makePool(returned: (block: ArrayBuffer) => void = () => {}): Pool {
  const free = new Map<number, Block[]>();
  const taken: Block[] = [];
  let made = 0;

  const give = (block: Block): void => {
    returned(block);
    const list = free.get(block.byteLength);
    if (list === undefined) free.set(block.byteLength, [block]);
    else list.push(block);
  };

  const hold = (value: Value): void => {
    const held = heldBy(value);
    if (held !== undefined) held.holders += 1;
  };

  /** One place less for what is held: its block, or the fields of a tuple, if that was the last. */
  const drop = (value: Value): void => {
    if (value instanceof Scalar) return;
    const tuples: HeldTuple[] = [];
    const release = (one: Value): void => {
      const held = heldBy(one);
      if (held === undefined) return;
      held.holders -= 1;
      if (held.holders > 0) return;
      if (held instanceof Block) give(held);
      else tuples.push(held);
    };
    release(value);
    // A tuple may hold tuples: no depth of them may overflow.
    for (let next = tuples.pop(); next !== undefined; next = tuples.pop()) {
      next.fields.forEach(release);
    }
  };

  return {
    take: (dtype, count) => {
      const size = blockSize(count * dtypeInfo(dtype).bytes);
      let block = free.get(size)?.pop();
      if (block === undefined) {
        block = new Block(size);
        made += size;
      }
      taken.push(block);
      // The table gives each dtype its own constructor; TypeScript does not follow the index.
      return new (storageOf(dtype))(block, 0, count) as never;
    },
    mark: () => taken.length,
    settle: (mark, value) => {
      if (value !== undefined) hold(value);
      while (taken.length > mark) {
        const block = taken.pop() as Block;
        if (block.holders === 0) give(block);
      }
    },
    hold,
    drop,
    tuple: (fields) => {
      if (!fields.some((field) => heldBy(field) !== undefined)) return { _tag: 'Tuple', fields };
      fields.forEach(hold);
      return new HeldTuple(fields);
    },
    madeBytes: () => made,
  };
}

/** What counts the places of a value, if anything does. */
function heldBy(value: Value): Block | HeldTuple | undefined {
  if (value instanceof Scalar) return undefined;
  if (value instanceof HeldTuple) return value;
  return value._tag === 'Tensor' ? blockOf(value) : undefined;
}

function blockOf(t: Tensor): Block | undefined {
  const { buffer } = t.data;
  return buffer instanceof Block ? buffer : undefined;
}

/** Sizes in steps of an eighth: tensors that differ little share their blocks. */
function blockSize(bytes: number): number {
  const step = Math.max(2 ** (Math.floor(Math.log2(Math.max(bytes, 1))) - 3), 64);
  return Math.ceil(bytes / step) * step;
}
