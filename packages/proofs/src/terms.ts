/** Terms: the value of one element of a result, as an expression of elements of the inputs. */
import { postOrder } from '@baton/base';
import type { NodeName } from '@baton/ops';
import { NODES, type NodeKind } from '@baton/ops';
import type { DType } from '@baton/tensor';

/** A value of one element. Equal terms of one builder are the same object. */
export type Term = NumberTerm | SymbolTerm | NodeTerm;

/** A number that is known. */
export interface NumberTerm {
  readonly _tag: 'Number';
  readonly id: number;
  readonly dtype: DType;
  readonly value: number;
}

/** Any element of an input. */
export interface SymbolTerm {
  readonly _tag: 'Symbol';
  readonly id: number;
  readonly dtype: DType;
  readonly name: string;
  /** Numbers between which it lies unless it is NaN. */
  readonly range: readonly [number, number] | undefined;
}

/**
 * What a node computes, besides the kinds of scalar expressions.
 *
 * - `sum`: the sum of its arguments, in the order of an operator's own loop.
 * - `cast`: its argument in another element type.
 * - `operator`: the value of a whole operator, then its operands; it rounds once, at its end.
 * - `opaque`: the value of an operator of which only its name and operands are known.
 */
export type Kind = NodeName | 'sum' | 'cast' | 'operator' | 'opaque';

/** A computed value. */
export interface NodeTerm {
  readonly _tag: 'Node';
  readonly id: number;
  readonly kind: Kind;
  /** The element type that the node computes in. */
  readonly dtype: DType;
  readonly args: ReadonlyArray<Term>;
  /** The name of a whole operator. */
  readonly name: string;
}

/** Makes terms. */
export interface Terms {
  readonly number: (value: number, dtype: DType) => NumberTerm;
  readonly symbol: (name: string, dtype: DType, range?: SymbolTerm['range']) => SymbolTerm;
  readonly node: (kind: Kind, dtype: DType, args: ReadonlyArray<Term>, name?: string) => NodeTerm;
}

/** A builder that makes equal terms once. */
export function makeTerms(): Terms {
  const known = new Map<string, Term>();
  const once = <T extends Term>(key: string, make: (id: number) => T): T => {
    const old = known.get(key);
    if (old !== undefined) return old as T;
    const made = make(known.size);
    known.set(key, made);
    return made;
  };
  return {
    number: (value, dtype) =>
      once(`${Object.is(value, -0) ? '-0' : value} ${dtype}`, (id) => ({
        _tag: 'Number',
        id,
        dtype,
        value,
      })),
    symbol: (name, dtype, range) =>
      once(`?${name} ${dtype} ${range}`, (id) => ({ _tag: 'Symbol', id, dtype, name, range })),
    node: (kind, dtype, args, name = '') =>
      once(`${kind} ${dtype} ${args.map(({ id }) => id).join(' ')} ${name}`, (id) => ({
        _tag: 'Node',
        id,
        kind,
        dtype,
        args,
        name,
      })),
  };
}

/** The terms directly below a term. */
export const argsOf = (term: Term): ReadonlyArray<Term> => (term._tag === 'Node' ? term.args : []);

/** The terms and all below them, arguments first. */
export const subterms = (...roots: ReadonlyArray<Term>): ReadonlyArray<Term> =>
  postOrder(argsOf, roots);

/** Whether the value of a term is a truth. */
export function isTruth(term: Term): boolean {
  if (term._tag !== 'Node') return term.dtype === 'bool';
  if (term.kind === 'cast') return term.dtype === 'bool';
  if (term.kind === 'sum' || term.kind === 'opaque') return false;
  if (term.kind === 'operator') return isTruth(term.args[0] as Term);
  if (term.kind === 'select') return term.args.slice(1).every(isTruth);
  const { truth }: NodeKind = NODES[term.kind];
  const isBitOfBool = term.kind === 'not' && term.dtype === 'bool';
  return isBitOfBool || truth === 'always' || (truth === 'of truths' && term.args.every(isTruth));
}
