/** Formulas in the notation of patterns, which the contexts of both directions read. */
import { invariant, orThrow } from '@baton/base';
import type { Attrs, AttrValue } from '@baton/ir';
import {
  buildPattern,
  evaluateOp,
  type Formula,
  formula,
  type HoleNames,
  standardOps,
} from '@baton/ops';
import { type DType, isTensor, readNumber, scalar } from '@baton/tensor';

/** What the holes of a text stand for: values, numbers, attributes, and names of operators. */
export type FormulaValues<T extends string, E> = string extends T
  ? Readonly<Record<string, E | AttrValue | Attrs | undefined>>
  : Readonly<Record<HoleNames<T>, E | AttrValue | Attrs>>;

/**
 * What a formula is of these values. A number has the element type of the last tensor among the
 * arguments of its call, and numbers alone are computed at once. `?op(?x)` is a call of the operator
 * that `op` names.
 */
export type ReadFormula<E, V = E> = <const T extends string>(
  text: T,
  values: FormulaValues<T, V>,
) => E;

/** How a side makes the parts of a formula, whose holes stand for `V`. */
export interface FormulaParts<E, V = E> {
  readonly call: (name: string, args: ReadonlyArray<V | E | number>, attrs: Attrs) => E;
  readonly scalar: (value: number, dtype: DType) => E;
  readonly tuple: (fields: ReadonlyArray<V | E | number>) => E;
  readonly field: (tuple: E, index: number) => E;
}

/** The reader of formulas of a side. */
export const formulaReader =
  <E extends object, V extends object = E>({
    call,
    scalar,
    tuple,
    field,
  }: FormulaParts<E, V>): ReadFormula<E, V> =>
  (text, values) => {
    const given: Readonly<Record<string, V | E | AttrValue | Attrs | undefined>> = values;
    const made = buildPattern<E | number>(known(text).pattern, {
      term: (hole) => given[hole] as E | number,
      attrs: new Map(Object.entries(given) as [string, AttrValue | Attrs][]),
      number: (value, dtype) => (dtype === undefined ? value : scalar(value, dtype)),
      call: (op, args, attrs) => {
        const name = op.startsWith('?') ? String(given[op.slice(1)]) : op;
        const numbers = args.filter((arg) => typeof arg === 'number');
        const isNumber = args.length > 0 && numbers.length === args.length;
        return isNumber ? numberOf(name, numbers, attrs) : call(name, args, attrs);
      },
      tuple,
      field: (of, index) => field(of as E, index),
    });
    // A formula of nothing but numbers is none.
    return made as E;
  };

/** The value of a call of numbers. */
function numberOf(name: string, numbers: ReadonlyArray<number>, attrs: Attrs): number {
  const values = numbers.map((number) => scalar(number, 'float64'));
  const value = orThrow(evaluateOp(standardOps, name, attrs, values));
  invariant(isTensor(value), `a call of numbers has one value: ${name}`);
  return readNumber(value, 0);
}

/** The formula of a text, which is read once. */
const known = (text: string): Formula => {
  const found = formulas.get(text) ?? formula(text);
  formulas.set(text, found);
  return found;
};

/** The texts of this package, whose number its sources bound. */
const formulas = new Map<string, Formula>();
