/** A function whose regions between `qnn.dequantize` and `qnn.quantize` are computed on integers. */
import {
  type Attrs,
  call,
  constant,
  type Expr,
  type Func,
  type IRModule,
  type Type,
  tuple,
  tupleGetItem,
  typeOf,
} from '@baton/ir';
import {
  type Affine,
  callOp,
  dimsOf,
  dtypeOf,
  formOf,
  type IntegerArgument,
  type IntegerFields,
  type IntegerSite,
  type Integers,
  isCallOf,
  isOpCall,
  kindColumn,
  type OnIntegers,
  type OpCall,
  onIntegersColumn,
  operandOf,
  quantizedRange,
  type ScaleSite,
  sameAffine,
  scaleAxisColumn,
} from '@baton/ops';
import { type Count, rewriteFunc, visibleIn } from '@baton/pass-manager';
import { type DType, isDType, isFloat, readNumber, type Tensor } from '@baton/tensor';
import { constantOf } from '../facts.ts';

export const COUNTERS = [
  'call on integers',
  'requantized',
  'same quantization',
  'dequantized later',
  'kept: no rule',
  'kept: rule does not apply',
] as const;

/** The counters if only products are computed on integers. */
export const PRODUCT_COUNTERS = [
  'call on integers',
  'dequantized later',
  'same quantization',
  'bounded by the type',
  'kept: no rule',
  'kept: rule does not apply',
] as const;

type Counter = (typeof COUNTERS)[number] | (typeof PRODUCT_COUNTERS)[number];

export interface Quantizing {
  /** Whether calls on integers are dequantized where no `qnn.quantize` follows. */
  readonly useQat: boolean;
  /** Whether only products are computed on integers: their sums are dequantized, the rest stays. */
  readonly productsOnly?: boolean;
  readonly count: Count<Counter>;
  /** Takes a `qnn.quantize`, and the call before it that cannot be computed on integers. */
  readonly refuse: (quantize: OpCall, because: OpCall) => void;
}

/** The facts about a node that depends on integers only. */
interface OnRegion {
  /** Its value in integers. */
  readonly form?: Integers | IntegerFields;
  /** Whether integers are brought within a range that the real numbers may leave. */
  readonly isBounded?: boolean;
  /** The first call that has to be computed with real numbers. */
  readonly refused?: OpCall;
}

interface Region {
  readonly m: IRModule;
  readonly options: Quantizing;
  readonly wanted: Wanted;
  readonly known: Map<Expr, OnRegion>;
  /** The rewritten form of a node. */
  readonly get: (node: Expr) => Expr;
}

/** The function with regions on integers; the same object if there are none. */
export function inIntegers(f: Func, m: IRModule, options: Quantizing): Func {
  const { order } = visibleIn(f.body, m);
  if (!order.some((node) => isCallOf(node, DEQUANTIZE))) return f;
  const wanted = wantedIn(order, m);
  const known = new Map<Expr, OnRegion>();
  return rewriteFunc(
    f,
    m,
    (node, get) => {
      const region: Region = { m, options, wanted, known, get };
      if (isCallOf(node, QUANTIZE)) {
        return options.productsOnly ? shortened(region, node) : quantized(region, node);
      }
      const found = onRegion(region, node);
      if (found === undefined) return undefined;
      known.set(node, found);
      return options.useQat ? dequantized(region, node, found) : undefined;
    },
    order,
  );
}

const QUANTIZE = 'qnn.quantize';
const DEQUANTIZE = 'qnn.dequantize';

/** The quantizations that results are brought to; `'several'` if there is not one. */
type Wanted = ReadonlyMap<Expr, Affine | 'several'>;

/**
 * The quantizations that results are brought to, from users to what they use: through operators that
 * keep a range, a `qnn.quantize` with a known scale says which one. An operator that keeps none
 * needs all numbers.
 */
