/**
 * SimplifyInference: spells out normalizations and drops dropout.
 * [passes §6](https://batonjs.github.io/baton/spec/passes#6).
 */
import { aBoolean, mergeSpans } from '@baton/base';
import {
  type Call,
  type Expr,
  type Func,
  type IRModule,
  isStateful,
  type Step,
  typeOf,
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
import {
  type Count,
  inferType,
  isDecidedByCallers,
  type OperatorRow,
  operatorRow,
  refinedBy,
  rewritingPass,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from './configurable.ts';
import { foldedNormalizations } from './fold-scale-axis/folded-normalizations.ts';
import { operatorRows } from './operator-rows.ts';

const ROWS = [
  'scale: yes',
  'scale: no',
  'center: yes',
  'center: no',
  'kept: another field',
  'kept: stateful arguments',
  'kept: whole',
] as const;

type Row = (typeof ROWS)[number] | OperatorRow;

/** The options of SimplifyInference. */
export interface SimplifyInferenceOptions {
  /** Drops dropout and leaves every normalization whole. */
  readonly dropoutOnly?: boolean;
  /**
   * Spells out only those batch normalizations that FoldScaleAxis moves into constant weights, or
   * SimplifyExpr merges with their neighbours.
   */
  readonly foldedOnly?: boolean;
}

/**
 * Spells out normalizations as arithmetic:
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
export const simplifyInference: ConfigurablePass<SimplifyInferenceOptions> = configurable(
  { dropoutOnly: aBoolean, foldedOnly: aBoolean },
  (options) =>
    rewritingPass({
      name: 'SimplifyInference',
      doc: 'Spells out normalizations as arithmetic and drops dropout.',
      level: 0,
      requires: [inferType],
      rows: ROWS,
      operatorRows: operatorRows(decompositionColumn),
      isIdempotent: true,
      needs: ['nsz', 'nnan', 'ninf', 'reassoc', 'arcp'],
      run: (f, m, context) => {
        const isChosen = chosen(f, m, options);
        return refinedBy(f, m, context.count, (count) => spelling(m, isChosen, count));
      },
    }),
);

/** The spelled-out forms of results, and of first fields. */
function spelling(m: IRModule, isChosen: (call: Call) => boolean, count: Count<Row>): Step {
  // Several projections of one call share its spelled-out form.
  const firstFields = new Map<Call, Expr | undefined>();
  return (node, get) => {
    const call = node._tag === 'TupleGetItem' ? node.tuple : node;
    const known = isOpCall(call) ? m.ops.read(decompositionColumn, call.op.name) : undefined;
    const of = node._tag === 'TupleGetItem' ? 'first field' : 'result';
    if (!isOpCall(call) || known?.of !== of) return undefined;
    const spell = () => spelledOut(m, call, known, node, get, isChosen, count);
    if (node._tag !== 'TupleGetItem') return spell();
    if (node.index !== 0) {
      count('kept: another field');
      return undefined;
    }
    if (!firstFields.has(call)) firstFields.set(call, spell());
    return firstFields.get(call);
  };
}

/** The spelled-out form of a call for `user`; `undefined` if it has to stay. */
function spelledOut(
  m: IRModule,
  node: OpCall,
  { spell }: Decomposition,
  user: Expr,
  get: (node: Expr) => Expr,
  isChosen: (call: Call) => boolean,
  count: Count<Row>,
): Expr | undefined {
  const data = dataFacts(typeOf(m, operandOf(node, 0)));
  if (data === undefined || isDecidedByCallers(m, node)) return undefined;
  if (!isChosen(node)) {
    count('kept: whole');
    return undefined;
  }
  // The spelling has another order of evaluation, and may leave out an argument.
  if (node.args.some((arg, at) => at > 0 && isStateful(m, arg))) {
    count('kept: stateful arguments');
    return undefined;
  }
  const { attrs } = node;
  const span = mergeSpans(node.span, user.span);
  const result = spell({ ops: m.ops, attrs, args: node.args.map(get), data, span });
  if (result === undefined) return undefined;
  count(operatorRow(node.op.name));
  if (attrs.scale !== undefined) count(attrs.scale === true ? 'scale: yes' : 'scale: no');
  if (attrs.center !== undefined) count(attrs.center === true ? 'center: yes' : 'center: no');
  return result;
}

/** Whether the options choose a call. */
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
