/**
 * A graph whose results are its next inputs: its steps one after the other if they are few and
 * known, else a function of Relay that calls itself.
 */
import {
  anyDim,
  call,
  constant,
  type Expr,
  func,
  ifElse,
  isStaticDim,
  letIn,
  type Type,
  tensorType,
  tuple,
  tupleGetItem,
  tupleType,
  typeEqual,
  type Var,
  variable,
} from '@baton/ir';
import { isDType, readNumber, scalar, shapeSize, splat } from '@baton/tensor';
import { differentTypes } from '../diagnostics.ts';
import type { DimensionProto, GraphProto, ValueInfoProto } from '../protobuf/messages.ts';
import { type Frame, graphFrame, joined, type Results, type Site, toolsOf } from './frames.ts';
import { lookUp } from './import-node.ts';
import { widened } from './types.ts';

/** The steps of a loop. */
export interface Iteration {
  readonly body: GraphProto;
  /** The first carried values: the graph's first results are the next ones. */
  readonly first: () => ReadonlyArray<Expr>;
  /** The number of first carried values that are no results of the loop. */
  readonly hidden: number;
  /** The number of results that become rows of the loop's results. */
  readonly columns: number;
  /** The condition of another step. */
  readonly goesOn: (place: Expr, carried: ReadonlyArray<Expr>, around: Around) => Expr;
  /** The inputs of the graph in one step. */
  readonly inputs: (
    place: Expr,
    carried: ReadonlyArray<Expr>,
    around: Around,
  ) => ReadonlyArray<Expr>;
}

/** A value from around the loop, inside of it. */
export type Around = (value: Expr) => Expr;

/** Takes the last carried values, and the rows. */
type Done = Frame['next'];

/** The most steps that are imported one after the other. */
const MAX_STEPS = 64;

/** The frame of the first step: of a few if their number is known, else of all in a recursion. */
export function iteration(site: Site, loop: Iteration, done: Done): Frame | undefined {
  const { context, checked } = toolsOf(site, []);
  const first = checked(loop.first);
  if (first === undefined) return done(undefined);
  const recursion = (): Frame | undefined =>
    attempt(site, { ...loop, first: () => first, done }, first.map(site.run.state.types.typeOf));
  const rows: ReadonlyArray<Expr>[] = [];
  const finish = (carried: ReadonlyArray<Expr>): Frame | undefined => {
    const columns = (rows[0] ?? []).map((_, at) => rows.flatMap((row) => row[at] ?? []));
    const stacked = checked(() =>
      columns.map((values) => context.call('stack', [context.tuple(values)], { axis: 0 })),
    );
    return done(stacked && [...carried.slice(loop.hidden), ...stacked]);
  };
  const step = (at: number, carried: ReadonlyArray<Expr>): Frame | undefined => {
    const place = constant(scalar(at, 'int64'), site.span);
    const goesOn = checked(() => loop.goesOn(place, carried, (value) => value));
    if (goesOn === undefined) return done(undefined);
    if (goesOn._tag !== 'Constant' || shapeSize(goesOn.data.shape) !== 1 || at > MAX_STEPS) {
      return recursion();
    }
    const isLast = readNumber(goesOn.data, 0) === 0;
    if (isLast) return at === 0 && loop.columns > 0 ? recursion() : finish(carried);
    const inputs = checked(() => loop.inputs(place, carried, (value) => value));
    if (inputs === undefined) return done(undefined);
    return graphFrame(site, loop.body, inputs, (results) => {
      if (results === undefined) return done(undefined);
      rows.push(results.slice(carried.length));
      return step(at + 1, results.slice(0, carried.length));
    });
  };
  return step(0, first);
}

/** A loop, and what takes its results. */
interface Recursion extends Iteration {
  readonly done: Done;
}

/** The frame of the step of a recursion, imported again for each widening of its types. */
function attempt(
  site: Site,
  loop: Recursion,
  types: ReadonlyArray<Type | undefined>,
): Frame | undefined {
  const { run, span } = site;
  const captures = makeCaptures(site);
  const place = variable('i', tensorType([], 'int64'), span);
  const carried = types.map((type, i) => variable(`carried${i}`, type, span));
  const outer = (name: string): Expr | undefined => {
    const value = lookUp(run, name, span);
    return value === undefined ? undefined : captures.around(value);
  };
  const { checked } = toolsOf(site, []);
  const inputs = checked(() => loop.inputs(place, carried, captures.around));
  if (inputs === undefined) return loop.done(undefined);
  const before = run.state.equalities.length;
  const next = (results: Results): Frame | undefined => {
    // A loop may have no steps, which need nothing of the sizes then.
    run.state.equalities.splice(before);
    if (results === undefined) return loop.done(undefined);
    const found = results.slice(0, carried.length).map((value) => run.state.types.typeOf(value));
    const wide = types.map((type, i) => joined(type, found[i]));
    if (wide.includes(undefined)) {
      run.problems.add(differentTypes('values that a loop carries', span));
      return loop.done(undefined);
    }
    const isStable = wide.every((type, i) => sameType(type, types[i]));
    return isStable
      ? loop.done(built(site, loop, { place, carried, results, captures }))
      : attempt(site, loop, wide);
  };
  return graphFrame(site, loop.body, inputs, next, outer);
}