function wantedIn(order: ReadonlyArray<Expr>, m: IRModule): Wanted {
  const wanted = new Map<Expr, Affine | 'several'>();
  const want = (part: Expr, to: Affine | 'several'): void => {
    const known = wanted.get(part) ?? to;
    const isOne = known !== 'several' && to !== 'several' && sameAffine(known, to);
    wanted.set(part, isOne ? known : 'several');
  };
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const own = wanted.get(node);
    if (isCallOf(node, QUANTIZE)) {
      const to = affineOf(m, node, node.attrs.out_dtype, operandOf(node, 0), (part) => part);
      const isKnown = to?.scale._tag === 'Constant' && to.zero._tag === 'Constant';
      want(operandOf(node, 0), isKnown ? to : 'several');
    } else if (node._tag === 'Tuple' && own !== undefined) {
      for (const field of node.fields) want(field, own);
    } else if (isOpCall(node)) {
      const rule = ruleOf(m, node);
      const to = rule?.keepsRange ? own : rule && 'several';
      if (to !== undefined) for (const arg of node.args) want(arg, to);
    }
  }
  return wanted;
}

const ruleOf = (m: IRModule, { op }: OpCall): OnIntegers<Attrs> | undefined =>
  m.ops.read(onIntegersColumn, op.name);

/** The quantization that a call states about its data; of one number each it has the axis -1. */
function affineOf(
  m: IRModule,
  node: OpCall,
  dtype: unknown,
  data: Expr,
  get: (node: Expr) => Expr,
): Affine | undefined {
  const rank = dimsOf(typeOf(m, data))?.length;
  if (rank === undefined || typeof dtype !== 'string' || !isDType(dtype)) return undefined;
  const parameters = [operandOf(node, 1), operandOf(node, 2)] as const;
  const ranks = parameters.map((part) => rankOf(m, part));
  if (ranks.includes(undefined)) return undefined;
  const along = Number(node.attrs.axis);
  const axis = along < 0 ? along + rank : along;
  const [scale, zero] = parameters;
  return {
    scale: get(scale),
    zero: get(zero),
    axis: ranks.every((of) => of === 0) ? -1 : axis,
    dtype,
  };
}

const rankOf = (m: IRModule, expr: Expr): number | undefined =>
  expr._tag === 'Constant' ? expr.data.shape.length : dimsOf(typeOf(m, expr))?.length;

/** A `qnn.quantize` of what was computed on integers: another quantization of them, or themselves. */
function quantized(region: Region, node: OpCall): Expr | undefined {
  const { m, options, known, get } = region;
  const data = operandOf(node, 0);
  const found = known.get(data);
  if (found?.refused !== undefined) options.refuse(node, found.refused);
  const to = affineOf(m, node, node.attrs.out_dtype, data, get);
  if (found?.form?._tag !== 'Integers' || to === undefined) return undefined;
  const { value, affine } = found.form;
  const isOne = to.axis === -1;
  if (sameAffine(affine, to) && affine.axis === to.axis) {
    options.count('same quantization');
    return value;
  }
  if (!isOne) {
    options.refuse(node, node);
    return undefined;
  }
  options.count('requantized');
  const operands = [value, affine.scale, affine.zero, to.scale, to.zero];
  const attrs = { axis: affine.axis, out_dtype: to.dtype };
  return callOp(m.ops, 'qnn.requantize', operands, attrs, node.span);
}

/** A `qnn.quantize` of integers of the same quantization, also if brought within its bounds. */
function shortened(region: Region, node: OpCall): Expr | undefined {
  const { m, options, known, get } = region;
  const data = operandOf(node, 0);
  const to = affineOf(m, node, node.attrs.out_dtype, data, get);
  if (to === undefined) return undefined;
  const form = known.get(data)?.form;
  if (form?._tag === 'Integers' && form.affine.axis === to.axis && sameAffine(form.affine, to)) {
    options.count('same quantization');
    return form.value;
  }
  let inner = data;
  while (isOpCall(inner) && isAtEnds(inner, to)) inner = operandOf(inner, 0);
  if (inner === data) return undefined;
  options.count('bounded by the type');
  return call(node.op, [get(inner), ...node.args.slice(1).map(get)], node);
}

