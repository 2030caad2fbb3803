/**
 * QuantizeRealize: what is computed with multiples of scales is computed on integers.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { type Call, call, type Expr, type IRModule, tuple, typeOf } from '@baton/ir';
import { costColumn, isCallOf, isOpCall, type OpCall, operandOf } from '@baton/ops';
import { type Count, inferType, rewritingPass, visibleIn } from '@baton/pass-manager';
import { type DType, isDType, isInteger, toNumbers } from '@baton/tensor';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { constantOf } from '../facts.ts';
import { type ForwardRule, forwardRewrite } from '../forward-rewrite.ts';
import { again, BARRIER, isReal, kindOf, MARK, partOf, REAL } from './marks.ts';
import { bitsOf, integersOf, REALIZE_TYPES, type RealizeOptions } from './options.ts';
import {
  type Arithmetic,
  asType,
  finer,
  holds,
  inType,
  op,
  type Quantized,
  quantizedExpr,
  quantizedOf,
  quantizedReal,
  requantized,
  SUMS,
  within,
} from './quantized-value.ts';

const COUNTERS = [
  'quantized',
  'quantized anew',
  'mark without a scale',
  'product',
  'sum',
  'factor',
  'joined',
  'bound',
  'pool',
  'moved',
  'hint',
  'kept: no room',
] as const;

/**
 * Computes on integers what lies between marks that have scales:
 *
 * ```
 * %0 = relay.op.annotation.simulated_quantize(%x, 0.0625f, -127f, 127f);
 * %1 = relay.op.annotation.simulated_quantize(w, 0.0078125f, -127f, 127f, kind=2);
 * nn.conv2d(%0, %1)
 * =>
 * %0 = cast(clip(round(multiply(%x, 16f)), a_min=-127f, a_max=127f), dtype="int8");
 * %1 = cast(clip(round(multiply(w, 128f)), a_min=-127f, a_max=127f), dtype="int8");
 * multiply(cast(nn.conv2d(%0, %1, out_dtype="int32"), dtype="float32"), 0.000488281f)
 * ```
 *
 * The column `quantizing` of each operator says how. Results may differ by the rounding of the
 * steps between integers of different scales, and of means.
 *
 * - A mark without a scale gives its data; one whose scale is no constant stays.
 * - What int32 has no room for is computed with floats.
 *
 * **Complexity** linear in the function.
 * **Source** Relay v0.16, QuantizeRealize.
 */
export const quantizeRealize: ConfigurablePass<RealizeOptions> = configurable(
  REALIZE_TYPES,
  (options) =>
    rewritingPass({
      name: 'QuantizeRealize',
      doc: 'Computes on integers what annotated programs compute on multiples of scales.',
      subject: 'marks',
      level: 1,
      requires: [inferType],
      needs: ['nnan', 'ninf', 'quantized'],
      counters: COUNTERS,
      run: (f, m, { count }) => {
        const { order } = visibleIn(f.body, m);
        if (!order.some((node) => isCallOf(node, MARK))) return f;
        const { roundForShift = true, rounding = 'UPWARD' } = options;
        const bits = bitsOf(options);
        const at: Realizing = {
          m,
          roundForShift,
          rounding,
          count,
          input: integersOf(bits.nbitInput),
          weight: integersOf(bits.nbitWeight),
        };
        const rule: ForwardRule = (node, args) => realized(at, node, args);
        return forwardRewrite(f, rule, { order, mayProject: () => false });
      },
    }),
);

interface Realizing extends Arithmetic {
  readonly count: Count<(typeof COUNTERS)[number]>;
  readonly input: DType;
  readonly weight: DType;
}

