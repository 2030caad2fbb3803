/** Tensors of terms. */

import type { OpValue } from '@baton/ops';
import {
  elementText,
  fromNumbers,
  isBig,
  isFloat,
  isTensor,
  readNumber,
  type Shape,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import type { SymbolTerm, Term, Terms } from './terms.ts';

/** A tensor whose elements are terms, in row-major order. */
export interface TermTensor {
  readonly _tag: 'Terms';
  readonly shape: Shape;
  readonly dtype: Tensor['dtype'];
  readonly elements: ReadonlyArray<Term>;
}

/** The value of an expression. */
export type TermValue = TermTensor | ReadonlyArray<TermValue>;

/** Whether a value is a tensor. */
export const isTerms = (value: TermValue): value is TermTensor => '_tag' in value;

/** A tensor with a symbol for each element. */
export const symbolic = (
  terms: Terms,
  name: string,
  { shape, dtype }: Pick<Tensor, 'dtype' | 'shape'>,
  range?: SymbolTerm['range'],
): TermTensor => ({
  _tag: 'Terms',
  shape,
  dtype,
  elements: Array.from({ length: shapeSize(shape) }, (_, i) =>
    terms.symbol(shape.length === 0 ? name : `${name}[${indexText(i, shape)}]`, dtype, range),
  ),
});

/** The place of an element: `1, 0`. */
export function indexText(at: number, shape: Shape): string {
  const parts: number[] = [];
  let rest = at;
  for (const size of [...shape].reverse()) {
    parts.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return parts.join(', ');
}

/** A tensor of known numbers. An integer that doubles do not hold is a symbol of its own. */
export const known = (terms: Terms, tensor: Tensor): TermTensor => {
  const { shape, dtype } = tensor;
  const isHeld = (value: number): boolean =>
    isFloat(dtype) || !isBig(dtype) || Number.isSafeInteger(value);
  const elements = Array.from({ length: shapeSize(shape) }, (_, i) => {
    const value = readNumber(tensor, i);
    return isHeld(value) ? terms.number(value, dtype) : terms.symbol(elementText(tensor, i), dtype);
  });
  return { _tag: 'Terms', shape, dtype, elements };
};

/** The values of an operator as terms. */
export const knownValue = (terms: Terms, value: OpValue): TermValue =>
  isTensor(value) ? known(terms, value) : value.map((field) => knownValue(terms, field));

/** The numbers of a value, if all are known. */
export function concrete(value: TermValue): OpValue | undefined {
  if (!isTerms(value)) {
    const fields = value.map(concrete);
    return fields.includes(undefined) ? undefined : (fields as ReadonlyArray<OpValue>);
  }
  const numbers = value.elements.map((term) => (term._tag === 'Number' ? term.value : undefined));
  return numbers.includes(undefined)
    ? undefined
    : fromNumbers(numbers as ReadonlyArray<number>, value.shape, value.dtype);
}

/** The same value with another tensor for each tensor in it. */
export const mapTensors = (value: TermValue, make: (tensor: TermTensor) => Tensor): OpValue =>
  isTerms(value) ? make(value) : value.map((field) => mapTensors(field, make));

/** The tensors of a value in order. */
export const tensorsIn = (value: TermValue): ReadonlyArray<TermTensor> =>
  isTerms(value) ? [value] : value.flatMap(tensorsIn);

/** A value with all its elements as a text; zeros have signs. */
export function valueText(value: OpValue): string {
  if (!isTensor(value)) return `[${value.map(valueText)}]`;
  const elements = Array.from({ length: shapeSize(value.shape) }, (_, i) => readNumber(value, i));
  const texts = elements.map((element) => (Object.is(element, -0) ? '-0' : `${element}`));
  return `${value.dtype}(${value.shape})${texts}`;
}
