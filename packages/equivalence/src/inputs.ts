/** Arguments for programs, generated from the types of parameters. */
import { fail, type Random, type Result, right } from '@baton/base';
import { tupleValue, type Value } from '@baton/executor';
import type { Dim, DimTerm, Func, TensorType, Type, TypeVar } from '@baton/ir';
import { type DType, isDType, shapeSize, type Tensor } from '@baton/tensor';
import { printType } from '@baton/text';
import { inputsTooLarge, noInputs } from './diagnostics.ts';

export type Fill = (dtype: DType, shape: ReadonlyArray<number>) => Tensor;

/** The most elements generated for one call. */
export const MAX_INPUT_ELEMENTS = 4_194_304;

/** The sizes of `?` and named dimensions: distinct, so that axes cannot be confused. */
const FREE_SIZES: ReadonlyArray<number> = [3, 2, 5, 7];

/**
 * A value for each parameter; `fillFor` returns the filling of each.
 *
 * **Errors** `EQUIV_PARAMETER` for a type that contains anything but tensors, `EQUIV_TOO_LARGE`.
 */
export function makeInputs(
  entry: Func,
  random: Random,
  fillFor: (param: number) => Fill,
): Result<ReadonlyArray<Value>> {
  const sizes = new Map<TypeVar, number>();
  const values: Value[] = [];
  let elements = 0;
  for (const [at, param] of entry.params.entries()) {
    const fill = fillFor(at);
    const limited: Fill = (dtype, shape) => {
      elements += shapeSize(shape);
      return fill(dtype, elements > MAX_INPUT_ELEMENTS ? [0] : shape);
    };
    const type = param.typeAnnotation;
    const value = type && fillType(type, limited, sizes, random);
    if (elements > MAX_INPUT_ELEMENTS) return fail(inputsTooLarge(MAX_INPUT_ELEMENTS));
    if (value === undefined) {
      const shown = type === undefined ? 'no type' : printType(type);
      return fail(noInputs(param.nameHint, shown, param.span));
    }
    values.push(value);
  }
  return right(values);
}

/** `undefined` for a type that contains anything but tensors. */
function fillType(
  type: Type,
  fill: Fill,
  sizes: Map<TypeVar, number>,
  random: Random,
): Value | undefined {
  interface Open {
    readonly fields: ReadonlyArray<Type>;
    readonly done: Value[];
  }
  const root: Open = { fields: [type], done: [] };
  const stack: Open[] = [root];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.fields[top.done.length];
    if (next === undefined) {
      stack.pop();
      stack.at(-1)?.done.push(tupleValue(top.done));
    } else if (next._tag === 'TupleType') stack.push({ fields: next.fields, done: [] });
    else {
      const value = next._tag === 'TensorType' ? fillTensor(next, fill, sizes, random) : undefined;
      if (value === undefined) return undefined;
      top.done.push(value);
    }
    if (stack.length === 1 && root.done.length === 1) break;
  }
  return root.done[0];
}

function fillTensor(
  type: TensorType,
  fill: Fill,
  sizes: Map<TypeVar, number>,
  random: Random,
): Tensor | undefined {
  const { dtype, shape } = type;
  if (typeof dtype !== 'string' || !isDType(dtype) || '_tag' in shape) return undefined;
  return fill(
    dtype,
    shape.map((dim) => sizeOf(dim, sizes, random)),
  );
}

function sizeOf(dim: Dim, sizes: Map<TypeVar, number>, random: Random): number {
  if (typeof dim === 'number') return dim;
  const free = (): number => FREE_SIZES[Math.floor(random() * FREE_SIZES.length)] ?? 1;
  if (dim._tag === 'AnyDim') return free();
  const termSize = (term: DimTerm): number =>
    term.atoms.reduce((product, atom) => {
      if (atom._tag !== 'TypeVar') return product;
      const size = sizes.get(atom) ?? free();
      sizes.set(atom, size);
      return product * size;
    }, term.coefficient);
  return dim.terms.reduce((sum, term) => sum + termSize(term), dim.constant);
}
