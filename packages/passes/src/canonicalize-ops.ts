/**
 * CanonicalizeOps: writes operators that are spelled in two ways in one.
 * [passes §20](https://batonjs.github.io/baton/spec/passes#20).
 */

import { aBoolean, right } from '@baton/base';
import {
  children,
  type Expr,
  type Func,
  type IRModule,
  noAttrs,
  typeOf,
  withChildren,
} from '@baton/ir';
import {
  callOp,
  channelAxis,
  dimsOf,
  expandToAxes,
  isCallOf,
  type OpCall,
  operandOf,
} from '@baton/ops';
import { type Count, functionPass } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from './configurable.ts';
import { constantOf } from './facts.ts';
import { withBody } from './forward-rewrite.ts';
import { inferType } from './infer-type.ts';
import { isDecidedByCallers, type MustKeep, refined, withTypeOf } from './keep-type.ts';
import { isOpaque, visibleIn } from './visible.ts';

const ROWS = ['bias on the last axis', 'bias on an inner axis'] as const;

type Row = (typeof ROWS)[number];

/** The choices of CanonicalizeOps. */
export interface CanonicalizeOpsOptions {
  /** Leaves biases that are not constants: laying them along their axis would be one more call. */
  readonly constantsOnly?: boolean;
}

/**
 * The function with biases as sums:
 *
 * ```
 * nn.bias_add(%x, %b)   =>   add(%x, expand_dims(%b, axis=1, num_newaxis=2))
 * ```
 *
 * **Complexity** linear in the function.
 */
export const canonicalizeBiases = (
  f: Func,
  m: IRModule,
  options: CanonicalizeOpsOptions,
  count: Count<Row>,
): Func =>
  refined(f, m, count, (mustKeep, counted) => canonicalized(f, m, options, mustKeep, counted));

function canonicalized(
  f: Func,
  m: IRModule,
  options: CanonicalizeOpsOptions,
  mustKeep: MustKeep,
  count: Count<Row>,
): Func {
  const results = new Map<Expr, Expr>();
  const resultOf = (node: Expr): Expr => results.get(node) ?? node;
  for (const node of visibleIn(f.body, m).order) {
    const isBias = isCallOf(node, 'nn.bias_add');
    const sum = isBias ? biasAsSum(node, m, options, resultOf, count) : undefined;
    if (sum === undefined) results.set(node, withChildren(node, children(node).map(resultOf)));
    else results.set(node, mustKeep(node, sum) ? withTypeOf(m, node, sum) : sum);
  }
  return withBody(f, resultOf(f.body));
}

/** Writes biases as sums; see {@link canonicalizeBiases}. */
export const canonicalizeOps: ConfigurablePass<CanonicalizeOpsOptions> = configurable(
  { constantsOnly: aBoolean },
  (options) =>
    functionPass({
      name: 'CanonicalizeOps',
      doc: 'Writes biases as sums.',
      level: 3,
      requires: [inferType],
      rows: ROWS,
      isIdempotent: true,
      run: (f, m, { count }) => right(isOpaque(f) ? f : canonicalizeBiases(f, m, options, count)),
    }),
);

function biasAsSum(
  node: OpCall,
  m: IRModule,
  options: CanonicalizeOpsOptions,
  resultOf: (node: Expr) => Expr,
  count: Count<Row>,
): Expr | undefined {
  const [x, bias] = [operandOf(node, 0), operandOf(node, 1)];
  const rank = dimsOf(typeOf(m, x))?.length;
  if (rank === undefined || isDecidedByCallers(m, node)) return undefined;
  if (options.constantsOnly === true && constantOf(bias) === undefined) return undefined;
  const at = channelAxis(node.attrs, rank);
  count(at === rank - 1 ? 'bias on the last axis' : 'bias on an inner axis');
  const laid = expandToAxes(m.ops, resultOf(bias), rank, [at], node.span);
  return callOp(m.ops, 'add', [resultOf(x), laid], noAttrs, node.span);
}
