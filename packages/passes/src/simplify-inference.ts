/**
 * SimplifyInference: spells out normalizations and drops dropout.
 * [passes §6](https://batonjs.github.io/baton/spec/passes#6).
 */
import { aBoolean, mergeSpans, right } from '@baton/base';
import {
  type Call,
  children,
  type Expr,
  type Func,
  type IRModule,
  isStateful,
  type TupleGetItem,
  typeOf,
  withChildren,
} from '@baton/ir';
import {
  type Decomposition,
  dataFacts,
  decompositionColumn,
  isCallOf,
  isOpCall,
  type OpCall,
  operandOf,
} from '@baton/ops';
import { type Count, functionPass } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from './configurable.ts';
import { foldedNormalizations } from './fold-scale-axis/folded-normalizations.ts';
import { withBody } from './forward-rewrite.ts';
import { inferType } from './infer-type.ts';
import { isDecidedByCallers, type MustKeep, refined, withTypeOf } from './keep-type.ts';
import { countOperator, operatorRows } from './operator-rows.ts';
import { isOpaque, visibleIn } from './visible.ts';

const OPERATORS = operatorRows(decompositionColumn);

const ROWS = [
  ...OPERATORS,
  'scale: yes',
  'scale: no',
  'center: yes',
  'center: no',
  'kept: another field',
  'kept: stateful arguments',
  'kept: whole',
] as const;

type Row = (typeof ROWS)[number];

/** The choices of SimplifyInference. */
export interface SimplifyInferenceOptions {
  /** Drops dropout and leaves every normalization whole. */
  readonly dropoutOnly?: boolean;
  /**
   * Spells out those batch normalizations alone that FoldScaleAxis moves into weights that are
   * constants, or SimplifyExpr merges with what is beside them.
   */
  readonly foldedOnly?: boolean;
}

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
export const simplifyNormalizations = (
  f: Func,
  m: IRModule,
  options: SimplifyInferenceOptions,
  count: Count<Row>,
): Func =>
  refined(f, m, count, (mustKeep, counted) => simplified(f, m, options, mustKeep, counted));

function simplified(
  f: Func,
  m: IRModule,
  options: SimplifyInferenceOptions,
  mustKeep: MustKeep,
  count: Count<Row>,
): Func {
  const isSpelledOut = chosen(f, m, options);
  const results = new Map<Expr, Expr>();
  // Several projections of one call share what it is spelled out as.
  const firstFields = new Map<Call, Expr | undefined>();
  const resultOf = (node: Expr): Expr => results.get(node) ?? node;

  const decompositionOf = (node: Expr, of: Decomposition['of']): Decomposition | undefined => {
    const known = isOpCall(node) ? m.ops.read(decompositionColumn, node.op.name) : undefined;
    return known?.of === of ? known : undefined;
  };
  const spelled = (node: OpCall, { spell }: Decomposition, by: Expr): Expr | undefined => {
    const data = dataFacts(typeOf(m, operandOf(node, 0)));
    if (data === undefined || isDecidedByCallers(m, node)) return undefined;
    if (!isSpelledOut(node)) {
      count('kept: whole');
      return undefined;
    }
    // The spelling has another order of evaluation, and may do without an argument.
    if (node.args.some((arg, at) => at > 0 && isStateful(m, arg))) {
      count('kept: stateful arguments');
      return undefined;
    }
    const { attrs } = node;
    const args = node.args.map(resultOf);
    const span = mergeSpans(node.span, by.span);
    const result = spell({ ops: m.ops, attrs, args, data, span });
    if (result === undefined) return undefined;
    countOperator(OPERATORS, count, node.op.name);
    if (attrs.scale !== undefined) count(attrs.scale === true ? 'scale: yes' : 'scale: no');
    if (attrs.center !== undefined) count(attrs.center === true ? 'center: yes' : 'center: no');
    return result;
  };
  const firstField = (node: TupleGetItem): Expr | undefined => {
    const of = node.tuple;
    const known = decompositionOf(of, 'first field');
    if (!isOpCall(of) || known === undefined) return undefined;
    if (node.index !== 0) {
      count('kept: another field');
      return undefined;
    }
    if (!firstFields.has(of)) firstFields.set(of, spelled(of, known, node));
    return firstFields.get(of);
  };
  const replacement = (node: Expr): Expr | undefined => {
    if (node._tag === 'TupleGetItem') return firstField(node);
    const known = decompositionOf(node, 'result');
    return isOpCall(node) && known !== undefined ? spelled(node, known, node) : undefined;
  };

  for (const node of visibleIn(f.body, m).order) {
    const made = replacement(node);
    if (made === undefined) results.set(node, withChildren(node, children(node).map(resultOf)));
    else results.set(node, mustKeep(node, made) ? withTypeOf(m, node, made) : made);
  }
  return withBody(f, resultOf(f.body));
}

/** Spells out normalizations; see {@link simplifyNormalizations}. */
export const simplifyInference: ConfigurablePass<SimplifyInferenceOptions> = configurable(
  { dropoutOnly: aBoolean, foldedOnly: aBoolean },
  (options) =>
    functionPass({
      name: 'SimplifyInference',
      doc: 'Spells out normalizations as arithmetic and drops dropout.',
      level: 0,
      requires: [inferType],
      rows: ROWS,
      isIdempotent: true,
      needs: ['nsz', 'nnan', 'ninf', 'reassoc', 'arcp'],
      run: (f, m, { count }) =>
        right(isOpaque(f) ? f : simplifyNormalizations(f, m, options, count)),
    }),
);

/** Whether the options want a call spelled out. */
function chosen(
  f: Func,
  m: IRModule,
  { dropoutOnly, foldedOnly }: SimplifyInferenceOptions,
): (call: Call) => boolean {
  const isDropout = (call: Call): boolean => isCallOf(call, 'nn.dropout');
  if (dropoutOnly === true) return isDropout;
  if (foldedOnly !== true) return () => true;
  const folded = foldedNormalizations(f, m, { constantsOnly: true });
  return (call) => isDropout(call) || folded.has(call);
}
