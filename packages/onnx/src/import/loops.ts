/** `Loop`: its steps one after the other if they are few and known, else a recursive function. */
import { constant, type Expr } from '@baton/ir';
import { readNumber, scalar, shapeSize } from '@baton/tensor';
import { missingInput } from '../diagnostics.ts';
import type { GraphProto } from '../protobuf/messages.ts';
import { operatorName } from './coverage.ts';
import { deliver, type Frame, graphFrame, graphOf, type Site, toolsOf } from './frames.ts';
import { lookUp } from './import-node.ts';
import { recursion } from './recursion.ts';

/** The inputs of a loop. */
interface Loop {
  readonly body: GraphProto;
  /** The most steps. */
  readonly trips: Expr | undefined;
  readonly condition: Expr | undefined;
  readonly initial: ReadonlyArray<Expr>;
}

/** The most steps that are imported one after the other. */
const MAX_STEPS = 64;

/** The frame of the first step. */
export function enterLoop(site: Site): Frame | undefined {
  const loop = loopOf(site);
  if (loop === undefined) return deliver(site, undefined);
  const trips = known(loop.trips);
  const keepsOn = loop.condition === undefined ? 1 : known(loop.condition);
  return trips !== undefined && trips <= MAX_STEPS && keepsOn !== undefined
    ? steps(site, loop, trips, keepsOn !== 0)
    : recursion(site, recursive(site, loop));
}

function loopOf(site: Site): Loop | undefined {
  const { run, node, span } = site;
  const body = graphOf(site, 'body');
  const values = node.inputs.map((name) => (name === '' ? undefined : lookUp(run, name, span)));
  const absent = node.inputs.findIndex((name, i) => name === '' && i > 1);
  if (absent >= 0) run.problems.add(missingInput(operatorName(node), absent, span));
  const failed = values.some((value, i) => value === undefined && node.inputs[i] !== '');
  if (body === undefined || failed) return undefined;
  const [trips, condition, ...initial] = values;
  return { body, trips, condition, initial: initial.filter((value) => value !== undefined) };
}

/** The value of a constant of one element. */
const known = (expr: Expr | undefined): number | undefined =>
  expr?._tag === 'Constant' && shapeSize(expr.data.shape) === 1
    ? readNumber(expr.data, 0)
    : undefined;

/** The steps one after the other; a condition that is not known turns them into a recursion. */
function steps(site: Site, loop: Loop, trips: number, keepsOn: boolean): Frame | undefined {
  const { span } = site;
  const rows: Expr[][] = [];
  const step = (at: number, carried: ReadonlyArray<Expr>): Frame | undefined => {
    const place = constant(scalar(at, 'int64'), span);
    const keep = constant(scalar(1, 'bool'), span);
    return graphFrame(site, loop.body, [place, keep, ...carried], (results) => {
      if (results === undefined) return deliver(site, undefined);
      const [condition, ...values] = results;
      const goesOn = known(condition);
      if (goesOn === undefined) return recursion(site, recursive(site, loop));
      rows.push(values.slice(carried.length));
      const next = values.slice(0, carried.length);
      return goesOn !== 0 && at + 1 < trips ? step(at + 1, next) : deliver(site, done(next));
    });
  };
  const done = (carried: ReadonlyArray<Expr>): ReadonlyArray<Expr> | undefined => {
    const { context, checked } = toolsOf(site, []);
    const columns = (rows[0] ?? []).map((_, column) => rows.flatMap((row) => row[column] ?? []));
    return checked(() => [
      ...carried,
      ...columns.map((values) => context.call('stack', [context.tuple(values)], { axis: 0 })),
    ]);
  };
  if (keepsOn && trips > 0) return step(0, loop.initial);
  const hasColumns = loop.body.outputs.length > 1 + loop.initial.length;
  return hasColumns ? recursion(site, recursive(site, loop)) : deliver(site, loop.initial);
}

/** The loop as a recursion: it goes on while the step is below the most, and the condition holds. */
function recursive(site: Site, { body, trips, condition, initial }: Loop) {
  const { context } = toolsOf(site, []);
  const one = constant(scalar(1, 'bool'), site.span);
  return {
    body,
    first: [condition ?? one, ...initial],
    hidden: 1,
    columns: body.outputs.length - 1 - initial.length,
    goesOn: (place: Expr, [keep = one]: ReadonlyArray<Expr>): Expr => {
      const scalarOf = (expr: Expr): Expr =>
        context.dimsOf(expr).length === 0
          ? expr
          : context.call('reshape', [expr], { newshape: [] });
      const flag = scalarOf(keep);
      if (trips === undefined) return flag;
      return context.call('logical_and', [context.call('less', [place, scalarOf(trips)]), flag]);
    },
    inputs: (place: Expr, carried: ReadonlyArray<Expr>): ReadonlyArray<Expr> => [place, ...carried],
  };
}