/** The replacement of a call; `undefined` for an ordinary call of floats. */
function realized(at: Realizing, node: Call, args: ReadonlyArray<Expr>): Expr | undefined {
  const part = partOf(at.m, node);
  if (part === undefined || !isOpCall(node) || !isReal(at.m, node)) return undefined;
  if (part === 'mark') return quantized(at, node, args);
  const made = (value: Quantized | undefined): Expr | undefined => {
    if (value === undefined) at.count('kept: no room');
    return value && quantizedExpr(at, value, node.span);
  };
  if (part === 'joined') {
    const [fields] = args;
    const values = fields?._tag === 'Tuple' ? fields.fields.map(quantizedOf) : [];
    return values.length > 0 && values.every((value) => value !== undefined)
      ? made(joined(at, node, values))
      : undefined;
  }
  const values = args.map(quantizedOf);
  if (!values.every((value) => value !== undefined)) return undefined;
  const [first] = values;
  if (first === undefined) return undefined;
  switch (part) {
    case 'convolution':
    case 'layer':
    case 'product':
      return made(product(at, node, values));
    case 'sum':
      return made(sum(at, node, values));
    case 'factor':
      return made(scaled(at, node, values));
    case 'maximum': {
      at.count('pool');
      const small = asType(at, first, at.input) ?? first;
      return made({ ...small, data: again(node, [small.data]) });
    }
    case 'mean':
    case 'end': {
      const wide = asType(at, first, SUMS);
      if (wide !== undefined) at.count('pool');
      return made(wide && { ...wide, data: again(node, [wide.data]) });
    }
    case 'bound':
      return made(bounded(at, node, first));
    case 'hint': {
      at.count('hint');
      const { dtype } = node.attrs;
      const isWhole = isDType(dtype) && isInteger(dtype);
      return made((isWhole ? asType(at, first, dtype) : undefined) ?? first);
    }
    default:
      at.count('moved');
      return made({ ...first, data: again(node, [first.data]) });
  }
}

/** A mark: floats become multiples of its scale, integers of another scale are requantized. */
function quantized(at: Realizing, mark: OpCall, args: ReadonlyArray<Expr>): Expr | undefined {
  const [data] = args;
  const numbers = [1, 2, 3].map((i) => numberIn(operandOf(mark, i)));
  if (data === undefined || !numbers.every((number) => number !== undefined)) return undefined;
  const [scale = 0, least = 0, most = 0] = numbers;
  if (scale === 0 || kindOf(mark) === undefined) {
    at.count('mark without a scale');
    return data;
  }
  const isWhole = Number.isInteger(least) && Number.isInteger(most) && least <= most;
  if (!isWhole || !(scale > 0 && scale < Number.POSITIVE_INFINITY)) return undefined;
  const value = quantizedOf(data);
  const made =
    value === undefined
      ? quantizedReal(at, data, scale, { least, most })
      : requantized(at, value, scale, { least, most });
  at.count(
    made === undefined ? 'kept: no room' : value === undefined ? 'quantized' : 'quantized anew',
  );
  return made && quantizedExpr(at, made, mark.span);
}

function numberIn(expr: Expr): number | undefined {
  const value = constantOf(expr);
  return value === undefined || value.shape.length > 0 ? undefined : Number(toNumbers(value)[0]);
}

/** A sum of products, in the type of sums; `undefined` if it does not fit. */
function product(
  at: Realizing,
  node: OpCall,
  [left, right]: ReadonlyArray<Quantized>,
): Quantized | undefined {
  const count = productsOf(at.m, node);
  if (left === undefined || right === undefined || count === undefined) return undefined;
  const most = count * left.most * right.most;
  const [x, w] = [asType(at, left, at.input), asType(at, right, at.weight)];
  if (x === undefined || w === undefined || !holds(SUMS, most)) return undefined;
  // Operands of two types are brought to the wider one.
  const wide = at.input.length > at.weight.length ? at.input : at.weight;
  const operands = [x, w].map((side) => inType(at, side, wide));
  const attrs = { ...node.attrs, out_dtype: SUMS };
  at.count('product');
  return {
    data: call(node.op, operands, { attrs, span: node.span }),
    dtype: SUMS,
    scale: Math.fround(left.scale * right.scale),
    most,
  };
}

/** The products that are summed for each element of a result; `undefined` if sizes are not known. */
function productsOf(m: IRModule, node: OpCall): number | undefined {
  const [result, ...types] = [node, ...node.args].map((part) => typeOf(m, part));
  const known = types.filter((type) => type !== undefined);
  if (result?._tag !== 'TensorType' || known.length < types.length) return undefined;
  const sizes = [result, ...known].map((type) =>
    type._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape : [undefined],
  );
  if (!sizes.flat().every((size) => typeof size === 'number')) return undefined;
  const elements = (sizes[0] ?? []).reduce<number>((count, size) => count * Number(size), 1);
  const cost = m.ops.read(costColumn, node.op.name)?.(known, result, node.attrs);
  return cost && cost.flops / 2 / Math.max(elements, 1);
}

