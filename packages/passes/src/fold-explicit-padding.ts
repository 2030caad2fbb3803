/**
 * FoldExplicitPadding: pads inside convolutions and pools.
 * [passes §23](https://batonjs.github.io/baton/spec/passes#23).
 */
import { mergeSpans, right } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  type Call,
  call,
  children,
  type Expr,
  type Func,
  type IRModule,
  withChildren,
} from '@baton/ir';
import { type OwnPadding, ownPaddingColumn } from '@baton/ops';
import { type Count, functionPass, type Pass } from '@baton/pass-manager';
import { dtypeInfo, readNumber, type Tensor } from '@baton/tensor';
import { withBody } from './forward-rewrite.ts';
import { inferType } from './infer-type.ts';
import { isDecidedByCallers } from './keep-type.ts';
import { countOperator, operatorRows } from './operator-rows.ts';
import { isOpaque, visibleIn } from './visible.ts';

const OPERATORS = operatorRows(ownPaddingColumn);

const ROWS = [
  ...OPERATORS,
  'mean that now counts padding',
  'kept: rounds up',
  'kept: not a constant',
  'kept: another mode',
  'kept: not spatial',
  'kept: another value',
  'kept: padding that does not count',
  'kept: windows of padding',
] as const;

type Row = (typeof ROWS)[number];

/** Why a pad stays. */
type Reason = Extract<Row, `kept: ${string}`>;

/**
 * The function with each `nn.pad` that feeds a convolution or a pool written as the padding of that:
 *
 * ```
 * nn.conv2d(nn.pad(%x, 0f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]), %w)
 * =>
 * nn.conv2d(%x, %w, padding=[1, 1, 1, 1])
 * ```
 *
 * The pad must be what the operator would pad with: 0, or the least value for a maximum; and only
 * on spatial axes. A mean that leaves padding out takes none but zeros that are counted. Pools that
 * round their size up, and maxima over nothing but padding, are left alone. Other users of the pad
 * keep it.
 *
 * **Complexity** linear in the function.
 */
export function foldPadding(f: Func, m: IRModule, count: Count<Row>): Func {
  const results = new Map<Expr, Expr>();
  const resultOf = (node: Expr): Expr => results.get(node) ?? node;
  for (const node of visibleIn(f.body, m).order) {
    const rebuilt = withChildren(node, children(node).map(resultOf));
    results.set(node, rebuilt._tag === 'Call' ? foldedWhole(rebuilt, m, count) : rebuilt);
  }
  return withBody(f, resultOf(f.body));
}

/** Pads inside convolutions and pools; see {@link foldPadding}. */
export const foldExplicitPadding: Pass = functionPass({
  name: 'FoldExplicitPadding',
  doc: 'Merges pads into the convolutions and pools that they feed.',
  level: 0,
  requires: [inferType],
  rows: ROWS,
  // A padded cell counts as nothing, not as a zero times the weight.
  needs: ['nsz', 'nnan', 'ninf'],
  run: (f, m, { count }) => right(isOpaque(f) ? f : foldPadding(f, m, count)),
});

const NO_ATTR: Attrs = {};

/** The call with all the pads that feed it, one after the other, as its own padding. */
function foldedWhole(node: Call, m: IRModule, count: Count<Row>): Call {
  let current = node;
  for (;;) {
    const next = folded(current, m, count);
    if (next === current) return current;
    current = next;
  }
}

