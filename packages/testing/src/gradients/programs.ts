/** Random programs whose gradients are compared with differences. */
import { remember } from '@baton/base';
import { type IRModule, irModule, type OpTable, opTable, postOrderExprs } from '@baton/ir';
import { hasFloats, hasGradient, kernelColumn, numericsColumn } from '@baton/ops';
import { isDType, isFloat } from '@baton/tensor';
import { singleCall } from '../calls/single-call.ts';
import { programOf } from '../program.ts';
import { checkGradient, type GradientCheck } from './check.ts';

/**
 * A program of the full language in float64 that calls only operators with gradients, and those of
 * no floats: closures, branches, recursion, data types, references and polymorphism.
 */
export function differentiableProgram(ops: OpTable, seed: number): IRModule {
  const table = remember(tables, ops, () => differentiable(ops));
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

export interface GradientCount {
  readonly counts: ReadonlyMap<string, number>;
  readonly differs: ReadonlyArray<string>;
}

export function checkGradients(ops: OpTable, first: number, count: number): GradientCount {
  const counts = new Map<string, number>();
  const differs: string[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const m = differentiableProgram(ops, seed);
    const outcome: GradientCheck = roundsMore(m)
      ? { _tag: 'Nothing', reason: 'some floats have fewer bits' }
      : checkGradient(m, { seed, directions: 1 });
    const name = outcome._tag === 'Nothing' ? outcome.reason : outcome._tag;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (outcome._tag === 'Differs') differs.push(`seed ${seed}: ${outcome.found}`);
  }
  return { counts, differs };
}

/** Whether a value of the program is rounded to a dtype in which differences are lost. */
const roundsMore = (m: IRModule): boolean =>
  postOrderExprs([...m.functions.values()]).some((node) => {
    const to = node._tag === 'Call' ? node.attrs?.dtype : undefined;
    return isDType(to) && isFloat(to) && to !== 'float64';
  });

const tables = new WeakMap<OpTable, OpTable>();

/** The operators with gradients, and those whose results have no floats. */
const differentiable = (ops: OpTable): OpTable =>
  opTable(
    ops.names.flatMap((name) => {
      const op = ops.get(name);
      const isDiscrete = ops.read(numericsColumn, name) === 'discontinuous';
      const isComputed = ops.read(kernelColumn, name) !== undefined;
      const isFit = isComputed && (hasGradient(ops, name) || (isDiscrete && isNoStep(ops, name)));
      return op !== undefined && isFit ? [op] : [];
    }),
  );

/** Whether all samples of an operator return no floats. */
function isNoStep(ops: OpTable, name: string): boolean {
  const found = [1, 2, 3, 4].map((seed) => {
    const main = singleCall(ops, name, seed)?.functions.get('main');
    return main?.retType;
  });
  return found.every((type) => type !== undefined && !hasFloats(type));
}
