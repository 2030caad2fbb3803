/** `If`: the branch that a known condition chooses, or a branch of Relay. */
import type { Diagnostic } from '@baton/base';
import { type Expr, ifElse, tupleGetItem, tupleType } from '@baton/ir';
import { readNumber, shapeSize } from '@baton/tensor';
import { branchLeftOut, differentTypes, missingInput } from '../diagnostics.ts';
import { makeProblems } from '../problems.ts';
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
  const sides = [0, 1].map(() => ({ ...site, run: { ...run, problems: makeProblems() } }));
  const [first = site, second = site] = sides;
  return branch(first, 'then_branch', (whenTrue) =>
    branch(second, 'else_branch', (whenFalse) => {
      const [faults = [], others = []] = sides.map((side) => side.run.problems.all() ?? []);
      const only = onlySide(site, [whenTrue, faults], [whenFalse, others]);
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
    warn(run.state, span, branchLeftOut(name, node.inputs[0] ?? '', reason, span));
    return results;
  }
  return undefined;
}

/**
 * Whether sizes contradict each other in a branch: no run can take it, as where one branch is for
 * another size of the input.
 */
const contradicts = (problems: ReadonlyArray<Diagnostic>): boolean =>
  problems.length > 0 && problems.every(({ code }) => code.startsWith('OP_'));

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
    run.problems.add(differentTypes('results of both branches', span));
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
