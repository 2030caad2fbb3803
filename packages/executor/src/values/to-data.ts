/** From values to plain JavaScript data. */
import { type Tensor, toNested } from '@baton/tensor';
import { foldValue } from './fold.ts';
import { Scalar } from './scalar.ts';
import type { Closure, Value } from './value.ts';

/** A value of an algebraic data type as plain data. */
export interface AdtData {
  readonly constructor: string;
  readonly fields: ReadonlyArray<Data>;
}

/** A reference as plain data: its content at the time of the conversion. */
export interface RefData {
  readonly ref: Data;
}

/** A value as plain JavaScript data; functions are unchanged. */
export type Data = number | bigint | boolean | ReadonlyArray<Data> | AdtData | RefData | Closure;

/**
 * A value as plain data: tensors as nested arrays of numbers (bigints of 64-bit integers, booleans
 * of bool), tuples as arrays, `Cons(1, Nil)` as `{ constructor: 'Cons', fields: [1, ..] }`, a
 * reference as `{ ref: .. }`. Sharing is kept; a reference that holds itself becomes an object that
 * holds itself.
 *
 * **Complexity** linear in the distinct values and the elements of tensors.
 */
export const toData = (value: Value): Data =>
  foldValue<Data>(value, {
    leaf: (leaf) => (leaf._tag === 'Tensor' ? tensorData(leaf) : leaf),
    compound: (compound, fields) =>
      compound._tag === 'Tuple' ? fields : { constructor: compound.ctor.nameHint, fields },
    cell: () => {
      const data: { ref: Data } = { ref: [] };
      return {
        result: data,
        fill: (content) => {
          data.ref = content;
        },
      };
    },
  });

function tensorData(t: Tensor): Data {
  if (!(t instanceof Scalar)) return toNested(t);
  return t.dtype === 'bool' ? t.element !== 0 : t.element;
}

/**
 * The elements of a list: a value of a type with a constructor of an element and the rest, and one
 * without inputs, such as `List[A]`. `undefined` for any other value.
 */
export function listElements(list: Value): ReadonlyArray<Value> | undefined {
  const elements: Value[] = [];
  let at = list;
  while (at._tag === 'Adt' && at.fields.length === 2) {
    const [head, tail] = at.fields;
    if (head === undefined || tail === undefined) return undefined;
    elements.push(head);
    at = tail;
  }
  return at._tag === 'Adt' && at.fields.length === 0 ? elements : undefined;
}
