/** `If`: the branch that a known condition chooses, or a branch of Relay. */
import type { Diagnostic } from '@baton/base';
import { type Expr, ifElse, type Type, tupleGetItem, tupleType } from '@baton/ir';
import { readNumber, shapeSize } from '@baton/tensor';
import {
  branchLeftOut,
  differentRanks,
  differentTypes,
  missingInput,
  otherRank,
} from '../diagnostics.ts';
import { makeProblems } from '../problems.ts';
import { contradicts } from './attempts.ts';
import { operatorName } from './coverage.ts';
import {
  deliver,
  type Frame,
  graphFrame,
  graphOf,
  joined,
  type Results,
  type Site,
  toolsOf,
} from './frames.ts';
import { lookUp } from './import-node.ts';
import { warn } from './state.ts';
import { widened } from './types.ts';

/** The frame of the chosen branch, or of the first of both. */
export function enterChoice(site: Site): Frame | undefined {
  const { run, node, span } = site;
  const [name = ''] = node.inputs;
  const condition = name === '' ? undefined : lookUp(run, name, span);
  if (name === '') run.problems.add(missingInput(operatorName(node), 0, span));
  if (condition === undefined) return deliver(site, undefined);
  if (condition._tag === 'Constant' && shapeSize(condition.data.shape) === 1) {
    const isTrue = readNumber(condition.data, 0) !== 0;
    return branch(site, isTrue ? 'then_branch' : 'else_branch', (results) =>
      deliver(site, results),
    );
  }
  const before = run.state.equalities.length;
  const choices = run.state.choices.count();
  const sides = [0, 1].map(() => ({ ...site, run: { ...run, problems: makeProblems() } }));
  const [first = site, second = site] = sides;
  return branch(first, 'then_branch', (whenTrue) =>
    branch(second, 'else_branch', (whenFalse) => {
      const [faults = [], others = []] = sides.map((side) => side.run.problems.all() ?? []);
      // A branch that no run takes needs nothing of the sizes.
      run.state.equalities.splice(before);
      // With assumptions, a contradiction may be one of theirs.
      const isCertain = run.state.choices.count() === choices;
      const only =
        (isCertain ? onlySide(site, [whenTrue, faults], [whenFalse, others]) : undefined) ??
        (faults.length + others.length === 0 ? oneRank(site, whenTrue, whenFalse) : undefined);
      if (only !== undefined) return deliver(site, only);
      run.problems.add(...faults, ...others);
      return deliver(site, chosen(site, condition, whenTrue, whenFalse));
    }),
  );
}

/** A branch: its results, or what is wrong with it. */
type Side = readonly [results: Results, problems: ReadonlyArray<Diagnostic>];

/**
 * The results of the one branch that the sizes allow. The other fails in every run that takes it, and
 * what follows a failure is free; the caller is told.
 */
function onlySide({ run, node, span }: Site, whenTrue: Side, whenFalse: Side): Results {
  const sides = [
    ['then_branch', whenTrue, whenFalse],
    ['else_branch', whenFalse, whenTrue],
  ] as const;
  for (const [name, [, problems], [results]] of sides) {
    const [reason] = problems;
    if (results === undefined || reason === undefined || !contradicts(problems)) continue;
    warn(run.state, branchLeftOut(name, node.inputs[0] ?? '', reason, span));
    return results;
  }
  return undefined;
}

/**
 * The results of one branch where the branches differ in rank: of the one whose ranks the model states,
 * or of the one that the import assumes. torch writes a squeeze of an open axis as such an `If`.
 */
function oneRank({ run, node, span }: Site, whenTrue: Results, whenFalse: Results): Results {
  const { typeOf } = run.state.types;
  const typesOf = (results: Results): ReadonlyArray<Type | undefined> =>
    (results ?? []).slice(0, node.outputs.length).map(typeOf);
  const [types, others] = [typesOf(whenTrue), typesOf(whenFalse)];
  if (!differInRank(types, others)) return undefined;
  const stated = node.outputs.map((name) => run.stated(name)?.length);
  const fits = (found: typeof types): boolean =>
    stated.every((rank, i) => rank === undefined || rank === rankOf(found[i]));
  if (fits(types) !== fits(others)) {
    const left = fits(types) ? 'else_branch' : 'then_branch';
    warn(run.state, otherRank(left, span));
    return fits(types) ? whenTrue : whenFalse;
  }
  const condition = node.inputs[0] ?? '';
  const assumed = run.state.choices.next((left, reason) =>
    branchLeftOut(left, condition, reason, span),
  );
  if (assumed === undefined) return undefined;
  return assumed === 'then_branch' ? whenTrue : whenFalse;
}

/** Whether tensors have the same element types, and not all the same ranks. */
function differInRank(
  types: ReadonlyArray<Type | undefined>,
  others: ReadonlyArray<Type | undefined>,
): boolean {
  const pairs = types.map((type, i) => [type, others[i]] as const);
  const areAlike = pairs.every(
    ([a, b]) => a?._tag === 'TensorType' && b?._tag === 'TensorType' && a.dtype === b.dtype,
  );
  return areAlike && pairs.some(([a, b]) => rankOf(a) !== rankOf(b));
}

const rankOf = (type: Type | undefined): number | undefined =>
  type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape.length : undefined;

function branch(site: Site, name: string, next: Frame['next']): Frame | undefined {
  const graph = graphOf(site, name);
  return graph === undefined ? next(undefined) : graphFrame(site, graph, [], next);
}

/** The results of one branch or the other, as the condition says at run time. */
function chosen(
  site: Site,
  condition: Expr,
  whenTrue: Results,
  whenFalse: Results,
): ReadonlyArray<Expr> | undefined {
  if (whenTrue === undefined || whenFalse === undefined) return undefined;
  const { run, node, span } = site;
  const { types } = run.state;
  const { context, checked } = toolsOf(site, []);
  const count = node.outputs.length;
  const pairs = whenTrue.slice(0, count).map((value, i) => [value, whenFalse[i] ?? value] as const);
  const common = pairs.map(([a, b]) => joined(types.typeOf(a), types.typeOf(b)));
  const known = common.filter((type) => type !== undefined);
  if (known.length < common.length) {
    const problem = differInRank(
      pairs.map(([a]) => types.typeOf(a)),
      pairs.map(([, b]) => types.typeOf(b)),
    )
      ? differentRanks(node.inputs[0] ?? '', run.state.openDims, span)
      : differentTypes('results of both branches', span);
    run.problems.add(problem);
    return undefined;
  }
  const side = (values: ReadonlyArray<Expr>): Expr => {
    const fields = known.flatMap((type, i) => {
      const value = values[i];
      return value === undefined ? [] : [widened(run.state.types, value, type)];
    });
    return fields.length === 1 && fields[0] !== undefined ? fields[0] : context.tuple(fields);
  };
  const scalar = checked(() => {
    const rank = context.dimsOf(condition).length;
    return rank === 0 ? condition : context.call('reshape', [condition], { newshape: [] });
  });
  if (scalar === undefined) return undefined;
  const made = ifElse(scalar, side(whenTrue), side(whenFalse), span);
  const [only] = known;
  types.set(made, known.length === 1 && only !== undefined ? only : tupleType(known));
  return known.length === 1 ? [made] : known.map((_, i) => tupleGetItem(made, i, span));
}
