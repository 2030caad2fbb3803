/** Programs of a given size, which every stage must handle in linear time. */
import { mulberry32 } from '@baton/base';
import { globalVar } from '@baton/ir';
import { callOp } from '@baton/ops';
import { scalar } from '@baton/tensor';
import {
  call,
  constant,
  type Expr,
  type Func,
  func,
  type IRModule,
  irModule,
  letIn,
  standardOps,
  tensorType,
  variable,
} from 'batonjs';

/** A program at two sizes. */
export interface SizedProgram {
  readonly name: string;
  readonly build: (size: number) => IRModule;
  readonly sizes: readonly [small: number, large: number];
}

const moduleOf = (body: (x: Expr) => Expr): IRModule => {
  const x = variable('x', tensorType([2], 'float32'));
  return irModule({ ops: standardOps, functions: new Map([['main', func([x], body(x))]]) });
};

const one = constant(scalar(1, 'float32'));

/** `add(add(.. add(x, 1) .., 1), 1)`. */
const chainOfCalls = (size: number): IRModule =>
  moduleOf((x) => {
    let top = x;
    for (let i = 0; i < size; i++) top = callOp(standardOps, 'add', [top, one]);
    return top;
  });

/** `let a1 = a0 + 1; let a2 = a1 + 1; ..; an`. */
const nestedLets = (size: number): IRModule =>
  moduleOf((x) => {
    const vars = [x];
    for (let i = 1; i <= size; i++) {
      vars.push(variable(`a${i}`, tensorType([2], 'float32')));
    }
    let body = vars[size] as Expr;
    for (let i = size; i >= 1; i--) {
      const binder = vars[i] as Expr;
      if (binder._tag !== 'Var') continue;
      body = letIn(binder, callOp(standardOps, 'add', [vars[i - 1] as Expr, one]), body);
    }
    return body;
  });

/** `t1 = x · x; t2 = t1 · t1; ..`: 2ⁿ paths, n nodes. */
const diamondLadder = (levels: number): IRModule =>
  moduleOf((x) => {
    let top = x;
    for (let i = 0; i < levels; i++) top = callOp(standardOps, 'maximum', [top, top]);
    return top;
  });

/** Alternately a `tanh` of the last value, and a sum of it and of a value some way before it. */
const graph = (size: number): IRModule =>
  moduleOf((x) => {
    const random = mulberry32(size);
    const made: Expr[] = [x];
    for (let i = 0; i < size; i++) {
      const last = made[i] as Expr;
      const other = made[i - Math.floor(random() * Math.min(i + 1, REACH))] as Expr;
      const isSum = i % 2 === 1;
      made.push(
        isSum ? callOp(standardOps, 'add', [last, other]) : callOp(standardOps, 'tanh', [last]),
      );
    }
    return made[size] as Expr;
  });

/** How far before it a call of {@link graph} takes an operand. */
const REACH = 64;

/** Functions each of which calls the next one, and adds 1. */
const chainOfFunctions = (size: number): IRModule => {
  const functions = new Map<string, Func>();
  for (let i = 0; i < size; i++) {
    const x = variable('x', tensorType([2], 'float32'));
    const next = i + 1 < size ? call(globalVar(`f${i + 1}`), [x]) : x;
    functions.set(i === 0 ? 'main' : `f${i}`, func([x], callOp(standardOps, 'add', [next, one])));
  }
  return irModule({ ops: standardOps, functions });
};

/** Programs that are long in one way. */
export const SIZED_PROGRAMS: ReadonlyArray<SizedProgram> = [
  { name: 'chain of calls', build: chainOfCalls, sizes: [10_000, 50_000] },
  { name: 'nested lets', build: nestedLets, sizes: [10_000, 50_000] },
  { name: 'diamond ladder', build: diamondLadder, sizes: [10_000, 50_000] },
];

/** A program of any size. */
export interface LargeProgram extends Omit<SizedProgram, 'sizes'> {
  /** The largest size that is measured. */
  readonly most: number;
  /** The nodes for each step of the size. */
  readonly nodes: number;
}

export const LARGE_PROGRAMS: ReadonlyArray<LargeProgram> = [
  { name: 'graph', build: graph, most: 1_000_000, nodes: 1 },
  { name: 'lets', build: nestedLets, most: 1_000_000, nodes: 1 },
  { name: 'functions', build: chainOfFunctions, most: 100_000, nodes: 5 },
];
