/**
 * DenseToSparse: constant weights that are mostly 0 become sparse matrices.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { typeOf } from '@baton/ir';
import { callOp, dimsOf, isCallOf, operandOf } from '@baton/ops';
import { inferType, type Pass, rewriteFunc, rewritingPass } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { constantOf } from '../facts.ts';
import { type SparseOptions, sparseForm } from './blocks.ts';
import { KEPT_COUNTERS, keepsFloat, SPARSE_NEEDS, SPARSE_TYPES } from './counters.ts';

/**
 * Computes layers with sparse weights without the products with zeros:
 *
 * ```
 * nn.dense(%x, w)                        (w is constant, and mostly 0)
 * =>
 * nn.sparse_dense(%x, data, columns, starts)
 * ```
 *
 * The weight is cut into blocks, of which those with an element other than 0 are stored. Weights are
 * constants; a parameter has to be bound first, and one that is transposed folded.
 *
 * **Complexity** linear in the function and the weights.
 * **Source** Relay v0.16, DenseToSparse with `bsr_dense.convert`.
 */
export const denseToSparse: ConfigurablePass<SparseOptions> = configurable(
  SPARSE_TYPES,
  (options): Pass =>
    rewritingPass({
      name: 'DenseToSparse',
      doc: 'Converts weights of dense layers that are mostly 0 to sparse matrices.',
      subject: 'sizes',
      level: 4,
      requires: [inferType],
      needs: SPARSE_NEEDS,
      counters: ['layer', ...KEPT_COUNTERS],
      isIdempotent: true,
      run: (f, m, { count }) =>
        rewriteFunc(f, m, (node, get) => {
          if (!isCallOf(node, 'nn.dense') || !keepsFloat(m, node)) return undefined;
          const [data, weight] = [operandOf(node, 0), constantOf(operandOf(node, 1))];
          const [rows, columns] = weight?.shape ?? [];
          if (weight === undefined || rows === undefined || columns === undefined) return undefined;
          if (dimsOf(typeOf(m, data))?.length !== 2) return undefined;
          const at = (row: number, column: number): number => row * columns + column;
          const found = sparseForm(weight, { rows, columns, at }, options, node.span);
          count(found._tag === 'Kept' ? `kept: ${found.because}` : 'layer');
          if (found._tag === 'Kept') return undefined;
          return callOp(m.ops, 'nn.sparse_dense', [get(data), ...found.args], {}, node.span);
        }),
    }),
);
