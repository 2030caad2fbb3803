/** Terms in numbers: a check of counterexamples, and a search for them. */
import { NODES, type NodeKind } from '@baton/ops';
import { castNumber, type DType, dtypeInfo, isBig, isFloat } from '@baton/tensor';
import { type NodeTerm, type SymbolTerm, subterms, type Term } from './terms.ts';

/** How results of operators are stored: as doubles, or as their element types hold them. */
export type Storage = 'wide' | 'stored';

/** The value of a term; `undefined` if a node has no meaning for numbers. */
export function numberOf(
  root: Term,
  values: ReadonlyMap<SymbolTerm, number>,
  storage: Storage,
): number | undefined {
  const found = new Map<Term, number>();
  for (const term of subterms(root)) {
    const value =
      term._tag === 'Number'
        ? term.value
        : term._tag === 'Symbol'
          ? values.get(term)
          : computed(term, found);
    if (value === undefined || isTooLarge(value, term.dtype)) return undefined;
    const isWide = storage === 'wide' && isFloat(term.dtype);
    found.set(term, isWide ? value : stored(value, term.dtype));
  }
  return found.get(root);
}

/** The value of an operator in doubles, from its operands. */
function inside(inner: Term, operands: ReadonlyMap<Term, number>): number | undefined {
  const values = new Map<Term, number>(operands);
  for (const term of subterms(inner)) {
    if (values.has(term)) continue;
    const value =
      term._tag === 'Number'
        ? term.value
        : term._tag === 'Node'
          ? computed(term, values)
          : undefined;
    if (value !== undefined) values.set(term, value);
  }
  return values.get(inner);
}

const stored = (value: number, dtype: DType): number =>
  isFloat(dtype) ? castNumber(value, dtype) : wholeIn(value, dtype);

/** Whether a double may not hold the integer of 64 bits that is meant. */
const isTooLarge = (value: number, dtype: DType): boolean =>
  isBig(dtype) && !isFloat(dtype) && (!Number.isSafeInteger(value) || value < dtypeInfo(dtype).min);

/** Integers have one zero; those of 64 bits stay small here. */
const wholeIn = (value: number, dtype: DType): number =>
  (isBig(dtype) ? value : castNumber(value, dtype)) || 0;

function computed(
  { kind, dtype, args }: NodeTerm,
  found: ReadonlyMap<Term, number>,
): number | undefined {
  const parts = args.map((arg) => found.get(arg) as number);
  if (kind === 'sum') return parts.reduce((a, b) => a + b, 0);
  if (kind === 'opaque') return undefined;
  if (kind === 'operator') {
    const [inner, ...operands] = args as [Term, ...Term[]];
    return inside(
      inner,
      new Map(operands.map((operand) => [operand, found.get(operand) as number])),
    );
  }
  if (kind === 'cast') return castNumber(parts[0] as number, dtype);
  const row: NodeKind = NODES[kind];
  const family = isFloat(dtype) ? 'float' : 'int';
  const meaning = row[family] ?? row.any ?? row.float;
  return meaning?.apply(...parts);
}

/** Numbers that tell equations apart. */
export const ORDINARY: ReadonlyArray<number> = [1, 2, -3, 0.5, -0.75, 5, 3.25, 0];

/** Numbers that are no real numbers, or have a sign that those lack, and a few others. */
export const SPECIAL: ReadonlyArray<number> = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  0,
  -0,
  1,
  -2,
  0.5,
];

/** The most points that are looked at. */
const MAX_POINTS = 1_024;

/** Points whose coordinates are taken from a list; a fixed choice of them if there are too many. */
export function* points(
  symbols: ReadonlyArray<SymbolTerm>,
  from: ReadonlyArray<number>,
): Generator<ReadonlyMap<SymbolTerm, number>> {
  const all = from.length ** symbols.length;
  const count = Math.min(all, MAX_POINTS);
  for (let i = 0; i < count; i++) {
    let rest = all <= MAX_POINTS ? i : Math.imul(i + 1, 0x9e3779b1) >>> 0;
    const values = symbols.map((symbol): readonly [SymbolTerm, number] => {
      const value = from[rest % from.length] as number;
      rest =
        all <= MAX_POINTS
          ? Math.floor(rest / from.length)
          : Math.imul(rest ^ (rest >>> 13), 0x5bd1e995) >>> 0;
      return [symbol, valueFor(value, symbol.dtype)];
    });
    if (values.every(isWithin)) yield new Map(values);
  }
}

const isWithin = ([{ range }, value]: readonly [SymbolTerm, number]): boolean =>
  range === undefined || Number.isNaN(value) || (range[0] <= value && value <= range[1]);

const valueFor = (value: number, dtype: DType): number => {
  if (isFloat(dtype)) return value;
  const whole = Number.isFinite(value) ? Math.trunc(value) : 0;
  if (dtype === 'uint64') return Math.abs(whole);
  return dtype === 'bool' ? Number(whole !== 0) : stored(whole, dtype);
};
