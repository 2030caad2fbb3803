/** Small random programs of shared calls on tensors, as data that a property test can shrink. */
import {
  constant,
  type Expr,
  func,
  type IRModule,
  ifElse,
  irModule,
  letIn,
  tensorType,
  tuple,
  tupleGetItem,
  variable,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { scalar, tensor } from '@baton/tensor';
import fc from 'fast-check';

/** One more value: which kind of call, on which of the values so far, with which constant. */
export interface Step {
  readonly kind: number;
  readonly left: number;
  readonly right: number;
  readonly choice: number;
}

/** Programs of up to 24 steps. */
export const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.record({ kind: fc.nat(999), left: fc.nat(99), right: fc.nat(99), choice: fc.nat(99) }),
  { maxLength: 24 },
);

const op = (name: string, args: ReadonlyArray<Expr>, attrs = {}): Expr =>
  callOp(standardOps, name, args, attrs);

interface Value {
  readonly expr: Expr;
  readonly shape: ReadonlyArray<number>;
}

const SHAPE = [2, 3, 3, 2];
const UNARY = ['nn.relu', 'tanh', 'negative', 'sigmoid', 'abs', 'copy'];
const BINARY = ['add', 'multiply', 'subtract', 'maximum'];
const SCALARS = [0, 1, -1, 0.5, 2, -0.25];
const PERMUTATIONS = [
  [0, 2, 3, 1],
  [0, 3, 1, 2],
  [3, 2, 1, 0],
  [0, 1, 2, 3],
  [1, 0, 2, 3],
];
const DTYPES = ['float64', 'float32'];

const pick = <A>(list: ReadonlyArray<A>, at: number): A => list[at % list.length] as A;

/** A constant: a scalar, one value for each channel, or one with every axis of size 1. */
function someConstant(shape: ReadonlyArray<number>, choice: number): Expr {
  const value = (i: number): number => pick(SCALARS, choice + i);
  switch (choice % 4) {
    case 0:
      return constant(scalar(value(1), 'float32'));
    case 1: {
      const channels = shape[1] ?? 1;
      const data = Array.from({ length: channels }, (_, i) => value(i));
      return constant(tensor(data, [channels, 1, 1], 'float32'));
    }
    case 2: {
      const last = shape[3] ?? 1;
      const data = Array.from({ length: last }, (_, i) => value(i));
      return constant(tensor(data, [last], 'float32'));
    }
    default:
      return constant(tensor([value(2)], [1, 1, 1, 1], 'float32'));
  }
}

const STEPS: ReadonlyArray<(a: Value, b: Value, choice: number) => Value> = [
  (a, _b, choice) => ({ ...a, expr: op(pick(UNARY, choice), [a.expr]) }),
  ...[0, 1].map((_) => (a: Value, _b: Value, choice: number) => {
    const c = someConstant(a.shape, choice >> 1);
    const args = choice % 2 === 0 ? [a.expr, c] : [c, a.expr];
    return { ...a, expr: op(pick(BINARY, choice >> 2), args) };
  }),
  (a, b, choice) => {
    if (a.shape.join() !== b.shape.join()) return a;
    return { ...a, expr: op(pick(BINARY, choice), [a.expr, b.expr]) };
  },
  (a, _b, choice) => {
    const axes = pick(PERMUTATIONS, choice);
    return {
      shape: axes.map((axis) => a.shape[axis] ?? 1),
      expr: op('transpose', [a.expr], { axes }),
    };
  },
  (a, _b, choice) => {
    const sorted = [...a.shape].sort((n, k) => n - k);
    const shape = choice % 2 === 0 ? [...a.shape].reverse() : sorted;
    return { shape, expr: op('reshape', [a.expr], { newshape: shape }) };
  },
  (a, _b, choice) => {
    const wide = op('cast', [a.expr], { dtype: pick(DTYPES, choice) });
    return { ...a, expr: op('cast', [wide], { dtype: 'float32' }) };
  },
  (a, b, choice) => {
    if (a.shape.join() !== b.shape.join()) return a;
    const joined = op('concatenate', [tuple([a.expr, b.expr])], { axis: choice % 4 });
    const parts = op('split', [joined], { indices_or_sections: 2, axis: choice % 4 });
    return { ...a, expr: tupleGetItem(parts, choice % 2) };
  },
  (a) => ({ ...a, expr: op('add', [a.expr, op('sum', [a.expr], { axis: [1], keepdims: true })]) }),
  (a, b, choice) => {
    if (a.shape.join() !== b.shape.join()) return a;
    const cond = constant(scalar(choice % 2, 'bool'));
    return { ...a, expr: ifElse(cond, op('nn.relu', [a.expr]), b.expr) };
  },
  (a) => {
    const v = variable('v');
    return { ...a, expr: letIn(v, a.expr, op('multiply', [v, v])) };
  },
  (a, _b, choice) => {
    const weights = tensor(
      Array.from({ length: 2 * (a.shape[1] ?? 1) }, (_, i) => pick(SCALARS, choice + i)),
      [2, a.shape[1] ?? 1, 1, 1],
      'float32',
    );
    const [n = 1, , h = 1, w = 1] = a.shape;
    const conv = op('nn.conv2d', [a.expr, constant(weights)], { kernel_size: [1, 1], channels: 2 });
    return { shape: [n, 2, h, w], expr: conv };
  },
];

/** `main(x, y)` over tensors of shape (2, 3, 3, 2), which gives the last values as a tuple. */
export function randomProgram(list: ReadonlyArray<Step>): IRModule {
  const x = variable('x', tensorType(SHAPE, 'float32'));
  const y = variable('y', tensorType(SHAPE, 'float32'));
  const values: Value[] = [
    { expr: x, shape: SHAPE },
    { expr: y, shape: SHAPE },
  ];
  for (const { kind, left, right, choice } of list) {
    // Late values are the likelier: chains grow long.
    const recent = values.slice(-4);
    const step = pick(STEPS, kind);
    values.push(step(pick(recent, left), pick(values, right), choice));
  }
  const body = tuple(values.slice(-3).map(({ expr }) => expr));
  return irModule({ functions: new Map([['main', func([x, y], body)]]), ops: standardOps });
}
