/**
 * FoldExplicitPadding: pads inside convolutions and pools.
 * [passes §23](https://batonjs.github.io/baton/spec/passes#23).
 */
import { mergeSpans } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  type Call,
  call,
  type Expr,
  type IRModule,
  mapChildren,
} from '@baton/ir';
import {
  isCallOf,
  isOpCall,
  numbersOf,
  type OpCall,
  type OwnPadding,
  operandOf,
  ownPaddingColumn,
} from '@baton/ops';
import {
  type Count,
  inferType,
  isDecidedByCallers,
  type OperatorRow,
  operatorRow,
  type Pass,
  rewriteFunc,
  rewritingPass,
} from '@baton/pass-manager';
import { dtypeInfo, readNumber, type Tensor } from '@baton/tensor';
import { constantOf } from './facts.ts';
import { operatorRows } from './operator-rows.ts';

const ROWS = [
  'mean that now counts padding',
  'kept: rounds up',
  'kept: not a constant',
  'kept: another mode',
  'kept: not spatial',
  'kept: another value',
  'kept: padding that does not count',
  'kept: windows of padding',
] as const;

type Row = (typeof ROWS)[number] | OperatorRow;

/** The reason why a pad stays. */
type Reason = Extract<Row, `kept: ${string}`>;

/**
 * Writes each `nn.pad` that feeds a convolution or a pool as the padding of that:
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
export const foldExplicitPadding: Pass = rewritingPass({
  name: 'FoldExplicitPadding',
  doc: 'Merges pads into the convolutions and pools that they feed.',
  level: 0,
  requires: [inferType],
  rows: ROWS,
  operatorRows: operatorRows(ownPaddingColumn),
  isIdempotent: true,
  // A padded cell is left out, unlike a zero times the weight.
  needs: ['nsz', 'nnan', 'ninf'],
  run: (f, m, { count }) =>
    rewriteFunc(f, m, (node, get) => {
      const made = mapChildren(node, get);
      return isOpCall(made) ? foldedWhole(made, m, count) : made;
    }),
});

/** The call with all consecutive pads that feed it as its own padding. */
function foldedWhole(node: OpCall, m: IRModule, count: Count<Row>): Call {
  let current: Call = node;
  while (isOpCall(current)) {
    const next = folded(current, m, count);
    if (next === current) return current;
    current = next;
  }
  return current;
}

function folded(node: OpCall, m: IRModule, count: Count<Row>): Call {
  const { name } = node.op;
  const op = m.ops.read(ownPaddingColumn, name);
  const [data, ...others] = node.args;
  if (op === undefined || !isCallOf(data, 'nn.pad')) return node;
  if (isDecidedByCallers(m, node) || isDecidedByCallers(m, data)) return node;
  const keep = (reason: Reason): Call => {
    count(reason);
    return node;
  };
  const { attrs } = node;
  if (attrs.ceil_mode === true) return keep('kept: rounds up');
  const pad = constantPad(data, String(attrs[op.layout]));
  if (typeof pad === 'string') return keep(pad);
  const rank = pad.before.length;
  const old = paddingLists(attrs.padding, rank);
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
  count(operatorRow(name));
  const span = mergeSpans(node.span, data.span);
  return call(node.op, [pad.data, ...others], { ...node, attrs: next, span });
}

/** A pad with a constant, on spatial axes only. */
interface ConstantPad {
  readonly data: Expr;
  readonly value: Tensor;
  readonly before: ReadonlyArray<number>;
  readonly after: ReadonlyArray<number>;
}

function constantPad(pad: OpCall, layout: string): ConstantPad | Reason {
  const [data, value] = [operandOf(pad, 0), constantOf(operandOf(pad, 1))];
  if (pad.attrs.pad_mode !== 'constant') return 'kept: another mode';
  if (value === undefined) return 'kept: not a constant';
  const widths = listOf(pad.attrs.pad_width);
  // Letters in order; lower-case ones are blocks.
  const axes = [...layout.replace(/\d+/g, '')];
  if (axes.some((axis) => 'dhw'.includes(axis))) return 'kept: not spatial';
  const widthsOf = (axis: string): ReadonlyArray<number> => numbersOf(widths[axes.indexOf(axis)]);
  const spatial = [...SPATIAL].filter((axis) => axes.includes(axis)).map(widthsOf);
  const others = axes.filter((axis) => !SPATIAL.includes(axis)).flatMap(widthsOf);
  if (others.some((width) => width !== 0) || spatial.flat().some((width) => width < 0)) {
    return 'kept: not spatial';
  }
  const onSide = (side: 0 | 1): ReadonlyArray<number> => spatial.map((pair) => pair[side] ?? 0);
  return { data, value, before: onSide(0), after: onSide(1) };
}

const SPATIAL = 'DHW';

const listOf = (list: AttrValue | undefined): ReadonlyArray<AttrValue> =>
  Array.isArray(list) ? list : [];

/** All befores, then all afters: one width for all sides, one for each axis, or all of them. */
function paddingLists(padding: AttrValue | undefined, rank: number): ReadonlyArray<number> {
  const widths = numbersOf(padding);
  return Array.from({ length: 2 * rank }, (_, i) => widths[i % widths.length] ?? 0);
}

/** Whether the operator's own padding equals this value. */
function padsWith(op: OwnPadding, value: Tensor): boolean {
  const number = readNumber(value, 0);
  if (op.kind !== 'maximum') return number === 0;
  return number === Number(dtypeInfo(value.dtype).min) || number === Number.NEGATIVE_INFINITY;
}

/** Whether every window holds a cell that is not padding. */
function staysInside(padding: ReadonlyArray<number>, attrs: Attrs, rank: number): boolean {
  const [sizes, dilation] = [numbersOf(attrs.pool_size), numbersOf(attrs.dilation)];
  return padding.every((width, i) => {
    const [cells = 1, step = 1] = [sizes[i % rank], dilation[i % rank]];
    return width <= (cells - 1) * step;
  });
}
