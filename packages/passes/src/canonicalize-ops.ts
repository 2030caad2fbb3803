/**
 * CanonicalizeOps: gives operators with two spellings one of them.
 * [passes §20](https://batonjs.github.io/baton/spec/passes#20).
 */

import { aBoolean } from '@baton/base';
import { type Expr, type IRModule, noAttrs, typeOf } from '@baton/ir';
import {
  callOp,
  channelAxis,
  dimsOf,
  expandToAxes,
  isCallOf,
  type OpCall,
  operandOf,
} from '@baton/ops';
import {
  type Count,
  inferType,
  isDecidedByCallers,
  refinedBy,
  rewritingPass,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from './configurable.ts';
import { constantOf } from './facts.ts';

const ROWS = ['bias on the last axis', 'bias on an inner axis'] as const;

type Row = (typeof ROWS)[number];

/** The options of CanonicalizeOps. */
export interface CanonicalizeOpsOptions {
  /** Leaves biases that are not constants: one more call would lay them along their axis. */
  readonly constantsOnly?: boolean;
}

/**
 * Writes biases as sums:
 *
 * ```
 * nn.bias_add(%x, %b)   =>   add(%x, expand_dims(%b, axis=1, num_newaxis=2))
 * ```
 *
 * **Complexity** linear in the function.
 */
export const canonicalizeOps: ConfigurablePass<CanonicalizeOpsOptions> = configurable(
  { constantsOnly: aBoolean },
  (options) =>
    rewritingPass({
      name: 'CanonicalizeOps',
      doc: 'Writes biases as sums.',
      level: 3,
      requires: [inferType],
      rows: ROWS,
      isIdempotent: true,
      run: (f, m, context) =>
        refinedBy(
          f,
          m,
          context.count,
          (count) => (node, get) =>
            isCallOf(node, 'nn.bias_add') ? biasAsSum(node, m, options, get, count) : undefined,
        ),
    }),
);

function biasAsSum(
  node: OpCall,
  m: IRModule,
  options: CanonicalizeOpsOptions,
  get: (node: Expr) => Expr,
  count: Count<Row>,
): Expr | undefined {
  const [x, bias] = [operandOf(node, 0), operandOf(node, 1)];
  const rank = dimsOf(typeOf(m, x))?.length;
  if (rank === undefined || isDecidedByCallers(m, node)) return undefined;
  if (options.constantsOnly === true && constantOf(bias) === undefined) return undefined;
  const at = channelAxis(node.attrs, rank);
  count(at === rank - 1 ? 'bias on the last axis' : 'bias on an inner axis');
  const laid = expandToAxes(m.ops, get(bias), rank, [at], node.span);
  return callOp(m.ops, 'add', [get(x), laid], noAttrs, node.span);
}
