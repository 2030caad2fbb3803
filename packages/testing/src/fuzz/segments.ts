/**
 * Random programs that a compiling executor takes apart: runs of operators between branches, effects,
 * checks of sizes, closures that are called twice, kernels, and values that are computed on demand.
 */
import { isRight } from '@baton/base';
import {
  anyDim,
  call,
  constant,
  type Expr,
  func,
  type IRModule,
  ifElse,
  irModule,
  letIn,
  opRef,
  refCreate,
  refRead,
  refWrite,
  tensorType,
  tuple,
  tupleGetItem,
  type Var,
  variable,
} from '@baton/ir';
import { kernelColumn, numericsColumn, standardOps } from '@baton/ops';
import { scalar } from '@baton/tensor';
import { type Choices, makeChoices, type Weighted } from '../generate/random.ts';
import type { Generator } from './executors.ts';

/** Programs of control flow with much to compute between. Some fail at a check of sizes. */
export const SEGMENTS: Generator = {
  name: 'segments',
  program: (seed) => {
    const module = segmentProgram(seed);
    return { module, stated: module };
  },
};

/** Most values are of one type. */
const MATRIX = tensorType([2, 4], 'float32');

/** Sizes that fit the inputs of free sizes, and sizes that do not. */
const [FITS, FAILS] = [3, 2].map((rows) => tensorType([rows, 4], 'float32'));

const DEPTH = 4;

/** The total, exact operators on this number of matrices, whose elements they compute one by one. */
const elementwise = (arity: number): ReadonlyArray<string> =>
  standardOps.names.filter((name) => {
    const info = standardOps.get(name);
    const kernel = standardOps.read(kernelColumn, name);
    return (
      info?.effect === 'total' &&
      info.inputs.length === arity &&
      isRight(info.attrs.decode({})) &&
      standardOps.read(numericsColumn, name) !== 'smooth' &&
      kernel?.scalar?.('float32')?.out === 'float32'
    );
  });

const [UNARY, BINARY] = [1, 2].map(elementwise) as [string[], string[]];

interface Draft {
  readonly choices: Choices;
  /** Matrices that may be used here; those that no other node needs yet, too. */
  readonly pool: Expr[];
  /** A parameter whose number of rows is not known. */
  readonly free: Var;
}

function segmentProgram(seed: number): IRModule {
  const choices = makeChoices(seed);
  const params = ['x', 'y'].map((name) => variable(name, MATRIX));
  const free = variable('z', tensorType([anyDim, 4], 'float32'));
  const flag = variable('n', tensorType([], 'bool'));
  const draft: Draft = { choices, pool: [...params], free };
  const spare = drawn(2, draft);
  draft.pool.push(spare);
  const body = tuple([
    ifElse(flag, drawn(DEPTH, draft), drawn(2, draft)),
    drawn(DEPTH, draft),
    drawn(2, draft),
  ]);
  const main = func([...params, free, flag], body);
  return irModule({ ops: standardOps, functions: new Map([['main', main]]) });
}

const op = (name: string, ...args: ReadonlyArray<Expr>): Expr => call(opRef(name), args);

type Draw = (depth: number, draft: Draft) => Expr;

const drawn: Draw = (depth, draft) => {
  const { choices, pool } = draft;
  if (depth <= 0 || choices.chance(0.15)) return choices.pick(pool);
  const made = choices.weighted(FORMS)(depth - 1, draft);
  pool.push(made);
  return made;
};

/** A matrix from what belongs to a part that may not run, or runs with a variable of its own. */
function inside(depth: number, draft: Draft, ...own: ReadonlyArray<Expr>): Expr {
  return drawn(depth, { ...draft, pool: [...draft.pool, ...own] });
}

const isPositive = (matrix: Expr): Expr =>
  op('greater', op('sum', matrix), constant(scalar(0, 'float32')));

const FORMS: ReadonlyArray<Weighted<Draw>> = [
  [4, (depth, draft) => op(draft.choices.pick(UNARY), drawn(depth, draft))],
  [5, (depth, draft) => op(draft.choices.pick(BINARY), drawn(depth, draft), drawn(depth, draft))],
  [2, branch],
  [4, named],
  [2, checked],
  [2, field],
  [2, calledTwice],
  [2, kernel],
  [2, cell],
  [2, demanded],
];

function branch(depth: number, draft: Draft): Expr {
  const cond = isPositive(drawn(depth, draft));
  return ifElse(cond, inside(depth, draft), inside(depth, draft));
}

function named(depth: number, draft: Draft): Expr {
  const name = variable('a', MATRIX);
  return letIn(name, drawn(depth, draft), inside(depth, draft, name));
}

/** A let that states the rows of a value; most such checks hold. */
function checked(depth: number, draft: Draft): Expr {
  const { choices, free } = draft;
  const before = variable('b', MATRIX);
  const sized = variable('c', choices.chance(0.9) ? FITS : FAILS);
  const row = call(opRef('sum'), [sized], { attrs: { axis: [0] } });
  const after = op('add', inside(depth, draft, before), row);
  return letIn(before, drawn(depth, draft), letIn(sized, free, after));
}

function field(depth: number, draft: Draft): Expr {
  if (draft.choices.chance(0.5)) {
    const pair = tuple([drawn(depth, draft), drawn(depth, draft)]);
    return tupleGetItem(pair, draft.choices.int(0, 1));
  }
  const halves = call(opRef('split'), [drawn(depth, draft)], {
    attrs: { indices_or_sections: 2, axis: 1 },
  });
  const swapped = tuple([tupleGetItem(halves, 1), tupleGetItem(halves, 0)]);
  return call(opRef('concatenate'), [swapped], { attrs: { axis: 1 } });
}

/** The function ends with the call of a kernel, or with other values; it may run twice. */
function calledTwice(depth: number, draft: Draft): Expr {
  const parameter = variable('p', MATRIX);
  const body = inside(depth, draft, parameter);
  const ends = draft.choices.chance(0.5) ? body : op('subtract', body, parameter);
  const f = variable('f');
  const once = call(f, [drawn(depth, draft)]);
  const result = draft.choices.chance(0.5) ? op('add', once, call(f, [once])) : once;
  return letIn(f, func([parameter], ends, { retType: MATRIX }), result);
}

function kernel(depth: number, draft: Draft): Expr {
  const [p, q] = ['p', 'q'].map((name) => variable(name, MATRIX)) as [Var, Var];
  const { choices } = draft;
  const body = op(choices.pick(BINARY), op(choices.pick(UNARY), p), q);
  const fused = func([p, q], body, { retType: MATRIX, attrs: { Primitive: 1 } });
  return call(fused, [drawn(depth, draft), drawn(depth, draft)]);
}

/** A cell that is read before and after it is written. */
function cell(depth: number, draft: Draft): Expr {
  const r = variable('r');
  const before = variable('s');
  const first = op('add', refRead(r), drawn(depth, draft));
  const rest = op('maximum', refRead(r), before);
  const written = letIn(variable('u'), refWrite(r, inside(depth, draft, before)), rest);
  return letIn(r, refCreate(drawn(depth, draft)), letIn(before, first, written));
}

/** A value that no part needs before one of two branches runs. */
function demanded(depth: number, draft: Draft): Expr {
  const late = op(draft.choices.pick(BINARY), drawn(depth, draft), drawn(depth, draft));
  const cond = isPositive(drawn(depth, draft));
  const one = op('negative', inside(depth, draft, late));
  return op('add', ifElse(cond, one, op('abs', late)), late);
}