/** Whether a call brings numbers within bounds that a quantization has, too. */
function isAtEnds({ op, attrs }: OpCall, { scale, zero, dtype }: Affine): boolean {
  const [step, point] = [scale, zero].map((part) => constantOf(part));
  if (step === undefined || point === undefined || step.shape.length + point.shape.length > 0) {
    return false;
  }
  const [size, offset] = [readNumber(step, 0), readNumber(point, 0)];
  const [least, most] = quantizedRange(dtype);
  const integerOf = (bound: unknown): number =>
    Math.round(Math.fround(Number(bound) / size)) + offset;
  if (!(size > 0)) return false;
  if (op.name === 'nn.relu') return offset <= least;
  if (op.name !== 'clip') return false;
  return integerOf(attrs.a_min) <= least && integerOf(attrs.a_max) >= most;
}

/** The value of a node in real numbers, from its value in integers. */
function dequantized(
  { m, options }: Region,
  node: Expr,
  { form, isBounded }: OnRegion,
): Expr | undefined {
  if (form?._tag !== 'Integers' || isBounded) return undefined;
  if (!isOpCall(node) || node.op.name === DEQUANTIZE) return undefined;
  if (options.productsOnly && !isProduct(m, node)) return undefined;
  options.count('dequantized later');
  const { scale, zero, axis } = form.affine;
  return callOp(m.ops, DEQUANTIZE, [form.value, scale, zero], { axis }, node.span);
}

/** The facts about a node; `undefined` if it depends on real numbers without integers. */
function onRegion(region: Region, node: Expr): OnRegion | undefined {
  const { known, get, m, options } = region;
  if (options.productsOnly && !leadsToProduct(m, node)) return undefined;
  switch (node._tag) {
    case 'Tuple': {
      const fields = node.fields.map((field) => known.get(field));
      if (fields.length === 0 || !fields.every((field) => field !== undefined)) return undefined;
      const refused = fields.find((field) => field.refused !== undefined);
      if (refused !== undefined) return refused;
      const forms = fields.map(({ form }) => form).filter((form) => form?._tag === 'Integers');
      if (forms.length < fields.length) return undefined;
      const value = tuple(
        forms.map((form) => form.value),
        node.span,
      );
      const form: IntegerFields = {
        _tag: 'IntegerFields',
        value,
        fields: forms.map(({ affine }) => affine),
      };
      return { form, isBounded: fields.some((field) => field.isBounded) };
    }
    case 'TupleGetItem': {
      const of = known.get(node.tuple);
      const affine = of?.form?._tag === 'IntegerFields' ? of.form.fields[node.index] : undefined;
      if (of?.form === undefined || affine === undefined) return of;
      const value = tupleGetItem(of.form.value, node.index, node.span);
      return { form: { _tag: 'Integers', value, affine }, isBounded: of.isBounded ?? false };
    }
    case 'Call': {
      if (!isOpCall(node)) return undefined;
      if (!isCallOf(node, DEQUANTIZE)) return calledOn(region, node);
      const data = operandOf(node, 0);
      const affine = affineOf(region.m, node, dtypeOf(typeOf(region.m, data)), data, get);
      return affine && { form: { _tag: 'Integers', value: get(data), affine } };
    }
    default:
      return undefined;
  }
}

/** Whether a call is a product, or looks at what may be its operand. */
const leadsToProduct = (m: IRModule, node: Expr): boolean =>
  isOpCall(node) &&
  (node.op.name === DEQUANTIZE ||
    isProduct(m, node) ||
    formOf(m.ops, node.op.name, 'View') !== undefined);

const isProduct = (m: IRModule, { op }: OpCall): boolean =>
  m.ops.read(kindColumn, op.name) === 'product';

