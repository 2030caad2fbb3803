/**
 * The storage of a program's intermediate tensors, used again as soon as nothing holds it, within a
 * run and in later ones.
 *
 * A block counts the places that hold a tensor in it: slots of activations, and fields of tuples
 * that such slots hold. The compiler says where a place starts and ceases to hold a value. Data,
 * closures, cells and results never give a value back, so its block goes with it, as any garbage
 * does. A count that is too high costs storage; none is ever too low.
 */
import { remember } from '@baton/base';
import type { OpValue } from '@baton/ops';
import { dtypeInfo, isTensor, type Memory, storageOf, type Tensor } from '@baton/tensor';
import { boxed, Scalar } from '../values/scalar.ts';
import { type TupleValue, tupleValue, type Value } from '../values/value.ts';

/** Storage that a pool owns. */
class Block extends ArrayBuffer {
  /** The number of slots and fields that hold a tensor in it. */
  holders = 0;
}

/** A tuple with tensors in blocks among its fields, which it holds as long as it is held. */
class HeldTuple implements TupleValue {
  readonly _tag = 'Tuple';
  readonly fields: ReadonlyArray<Value>;
  holders = 1;

  constructor(fields: ReadonlyArray<Value>) {
    this.fields = fields;
  }
}

/** Whether a tensor is in storage that will be used again. */
export const isLent = (t: Tensor): boolean => heldBy(t) !== undefined;

/** Storage for the intermediates of one program. */
export interface Pool extends Memory {
  /** The state of the pool before an operator. */
  readonly mark: () => number;
  /** The value of an operator's result, with one holder; frees all other storage since `mark`. */
  readonly settle: (mark: number, result: OpValue) => Value;
  readonly hold: (value: Value) => void;
  readonly drop: (value: Value) => void;
  /** A tuple with one holder. It holds its fields instead of others. */
  readonly tuple: (fields: ReadonlyArray<Value>) => TupleValue;
  readonly madeBytes: () => number;
}

/** A pool without blocks. `returned` is called with each block that is free again. */
export function makePool(returned: (block: ArrayBuffer) => void = () => {}): Pool {
  const free = new Map<number, Block[]>();
  const taken: Block[] = [];
  let made = 0;

  const give = (block: Block): void => {
    returned(block);
    remember(free, block.byteLength, (): Block[] => []).push(block);
  };

  const hold = (value: Value): void => {
    const held = heldBy(value);
    if (held !== undefined) held.holders += 1;
  };

  const tuple = (fields: ReadonlyArray<Value>): TupleValue =>
    fields.some((field) => heldBy(field) !== undefined)
      ? new HeldTuple(fields)
      : tupleValue(fields);

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
    settle: (mark, result) => {
      // A kernel gives a tensor or a list of them.
      const tensors = isTensor(result) ? [result] : (result as ReadonlyArray<Tensor>);
      const values = tensors.map(boxed);
      values.forEach(hold);
      while (taken.length > mark) {
        const block = taken.pop() as Block;
        if (block.holders === 0) give(block);
      }
      return isTensor(result) ? (values[0] as Value) : tuple(values);
    },
    hold,
    drop: (value) => {
      if (value instanceof Scalar) return;
      // A tuple may hold tuples: no depth of them may overflow.
      const dropped = [value];
      for (let next = dropped.pop(); next !== undefined; next = dropped.pop()) {
        const held = heldBy(next);
        if (held === undefined) continue;
        held.holders -= 1;
        if (held.holders > 0) continue;
        if (held instanceof Block) give(held);
        else for (const field of held.fields) dropped.push(field);
      }
    },
    tuple,
    madeBytes: () => made,
  };
}

/** The holder count of a value, if it has one. */
function heldBy(value: Value): Block | HeldTuple | undefined {
  if (value instanceof Scalar) return undefined;
  if (value instanceof HeldTuple) return value;
  if (value._tag !== 'Tensor') return undefined;
  const { buffer } = value.data;
  return buffer instanceof Block ? buffer : undefined;
}

/** Sizes in steps of an eighth: tensors that differ little share their blocks. */
function blockSize(bytes: number): number {
  const step = Math.max(2 ** (Math.floor(Math.log2(Math.max(bytes, 1))) - 3), 64);
  return Math.ceil(bytes / step) * step;
}
