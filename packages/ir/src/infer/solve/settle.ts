/** Literals and dimensions that nothing else determines: [types §6.3](https://batonjs.github.io/baton/spec/types#6.3). */
import { type TypeRelation, typeRelation } from '../../types/type.ts';
import type { IncompleteType } from '../../types/variable.ts';
import { demandedDTypes } from './givens.ts';
import { defaultDType } from './literals.ts';
import { isOpen, type Pending, type Solver } from './solver.ts';

/** Assigns default dtypes to the remaining literals, and solves. */
export function settleLiterals(solver: Solver): void {
  const { holes, unifier, literals } = solver;
  solver.solve();
  for (let at = 0; at < literals.length; at++) {
    const root = holes.dtype(literals[at] as IncompleteType);
    if (typeof root === 'string' || root._tag !== 'IncompleteType') continue;
    const values = unifier.literalsOf(root);
    const dtype = defaultDType(root.literal ?? 'int', values);
    if (dtype !== undefined) {
      unifier.dtypes(root, dtype);
      continue;
    }
    const [first] = values;
    const widest = root.literal === 'float' ? 'float32' : 'int64';
    if (first !== undefined) solver.reportRange(first, widest);
    holes.bindDType(root, widest);
  }
  solver.solve();
}

/** Makes `?` of the unbound dimensions at this level or deeper. */
export function settleDims(level: number, solver: Solver): void {
  solver.unifier.dims.settle(level);
  solver.solve();
}

/**
 * Gives literals the dtypes that one of these relations demands: if a waiting relation after the
 * first `mark` equals one of these except for the dtypes of literals, it is that one.
 */
export function fitLiterals(
  mark: number,
  relations: ReadonlyArray<TypeRelation>,
  solver: Solver,
): void {
  const { holes, unifier, pending } = solver;
  solver.solve();
  for (let i = mark; i < pending.length; i++) {
    const one = pending[i] as Pending;
    if (!isOpen(one)) continue;
    const { name, args, inputCount, attrs } = one.relation;
    const inputs = args.slice(0, inputCount).map(holes.resolve);
    if (![...holes.openHoles(inputs)].some((hole) => hole.literal !== undefined)) continue;
    const relation = typeRelation(name, inputs, inputCount, attrs);
    const demanded = demandedDTypes(relation, relations, holes.resolve, solver.canonical);
    for (const [literal, dtype] of demanded) unifier.dtypes(literal, dtype);
    if (demanded.length > 0) solver.solve();
  }
}
