/** `Loop`: goes on up to a number of steps, and while its body's first result says so. */
import { constant, type Expr } from '@baton/ir';
import { scalar } from '@baton/tensor';
import { missingInput } from '../diagnostics.ts';
import { operatorName } from './coverage.ts';
import { deliver, type Frame, graphOf, inputsOf, type Site, toolsOf } from './frames.ts';
import { iteration } from './unroll.ts';

/** The frame of the first step. */
export function enterLoop(site: Site): Frame | undefined {
  const { run, node, span } = site;
  const body = graphOf(site, 'body');
  const inputs = inputsOf(site);
  const absent = node.inputs.findIndex((name, i) => name === '' && i > 1);
  if (absent >= 0) run.problems.add(missingInput(operatorName(node), absent, span));
  if (body === undefined || inputs === undefined || absent >= 0) return deliver(site, undefined);
  const { context } = toolsOf(site, []);
  const [trips, condition, ...given] = inputs;
  const initial = given.filter((value) => value !== undefined);
  const one = constant(scalar(1, 'bool'), span);
  const scalarOf = (expr: Expr): Expr =>
    context.dimsOf(expr).length === 0 ? expr : context.call('reshape', [expr], { newshape: [] });
  const loop = {
    body,
    first: () => [condition === undefined ? one : scalarOf(condition), ...initial],
    hidden: 1,
    columns: body.outputs.length - 1 - initial.length,
    goesOn: (place: Expr, [keep = one]: ReadonlyArray<Expr>): Expr => {
      const flag = scalarOf(keep);
      if (trips === undefined) return flag;
      return context.call('logical_and', [context.call('less', [place, scalarOf(trips)]), flag]);
    },
    inputs: (place: Expr, carried: ReadonlyArray<Expr>): ReadonlyArray<Expr> => [place, ...carried],
  };
  return iteration(site, loop, (results) => deliver(site, results));
}