function calledOn(region: Region, node: OpCall): OnRegion | undefined {
  const { m, options, known, wanted } = region;
  const parts = node.args.map((arg) => known.get(arg)).filter((part) => part !== undefined);
  const args = node.args.map((arg) => argumentOf(region, arg));
  if (parts.length === 0 || !args.every((arg) => arg !== undefined)) return undefined;
  const refused = parts.find((part) => part.refused !== undefined);
  if (refused !== undefined) return refused;
  const refuse = (counter: Counter): OnRegion => {
    options.count(counter);
    return { refused: node };
  };
  const rule = ruleOf(m, node);
  if (rule === undefined) return refuse('kept: no rule');
  const asked = wanted.get(node);
  const to = asked === 'several' ? undefined : asked;
  let isAsked = false;
  const ask = (): Affine | undefined => {
    isAsked = true;
    return to;
  };
  const site = siteOf(region, node, args, ask);
  const form = site && rule.rule(site);
  if (form === undefined) return refuse('kept: rule does not apply');
  options.count('call on integers');
  const isOwn = isAsked && to !== undefined;
  return { form, isBounded: isOwn || parts.some((part) => part.isBounded) };
}

/** An argument of a call in a region; `undefined` for real numbers without integers. */
function argumentOf({ m, known, get }: Region, arg: Expr): IntegerArgument | undefined {
  const form = known.get(arg)?.form;
  if (form !== undefined) return form;
  const value = get(arg);
  if (known.has(arg)) return { _tag: 'OtherArgument', value };
  const type = typeOf(m, arg);
  const dtype = dtypeOf(type);
  if (type?._tag !== 'TensorType' || typeof dtype !== 'string') return undefined;
  if (!isFloat(dtype as DType)) return { _tag: 'OtherArgument', value };
  const data = constantOf(arg);
  return data && { _tag: 'RealConstant', value, data };
}

function siteOf(
  region: Region,
  node: OpCall,
  args: ReadonlyArray<IntegerArgument>,
  wanted: () => Affine | undefined,
): IntegerSite<Attrs> | undefined {
  const { m } = region;
  const types = node.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
  const result = typeOf(m, node);
  if (result === undefined || types.length < node.args.length) return undefined;
  const op = (name: string, operands: ReadonlyArray<Expr>, attrs: Attrs = {}): Expr =>
    callOp(m.ops, name, operands, attrs, node.span);
  return {
    attrs: node.attrs,
    args,
    types,
    result,
    wanted,
    axisOf: (axis) => axisAfter(region, node, { types, result }, axis),
    rank: (expr) => rankOf(m, expr),
    again: (operands, as) =>
      as === undefined
        ? call(node.op, operands, node)
        : op(as.name, operands, ownAttrs(m, as.name, { ...node.attrs, ...as.attrs })),
    op,
    tuple: (fields) => tuple(fields, node.span),
    constant: (value: Tensor) => constant(value, node.span),
  };
}

const ownAttrs = (m: IRModule, name: string, attrs: Attrs): Attrs =>
  Object.fromEntries(
    Object.entries(attrs).filter(([key]) =>
      m.ops.get(name)?.attrs.fields.some((field) => field.name === key),
    ),
  );

/** The axis of the result that an axis of the first argument becomes. */
function axisAfter(
  { m }: Region,
  node: OpCall,
  { types, result }: { readonly types: ReadonlyArray<Type>; readonly result: Type },
  axis: number,
): number | undefined {
  const equation = m.ops.read(scaleAxisColumn, node.op.name);
  if (equation?._tag !== 'ScaleMap') return undefined;
  const site: ScaleSite = {
    args: types,
    result,
    attrs: node.attrs,
    constant: (i) => constantOf(node.args[i]),
  };
  const at = equation.axes(site)?.indexOf(axis) ?? -1;
  return at < 0 ? undefined : at;
}
