/** Random programs whose gradients are compared with differences. */
import { type IRModule, irModule, type OpTable, opTable } from '@baton/ir';
import { programOf } from '../program.ts';
import { checkGradient, type GradientCheck } from './check.ts';

/**
 * A program of the whole language in float64 that calls only operators of `names`: closures,
 * branches, recursion, data types, references and polymorphism.
 */
export function differentiableProgram(
  ops: OpTable,
  names: ReadonlyArray<string>,
  seed: number,
): IRModule {
  const table = opTable(names.flatMap((name) => ops.get(name) ?? []));
  const { module } = programOf(seed, {
    ops: table,
    language: 'whole',
    dtype: 'float64',
    emptyAxes: 0,
    maxCalls: 8,
  });
  const { functions, typeDefinitions, constructors } = module;
  return irModule({ functions, typeDefinitions, constructors, ops });
}

/** The outcomes of so many programs, by their names, with the programs that differ. */
export interface GradientCount {
  readonly counts: ReadonlyMap<string, number>;
  readonly differs: ReadonlyArray<string>;
}

/** Checks the programs of consecutive seeds. */
export function checkGradients(
  ops: OpTable,
  names: ReadonlyArray<string>,
  first: number,
  count: number,
): GradientCount {
  const counts = new Map<string, number>();
  const differs: string[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const m = differentiableProgram(ops, names, seed);
    const outcome: GradientCheck = checkGradient(m, { seed, directions: 1 });
    const name = outcome._tag === 'Nothing' ? outcome.reason : outcome._tag;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (outcome._tag === 'Differs') differs.push(`seed ${seed}: ${outcome.found}`);
  }
  return { counts, differs };
}
