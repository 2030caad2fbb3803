/** BERT as Tensat searches it. */
import type { Expr, IRModule, OpTable } from '@baton/ir';
import { tuple } from '@baton/ir';
import { dataModule } from '../network.ts';
import { draft } from './draft.ts';

const [TOKENS, WIDTH, HEADS, LAYERS] = [64, 1024, 16, 8];

/**
 * Eight layers with the products of attention, without its softmax; a layer multiplies a product of
 * the one before.
 *
 * **Source** Yang et al., Tensat, 2021: its table of models, and the sizes of its examples.
 */
export function bert(ops: OpTable): IRModule {
  const { op, weight } = draft(ops, 'bert');
  const product = (x: Expr): Expr => op('nn.matmul', [x, weight([WIDTH, WIDTH])]);
  const heads = (x: Expr): Expr => {
    const divided = op('reshape', [x], { newshape: [TOKENS, HEADS, WIDTH / HEADS] });
    return op('transpose', [divided], { axes: [1, 0, 2] });
  };
  return dataModule(ops, [TOKENS, WIDTH], (data) => {
    let x = op('nn.relu', [data]);
    const results: Expr[] = [];
    for (let layer = 0; layer < LAYERS; layer++) {
      const [q, k, v] = [heads(product(x)), heads(product(x)), heads(product(x))];
      const scores = op('nn.batch_matmul', [q, k]);
      const means = op('nn.batch_matmul', [scores, v]);
      const joined = op('transpose', [means], { axes: [1, 0, 2] });
      results.push(op('reshape', [joined], { newshape: [TOKENS, WIDTH] }));
      x = product(x);
    }
    return tuple([...results, x]);
  });
}
