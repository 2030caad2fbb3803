/** SimplifyInference: spells out normalizations and drops dropout. passes.md §6. */
import { mergeSpans } from '@baton/base';
import {
  type Call,
  children,
  type Expr,
  type Func,
  type IRModule,
  postOrderExprs,
  type TupleGetItem,
  typeOf,
  withChildren,
} from '@baton/ir';
import { functionPass, type Pass } from '@baton/pass-manager';
import { right } from 'fp-ts/lib/Either.js';
import { withBody } from './forward-rewrite.ts';
import { inferType } from './infer-type.ts';
import {
  batchNorm,
  dataFacts,
  groupNorm,
  instanceNorm,
  l2Normalize,
  layerNorm,
  type Normalization,
} from './normalizations.ts';

type Spelling = (n: Normalization) => Expr | undefined;

/** Operators whose result is spelled out. */
const SPELLINGS: ReadonlyMap<string, Spelling> = new Map([
  ['nn.layer_norm', layerNorm],
  ['nn.instance_norm', instanceNorm],
  ['nn.group_norm', groupNorm],
  ['nn.l2_normalize', l2Normalize],
]);

/** Operators whose result is a tuple, of which field 0 is spelled out. */
const FIRST_FIELD_SPELLINGS: ReadonlyMap<string, Spelling> = new Map([
  ['nn.batch_norm', batchNorm],
  ['nn.dropout', (n: Normalization) => n.args[0]],
]);

/**
 * The function with normalizations spelled out as arithmetic:
 *
 * ```
 * %0 = nn.batch_norm(%x, %g, %b, %m, %v); %0.0
 * =>
 * %0 = add(%v, 1e-05f); %1 = sqrt(%0); %2 = divide(1f, %1); %3 = multiply(%2, %g);
 * %4 = expand_dims(%3, axis=1, num_newaxis=2); %5 = multiply(%x, %4);
 * %6 = negative(%m); %7 = multiply(%6, %3); %8 = add(%7, %b);
 * %9 = expand_dims(%8, axis=1, num_newaxis=2); add(%5, %9)
 * ```
 *
 * Of `nn.batch_norm` and `nn.dropout` only field 0 is rewritten: a use of another keeps the call.
 *
 * **Complexity** linear in the function.
 */
export function simplifyNormalizations(f: Func, m: IRModule): Func {
  const results = new Map<Expr, Expr>();
  // Several projections of one call share what it is spelled out as.
  const firstFields = new Map<Call, Expr | undefined>();
  const resultOf = (node: Expr): Expr => results.get(node) ?? node;

  const spelled = (
    spellings: ReadonlyMap<string, Spelling>,
    node: Call,
    by: Expr,
  ): Expr | undefined => {
    const spelling = node.op._tag === 'Op' ? spellings.get(node.op.name) : undefined;
    const first = node.args[0];
    if (spelling === undefined || first === undefined) return undefined;
    const data = dataFacts(typeOf(m, first));
    if (data === undefined) return undefined;
    return spelling({
      ops: m.ops,
      attrs: node.attrs ?? {},
      args: node.args.map(resultOf),
      data,
      span: mergeSpans(node.span, by.span),
    });
  };
  const firstField = (node: TupleGetItem): Expr | undefined => {
    const of = node.tuple;
    if (of._tag !== 'Call' || node.index !== 0) return undefined;
    if (!firstFields.has(of)) firstFields.set(of, spelled(FIRST_FIELD_SPELLINGS, of, node));
    return firstFields.get(of);
  };
  const replacement = (node: Expr): Expr | undefined => {
    if (node._tag === 'Call') return spelled(SPELLINGS, node, node);
    return node._tag === 'TupleGetItem' ? firstField(node) : undefined;
  };

  for (const node of postOrderExprs([f.body])) {
    const next = replacement(node) ?? withChildren(node, children(node).map(resultOf));
    results.set(node, next);
  }
  return withBody(f, resultOf(f.body));
}

/** Spells out normalizations; see {@link simplifyNormalizations}. */
export const simplifyInference: Pass = functionPass({
  name: 'SimplifyInference',
  doc: 'Spells out normalizations as arithmetic and drops dropout.',
  level: 0,
  requires: [inferType],
  run: (f, m) => right(simplifyNormalizations(f, m)),
});