function folded(node: Call, m: IRModule, count: Count<Row>): Call {
  const [data, ...others] = node.args;
  if (node.op._tag !== 'Op' || !isPad(data)) return node;
  const { name } = node.op;
  const op = m.ops.read(ownPaddingColumn, name);
  if (op === undefined) return node;
  if (isDecidedByCallers(m, node) || isDecidedByCallers(m, data)) return node;
  const keep = (reason: Reason): Call => {
    count(reason);
    return node;
  };
  const attrs = node.attrs ?? NO_ATTR;
  if (attrs.ceil_mode === true) return keep('kept: rounds up');
  const pad = constantPad(data, attrs[op.layout]);
  if (typeof pad === 'string') return keep(pad);
  const rank = pad.before.length;
  const old = paddingLists(attrs.padding, rank);
  if (old === undefined) return node;
  if (!padsWith(op, pad.value)) return keep('kept: another value');
  const padding = [...pad.before, ...pad.after].map((width, i) => width + (old[i] ?? 0));
  const next: Record<string, AttrValue> = { ...attrs, padding };
  if (op.kind === 'mean' && attrs.count_include_pad !== true) {
    if (old.some((width) => width !== 0)) return keep('kept: padding that does not count');
    next.count_include_pad = true;
    count('mean that now counts padding');
  }
  if (op.kind === 'maximum' && !staysInside(padding, attrs, rank)) {
    return keep('kept: windows of padding');
  }
  countOperator(OPERATORS, count, name);
  const span = mergeSpans(node.span, data.span);
  return call(node.op, [pad.data, ...others], { ...node, attrs: next, span });
}

const isPad = (expr: Expr | undefined): expr is Call =>
  expr?._tag === 'Call' && expr.op._tag === 'Op' && expr.op.name === 'nn.pad';

/** A pad with a constant, on spatial axes alone. */
interface ConstantPad {
  readonly data: Expr;
  readonly value: Tensor;
  readonly before: ReadonlyArray<number>;
  readonly after: ReadonlyArray<number>;
}

function constantPad(pad: Call, layout: AttrValue | undefined): ConstantPad | Reason {
  const [data, value] = pad.args;
  const widths = pad.attrs?.pad_width;
  if (pad.attrs?.pad_mode !== 'constant') return 'kept: another mode';
  if (data === undefined || value?._tag !== 'Constant' || value.literal !== undefined) {
    return 'kept: not a constant';
  }
  if (!Array.isArray(widths) || typeof layout !== 'string') return 'kept: not spatial';
  // Letters in order; small ones are blocks.
  const axes = [...layout.replace(/\d+/g, '')];
  if (axes.length !== widths.length || axes.some((axis) => 'dhw'.includes(axis))) {
    return 'kept: not spatial';
  }
  const before = new Map<string, number>();
  const after = new Map<string, number>();
  for (const [i, axis] of axes.entries()) {
    const [first, second] = pairOf(widths[i]);
    if ('DHW'.includes(axis)) {
      if (first < 0 || second < 0) return 'kept: not spatial';
      before.set(axis, first);
      after.set(axis, second);
    } else if (first !== 0 || second !== 0) return 'kept: not spatial';
  }
  const inOrder = (of: ReadonlyMap<string, number>): ReadonlyArray<number> =>
    ['D', 'H', 'W'].map((axis) => of.get(axis)).filter((width) => width !== undefined);
  return { data, value: value.data, before: inOrder(before), after: inOrder(after) };
}

const pairOf = (pair: AttrValue | undefined): readonly [number, number] =>
  Array.isArray(pair) ? [Number(pair[0]), Number(pair[1])] : [0, 0];

/** All befores, then all afters: one width for all sides, one for each axis, or all of them. */
function paddingLists(
  padding: AttrValue | undefined,
  rank: number,
): ReadonlyArray<number> | undefined {
  if (!Array.isArray(padding)) return undefined;
  const widths = padding.filter((width) => typeof width === 'number');
  if (widths.length === 1) return new Array<number>(2 * rank).fill(widths[0] ?? 0);
  if (widths.length === rank) return [...widths, ...widths];
  return widths.length === 2 * rank ? widths : undefined;
}

/** Whether the operator's own padding counts as this value. */
function padsWith(op: OwnPadding, value: Tensor): boolean {
  const number = readNumber(value, 0);
  if (op.kind !== 'maximum') return number === 0;
  return number === Number(dtypeInfo(value.dtype).min) || number === Number.NEGATIVE_INFINITY;
}

/** Whether every window holds a cell that is not padding. */
function staysInside(padding: ReadonlyArray<number>, attrs: Attrs, rank: number): boolean {
  const { pool_size: size, dilation } = attrs;
  if (!Array.isArray(size)) return false;
  return padding.every((width, i) => {
    const step = Array.isArray(dilation) ? dilation[i % rank] : 1;
    const cells = size[i % rank] ?? size[0];
    return width <= (Number(cells) - 1) * Number(step ?? 1);
  });
}
