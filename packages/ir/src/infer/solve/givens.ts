/**
 * The search for the assumption that answers a relation:
 * [types §3.2](https://batonjs.github.io/baton/spec/types#3.2).
 */
import { attrsEqual, noAttrs } from '../../types/attrs.ts';
import { sameType } from '../../types/same-type.ts';
import {
  type DTypeTerm,
  isClosed,
  type Type,
  type TypeRelation,
  tensorType,
} from '../../types/type.ts';
import type { IncompleteType } from '../../types/variable.ts';
import { RelationTable } from './relation-table.ts';

/** Finds the relation that answers `wanted`, with `output` as known; `'several'` if not unique. */
type GivenFinder = (
  wanted: TypeRelation,
  output: Type | undefined,
  isLast: boolean,
) => TypeRelation | 'several' | undefined;

/** Relations that hold by assumption: the `where` lists of the surrounding functions. */
export interface Givens {
  readonly find: GivenFinder;
  readonly outer: Givens | undefined;
  /** Whether a demanded type states them: their answers depend on no surrounding function. */
  readonly isDemand?: boolean;
}

/** The assumption that answers `wanted`, whose arguments are only inputs, and its owner. */
export function answerOf(
  wanted: TypeRelation,
  output: Type,
  givens: Givens,
  isLast: boolean,
): { readonly given: TypeRelation | 'several'; readonly by: Givens } | undefined {
  for (let by: Givens | undefined = givens; by !== undefined; by = by.outer) {
    const given = by.find(wanted, output, isLast);
    if (given !== undefined) return { given, by };
  }
  return undefined;
}

/**
 * A search among relations for one with the same name, attributes and inputs. Several may have them
 * and say the same of different outputs: one is chosen by its output, or, if `isLast`, each is
 * found once before any is found again.
 *
 * **Complexity** amortized O(1) a search, while the inputs of the relations do not change.
 */
export function makeGivenFinder(
  relations: ReadonlyArray<TypeRelation>,
  resolve: (type: Type) => Type,
  canonical: (name: string) => string,
): GivenFinder {
  let table = new RelationTable(canonical);
  let isOpen = true;
  const taken = new Set<TypeRelation>();
  const index = (): void => {
    table = new RelationTable(canonical);
    isOpen = false;
    for (const relation of relations) {
      // One without a result is a mistake, which is reported where it is stated.
      if (relation.args[relation.inputCount] === undefined) continue;
      const inputs = relation.args.slice(0, relation.inputCount).map(resolve);
      // A later binding in an open input changes its key.
      if (!inputs.every(isClosed)) isOpen = true;
      table.add(relation, inputs);
    }
  };
  const outputOf = (given: TypeRelation): Type => resolve(given.args[given.inputCount] as Type);
  return (wanted, output, isLast) => {
    if (isOpen) index();
    const candidates = table.find(wanted, wanted.args);
    const [first, ...others] = candidates;
    if (first === undefined) return undefined;
    const firstOutput = outputOf(first);
    if (others.every((given) => sameType(outputOf(given), firstOutput))) return first;
    if (output !== undefined && isClosed(output)) {
      const meant = candidates.find((given) => sameType(outputOf(given), output));
      if (meant !== undefined) return meant;
    } else if (!isLast) return 'several';
    const found = candidates.find((given) => !taken.has(given)) ?? first;
    taken.add(found);
    return found;
  };
}

/**
 * The dtypes of literals among a relation's inputs that make it one of `relations`, the first that
 * is possible; none if there is none. The inputs are resolved.
 */
export function demandedDTypes(
  wanted: TypeRelation,
  relations: ReadonlyArray<TypeRelation>,
  resolve: (type: Type) => Type,
  canonical: (name: string) => string,
): ReadonlyArray<readonly [IncompleteType, DTypeTerm]> {
  for (const given of relations) {
    if (given.inputCount !== wanted.inputCount) continue;
    if (canonical(given.name) !== canonical(wanted.name)) continue;
    if (!attrsEqual(given.attrs ?? noAttrs, wanted.attrs ?? noAttrs)) continue;
    const pairs = wanted.args.map((input, i) =>
      literalDemand(input, resolve(given.args[i] as Type)),
    );
    if (!pairs.includes('differ')) {
      return pairs.flatMap((pair) => (typeof pair === 'string' ? [] : [pair]));
    }
  }
  return [];
}

/** The dtype that makes the first type the second, if it is a literal's type. */
function literalDemand(a: Type, b: Type): readonly [IncompleteType, DTypeTerm] | 'same' | 'differ' {
  if (sameType(a, b)) return 'same';
  if (a._tag !== 'TensorType' || b._tag !== 'TensorType') return 'differ';
  const { dtype } = a;
  if (typeof dtype === 'string' || dtype._tag !== 'IncompleteType') return 'differ';
  if (dtype.literal === undefined || typeof b.dtype !== 'string') return 'differ';
  return sameType(tensorType(a.shape, b.dtype), b) ? [dtype, b.dtype] : 'differ';
}
