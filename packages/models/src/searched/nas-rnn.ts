/** NasRNN as Tensat searches it. */
import {
  type Expr,
  func,
  type IRModule,
  irModule,
  type OpTable,
  tensorType,
  variable,
} from '@baton/ir';
import { draft } from './draft.ts';

const [STEPS, HIDDEN] = [5, 512];

/**
 * Five steps of a recurrent cell that a search found: eight pairs of products, and functions of
 * their sums.
 *
 * **Source** Zoph, Le, Neural Architecture Search with Reinforcement Learning, 2017; sizes of Yang
 * et al., Tensat, 2021.
 */
export function nasRnn(ops: OpTable): IRModule {
  const { op, weight } = draft(ops, 'nasRnn');
  const product = (x: Expr): Expr => op('nn.matmul', [x, weight([HIDDEN, HIDDEN])]);
  const unary = (name: string) => (x: Expr) => op(name, [x]);
  const binary = (name: string) => (x: Expr, y: Expr) => op(name, [x, y]);
  const add = binary('add');
  const mul = binary('multiply');
  const relu = unary('nn.relu');
  const sigmoid = unary('sigmoid');
  const tanh = unary('tanh');
  const step = (state: Expr, x: Expr): Expr => {
    const t = Array.from({ length: 8 }, () => add(product(x), product(state)));
    const sum = (i: number): Expr => t[i] as Expr;
    const gate = add(
      sigmoid(add(sigmoid(sum(1)), tanh(sum(2)))),
      tanh(mul(sigmoid(sum(4)), tanh(sum(5)))),
    );
    const value = mul(
      tanh(add(relu(sum(0)), sigmoid(sum(3)))),
      tanh(mul(sigmoid(sum(6)), relu(sum(7)))),
    );
    return tanh(mul(tanh(gate), tanh(value)));
  };
  const xs = Array.from({ length: STEPS }, (_, i) =>
    variable(`x${i}`, tensorType([1, HIDDEN], 'float32')),
  );
  const last = xs.reduce<Expr>(step, weight([1, HIDDEN]));
  return irModule({ ops, functions: new Map([['main', func(xs, last)]]) });
}