/** Values from around the loop, computed once before it. */
interface Captures {
  readonly around: Around;
  readonly variables: ReadonlyMap<Expr, Var>;
}

/** Constants and variables are the same inside; other values get a variable. */
function makeCaptures({ run, span }: Site): Captures {
  const variables = new Map<Expr, Var>();
  return {
    variables,
    around: (value) => {
      if (value._tag === 'Constant' || value._tag === 'Var') return value;
      const old = variables.get(value);
      if (old !== undefined) return old;
      const made = variable(`outer${variables.size}`, run.state.types.typeOf(value), span);
      variables.set(value, made);
      return made;
    },
  };
}

/** The parts of a step once it is imported. */
interface Step {
  readonly place: Var;
  readonly carried: ReadonlyArray<Var>;
  readonly results: ReadonlyArray<Expr>;
  readonly captures: Captures;
}

/** The results of the loop: the last carried values, and the rows of the other results. */
function built(site: Site, loop: Iteration, step: Step): Results {
  const { run, span } = site;
  const { types } = run.state;
  const { context, checked } = toolsOf(site, []);
  const { place, carried, results, captures } = step;
  const found = results.slice(carried.length, carried.length + loop.columns);
  return checked(() => {
    const declared = loop.body.outputs.slice(carried.length);
    const columns = found.map((row, i) => columnOf(site, types.typeOf(row), declared[i]));
    const known = columns.filter((column) => column !== undefined);
    if (known.length < columns.length) {
      return context.unknown('expected rows of known size from the steps of a loop');
    }
    const rows = known.map(({ type }, i) => variable(`rows${i}`, type, span));
    const params = [place, ...carried, ...rows];
    const kept = [...carried, ...rows];
    const result = tupleType(kept.map((param) => param.typeAnnotation ?? tensorType([], 'bool')));
    const self = variable('loop', undefined, span);
    const next = [
      context.call('add', [place, constant(scalar(1, 'int64'), span)]),
      ...carried.map((param, i) => fitting(run, results[i] ?? param, param)),
      ...rows.map((sofar, i) => fitting(run, appended(context, sofar, found[i] ?? sofar), sofar)),
    ];
    const again = call(self, next, { span });
    const goesOn = loop.goesOn(place, carried, captures.around);
    const body = ifElse(goesOn, again, tuple(kept, span), span);
    const start = [
      constant(scalar(0, 'int64'), span),
      ...loop.first().map((value, i) => fitting(run, value, carried[i])),
      ...known.map(({ empty }, i) => fitting(run, empty, rows[i])),
    ];
    const value = func(params, body, { retType: result, span });
    let made: Expr = letIn(self, value, call(self, start, { span }), span);
    for (const [outer, name] of [...captures.variables].reverse()) {
      made = letIn(name, outer, made, span);
    }
    types.set(made, result);
    return kept.map((_, i) => tupleGetItem(made, i, span)).slice(loop.hidden);
  });
}

type Tools = ReturnType<typeof toolsOf>['context'];

const appended = (context: Tools, rows: Expr, row: Expr): Expr =>
  context.call('concatenate', [
    context.tuple([rows, context.call('expand_dims', [row], { axis: 0 })]),
  ]);

/** The value as one of the parameter's type. */
const fitting = (run: Site['run'], value: Expr, param: Var | undefined): Expr =>
  param?.typeAnnotation === undefined
    ? value
    : widened(run.state.types, value, param.typeAnnotation);

/** The type of rows of this type, and none of them. The file may say what the row's type does not. */
function columnOf({ span }: Site, row: Type | undefined, declared: ValueInfoProto | undefined) {
  if (row?._tag !== 'TensorType' || '_tag' in row.shape) return undefined;
  const stated = declared?.type?._tag === 'Tensor' ? (declared.type.shape ?? []) : [];
  const sizes = row.shape.map((dim, axis) => (isStaticDim(dim) ? dim : sizeIn(stated[axis])));
  const shape = sizes.filter((dim) => dim !== undefined);
  const { dtype } = row;
  if (shape.length < row.shape.length || typeof dtype !== 'string' || !isDType(dtype)) {
    return undefined;
  }
  const empty = constant(splat([0, ...shape], dtype, 0), span);
  return { type: tensorType([anyDim, ...shape], dtype), empty };
}

/** A dimension of the file that is a number. */
const sizeIn = (dim: DimensionProto): number | undefined =>
  dim === undefined || typeof dim === 'string' || dim < 0 ? undefined : Number(dim);

const sameType = (a: Type | undefined, b: Type | undefined): boolean =>
  a !== undefined && b !== undefined && typeEqual(a, b);