function scaled(
  at: Realizing,
  node: OpCall,
  [left, right]: ReadonlyArray<Quantized>,
): Quantized | undefined {
  if (left === undefined || right === undefined) return undefined;
  const most = left.most * right.most;
  const [a, b] = [asType(at, left, SUMS), asType(at, right, SUMS)];
  if (a === undefined || b === undefined || !holds(SUMS, most)) return undefined;
  at.count('factor');
  const scale = Math.fround(left.scale * right.scale);
  return { data: again(node, [a.data, b.data]), dtype: SUMS, scale, most };
}

/** Values as multiples of the least of their scales; `undefined` if one does not fit. */
function withOneScale(
  at: Realizing,
  values: ReadonlyArray<Quantized>,
): ReadonlyArray<Quantized> | undefined {
  const scale = Math.min(...values.map((value) => value.scale));
  const made = values.map((value) => finer(at, value, scale));
  return made.every((value) => value !== undefined) ? made : undefined;
}

/** A sum, as a multiple of the smaller scale. */
function sum(at: Realizing, node: OpCall, values: ReadonlyArray<Quantized>): Quantized | undefined {
  const stored = values.map((value, i) => storedNarrow(at, value, node.args[i]));
  const sides = withOneScale(at, stored);
  const [left, right] = sides ?? [];
  if (left === undefined || right === undefined) return undefined;
  const most = left.most + right.most;
  if (!holds(SUMS, most)) return undefined;
  at.count('sum');
  // What became integers here, and is no constant, is not computed again in the kernel of the sum.
  const operands = [left, right].map((side, i) => {
    const isReady = values[i]?.dtype !== REAL || isWeight(node.args[i]);
    return isReady ? side.data : op(at, BARRIER, [side.data], {}, node.span);
  });
  return { data: again(node, operands), dtype: SUMS, scale: left.scale, most };
}

const isWeight = (mark: Expr | undefined): boolean =>
  isCallOf(mark, MARK) && kindOf(mark) === 'weight';

/** A sum of products that was brought to the type of inputs leaves its kernel in that type. */
function storedNarrow(at: Realizing, value: Quantized, was: Expr | undefined): Quantized {
  const isInput = isCallOf(was, MARK) && kindOf(was) === 'input' && value.dtype === SUMS;
  const narrow = isInput ? asType(at, value, at.input) : undefined;
  if (narrow === undefined) return value;
  return { ...narrow, data: op(at, BARRIER, [narrow.data], {}, narrow.data.span) };
}

/** Concatenated tensors: as they are if they have the same scale and type. */
function joined(
  at: Realizing,
  node: OpCall,
  values: ReadonlyArray<Quantized>,
): Quantized | undefined {
  const [first] = values;
  const isOne = values.every(
    (value) => value.scale === first?.scale && value.dtype === first.dtype,
  );
  const fields = isOne ? values : withOneScale(at, values);
  if (first === undefined || fields === undefined) return undefined;
  at.count('joined');
  const data = again(node, [
    tuple(
      fields.map((field) => field.data),
      node.args[0]?.span,
    ),
  ]);
  const { dtype, scale } = fields[0] ?? first;
  return { data, dtype, scale, most: Math.max(...fields.map((field) => field.most)) };
}

/** Numbers clipped to two bounds, which are integral multiples of the scale. */
function bounded(at: Realizing, { attrs }: OpCall, value: Quantized): Quantized | undefined {
  const [least, most] = [attrs.a_min, attrs.a_max].map((bound) =>
    Math.round(Number(bound) / value.scale),
  );
  if (least === undefined || most === undefined) return undefined;
  // A bound between two multiples is rounded: that is an error of integers.
  const made = within(at, asType(at, value, SUMS) ?? value, { least, most });
  if (Number.isNaN(least) || Number.isNaN(most) || !holds(made.dtype, made.most)) return undefined;
  at.count('bound');
  return made;
}
