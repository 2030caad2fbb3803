/** Arithmetic of elements: numbers, bits, and comparisons. */
import { type Expr, tensorType } from '@baton/ir';
import { formOf, standardOps } from '@baton/ops';
import { type DType, dtypeInfo, isBig, isDType, isFloat, readNumber, scalar } from '@baton/tensor';
import { int, text } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { castTo, resultDims } from '../shared/element-types.ts';
import {
  alignedSecond,
  type Chapter,
  checkAligning,
  reads,
  readsFormula,
  writes,
  writesNode,
} from '../shared/rows.ts';

/** The rows of this chapter. */
export const arithmeticOperators: Chapter = [
  reads('BitShift', readBitShift),
  reads('Clip', readClip, { since: 6 }),
  reads('IsInf', readIsInf),
  // `Max`: the maximum of tensors that broadcast.
  readsVariadic({
    opType: 'Max',
    since: 6,
    op: 'maximum',
  }),
  reads('Mean', readMean, { since: 6 }),
  // `Min`: the minimum of tensors that broadcast.
  readsVariadic({
    opType: 'Min',
    since: 6,
    op: 'minimum',
  }),
  reads('Mod', readMod),
  reads('Pow', readPow),
  // `Reciprocal`: 1 / x.
  readsFormula('Reciprocal', {}, ({ call }, x) => call('divide', [1, x]), 6),
  // `Sum`: the sum of tensors that broadcast.
  readsVariadic({ opType: 'Sum', since: 6, op: 'add' }),
  writes('bitwise_not', writeBitwiseNot),
  writes('clip', writeClip),
  // `copy`: the value itself.
  writesNode('copy', 'Identity'),
  // `fast_erf`, exactly.
  writesNode('fast_erf', 'Erf'),
  // `fast_exp`, exactly.
  writesNode('fast_exp', 'Exp'),
  // `fast_tanh`, exactly.
  writesNode('fast_tanh', 'Tanh'),
  writes('floor_divide', writeFloorDivide),
  // `floor_mod`: the remainder with the sign of the right side, which `Mod` has of integers.
  writes('floor_mod', (context, a, b) =>
    isFloat(context.dtype(a)) ? ofFloats(context, a, b) : context.node('Mod', [a, b]),
  ),
  // `isfinite`: neither NaN nor an infinity, so that the difference from itself is 0.
  writes('isfinite', ({ call }, x) => call('equal', [call('subtract', [x, x]), 0])),
  writes('isinf', writeIsinf),
  writes('left_shift', writeLeftShift),
  // `log10`: the natural logarithm times a constant.
  writes('log10', ({ call }, x) => call('multiply', [call('log', [x]), Math.LOG10E])),
  // `log2`: the natural logarithm times a constant.
  writes('log2', ({ call }, x) => call('multiply', [call('log', [x]), Math.LOG2E])),
  // `maximum` of two tensors.
  writesNode('maximum', 'Max'),
  // `minimum` of two tensors.
  writesNode('minimum', 'Min'),
  // `mod`: the remainder with the sign of the left side.
  writes('mod', ({ node }, a, b) => node('Mod', [a, b], { fmod: int(1) })),
  // `not_equal`: the negation of `equal`.
  writes('not_equal', ({ call }, a, b) => call('logical_not', [call('equal', [a, b])])),
  writesNode('power', 'Pow'),
  writes('right_shift', writeRightShift),
  writes('round', writeRound),
  // `rsqrt`: the reciprocal of the square root.
  writes('rsqrt', ({ call, node }, x) => node('Reciprocal', [call('sqrt', [x])])),
  // `trunc`: the sign times the magnitude rounded down.
  writes('trunc', ({ call, dtype, node }, x) =>
    isFloat(dtype(x))
      ? call('multiply', [call('sign', [x]), call('floor', [call('abs', [x])])])
      : node('Identity', [x]),
  ),
  // `trunc_divide`: the quotient rounded toward 0, which of integers it is.
  writes('trunc_divide', (context, a, b) =>
    isFloat(context.dtype(a))
      ? roundedQuotient(context, 'trunc', a, b)
      : context.call('divide', [a, b]),
  ),
  // `trunc_mod`: the remainder with the sign of the left side.
  writes('trunc_mod', ({ node }, a, b) => node('Mod', [a, b], { fmod: int(1) })),
  // `where`: the condition is a bool.
  writes('where', (context, condition, x, y) =>
    context.node('Where', [castTo(context, condition, 'bool'), x, y]),
  ),
];

/** `BitShift` of integers: a shift by their width or more leaves 0, or −1 of negative ones to the right. */
function readBitShift(context: NodeContext): Converted {
  const direction = context.attributes.string('direction', '');
  if (direction !== 'LEFT' && direction !== 'RIGHT') {
    return context.fail('ONNX_ATTRIBUTE', 'expected direction LEFT or RIGHT');
  }
  const [x, places] = [context.input(0), context.input(1)];
  const op = direction === 'LEFT' ? 'left_shift' : 'right_shift';
  const shifted = context.call(op, [x, places]);
  return context.version < 28 ? shifted : unlessPast(context, shifted, { x, places, direction });
}

interface Shift {
  readonly x: Expr;
  readonly places: Expr;
  readonly direction: 'LEFT' | 'RIGHT';
}

/** What is shifted, unless the places are negative or as many as the integers have bits. */
function unlessPast(context: NodeContext, shifted: Expr, { x, places, direction }: Shift): Expr {
  const { call } = context;
  const { bits, kind } = dtypeInfo(context.dtypeOf(x));
  const isWithin = call('logical_and', [
    call('greater_equal', [places, 0]),
    call('less', [places, bits]),
  ]);
  const keepsSign = direction === 'RIGHT' && kind === 'int';
  const rest = keepsSign ? call('right_shift', [x, bits - 1]) : 0;
  return call('where', [isWithin, shifted, rest]);
}

/** `Clip`: bounds are attributes before 11, optional inputs from 11 on. */
function readClip(context: NodeContext): Converted {
  const x = context.input(0);
  const least = bound(context, 'min', 1);
  const most = bound(context, 'max', 2);
  const a_min = constantBound(context, least);
  const a_max = constantBound(context, most);
  if (a_min !== undefined && a_max !== undefined) {
    return context.call('clip', [x], { a_min, a_max });
  }
  const raised =
    least === undefined || isInfinite(context, least, -Infinity)
      ? x
      : context.call('maximum', [x, least]);
  return most === undefined || isInfinite(context, most, Infinity)
    ? raised
    : context.call('minimum', [raised, most]);
}

/** A bound as an expression, if there is one. */
function bound(context: NodeContext, name: string, index: number): Expr | undefined {
  if (context.version >= 11) return context.optional(index);
  if (!context.attributes.has(name)) return undefined;
  return context.scalar(context.attributes.float(name, 0), context.dtypeOf(context.input(0)));
}

/** Whether a bound bounds nothing. */
function isInfinite(context: NodeContext, expr: Expr, infinity: number): boolean {
  const value = context.valueOf(expr);
  return value?.shape.length === 0 && readNumber(value, 0) === infinity;
}

/** A bound as a number, if that is exact. */
function constantBound(context: NodeContext, expr: Expr | undefined): number | undefined {
  const value = expr === undefined ? undefined : context.valueOf(expr);
  if (value === undefined || value.shape.length > 0) return undefined;
  const number = readNumber(value, 0);
  return Number.isFinite(number) && (!isBig(value.dtype) || Number.isSafeInteger(number))
    ? number
    : undefined;
}

/** `IsInf`: infinities of both signs or of one. */
function readIsInf(context: NodeContext): Converted {
  const x = context.input(0);
  const isInfinite = context.call('isinf', [x]);
  const negative = context.attributes.int('detect_negative') !== 0;
  const positive = context.attributes.int('detect_positive') !== 0;
  if (negative && positive) return isInfinite;
  if (!negative && !positive) return context.call('zeros_like', [isInfinite]);
  const hasSign = context.call(negative ? 'less' : 'greater', [x, 0]);
  return context.call('logical_and', [isInfinite, hasSign]);
}

/** `Mean`: the mean of tensors that broadcast. */
function readMean(context: NodeContext): Converted {
  const sum = combineInputs(context, 'add');
  if (context.inputCount === 1) return sum;
  return context.call('divide', [sum, context.inputCount]);
}

/** `Mod`: the remainder with the sign of the divisor, or with `fmod` of the dividend. */
function readMod(context: NodeContext): Converted {
  const op = context.attributes.int('fmod') === 0 ? 'floor_mod' : 'mod';
  return context.call(op, [context.input(0), context.input(1)]);
}

/** `Pow`: the result has the base's element type; from 12 on the exponent may have another. */
function readPow(context: NodeContext): Converted {
  const isAligned = context.version < 7;
  if (!isAligned) checkAligning(context);
  const base = context.input(0);
  const exponent = isAligned ? alignedSecond(context) : context.input(1);
  if (context.hasFailed()) return undefined;
  const [dtype, other] = [context.dtypeOf(base), context.dtypeOf(exponent)];
  if (dtype === other) return context.call('power', [base, exponent]);
  // An integer to a fractional power is computed in the exponent's type.
  if (!isFloat(dtype) && isFloat(other)) {
    const wide = context.call('cast', [base], { dtype: other });
    return context.call('cast', [context.call('power', [wide, exponent])], { dtype });
  }
  return context.call('power', [base, context.call('cast', [exponent], { dtype })]);
}

/** `bitwise_not`, which before operator set 18 is a difference. */
function writeBitwiseNot(context: CallContext, x: Operand): Written {
  const dtype = context.dtype(x);
  if (context.opset >= 18) return context.node('BitwiseNot', [x]);
  // −1 has all bits of a signed number, and of an unsigned one what −1 wraps to.
  return context.call('subtract', [context.scalar(-1, dtype), x]);
}

/** `clip`: its bounds became inputs, in the dtype of the data as the kernel takes them. */
function writeClip(context: CallContext): Written {
  const x = context.input(0);
  const dtype = context.dtype(x);
  const form = formOf(standardOps, 'clip', 'Map');
  const bounds = form?.numbers?.(context.attrs.all, dtype) ?? [];
  return context.node('Clip', [
    x,
    ...bounds.map((bound) => context.constant(scalar(bound, dtype))),
  ]);
}

/** `floor_divide`: ONNX divides integers toward 0, so the remainder is taken off first. */
function writeFloorDivide(context: CallContext, a: Operand, b: Operand): Written {
  const { call } = context;
  return isFloat(context.dtype(a))
    ? roundedQuotient(context, 'floor', a, b)
    : call('divide', [call('subtract', [a, call('floor_mod', [a, b])]), b]);
}

type Tensor = Parameters<CallContext['dtype']>[0];

/** The remainder with the sign of `a`, to which `b` is added where that has the other sign. */
function ofFloats({ call }: CallContext, a: Tensor, b: Tensor): Tensor {
  const rest = call('mod', [a, b]);
  const isNegative = (value: Tensor): Tensor => call('less', [value, 0]);
  const isOther = call('logical_xor', [isNegative(rest), isNegative(b)]);
  const isWrong = call('logical_and', [call('not_equal', [rest, 0]), isOther]);
  return call('where', [isWrong, call('add', [rest, b]), rest]);
}

/** `isinf`; integers are finite. */
function writeIsinf(context: CallContext, x: Operand): Written {
  return isFloat(context.dtype(x)) ? context.node('IsInf', [x]) : context.call('not_equal', [x, x]);
}

/** `left_shift` by the right side modulo the width. `BitShift` takes unsigned numbers. */
function writeLeftShift(context: CallContext, a: Operand, b: Operand): Written {
  const { call, dtype } = context;
  const own = dtype(a);
  const unsigned = unsignedOf(own);
  const count = call('floor_mod', [b, bitsOf(own)]);
  const [data, by] = [castTo(context, a, unsigned), castTo(context, count, unsigned)];
  const type = tensorType(resultDims(context), unsigned);
  const shifted = context.node('BitShift', [data, by], { direction: text('LEFT') }, type);
  return castTo(context, shifted, own);
}

/** `right_shift` by the right side modulo the width: of signed numbers, a division that rounds down. */
function writeRightShift(context: CallContext, a: Operand, b: Operand): Written {
  const { call, dtype } = context;
  const own = dtype(a);
  const count = call('floor_mod', [b, bitsOf(own)]);
  if (unsignedOf(own) === own) {
    return context.node('BitShift', [a, count], { direction: text('RIGHT') });
  }
  // The complement of a negative number is not negative, and so is its quotient by any power of 2.
  const unsigned = unsignedOf(own);
  const complement = (x: Operand) => call('subtract', [context.scalar(-1, own), x]);
  const isNegative = call('less', [a, 0]);
  const size = call('where', [isNegative, complement(a), a]);
  const [data, by] = [castTo(context, size, unsigned), castTo(context, count, unsigned)];
  const type = tensorType(resultDims(context), unsigned);
  const shifted = context.node('BitShift', [data, by], { direction: text('RIGHT') }, type);
  const result = castTo(context, shifted, own);
  return call('where', [isNegative, complement(result), result]);
}

/** `round`, halves away from 0: ONNX rounds them to the even number. */
function writeRound(context: CallContext, x: Operand): Written {
  const { call, dtype, node } = context;
  if (!isFloat(dtype(x))) return node('Identity', [x]);
  const size = call('abs', [x]);
  const whole = call('floor', [size]);
  const isUp = call('greater_equal', [call('subtract', [size, whole]), 0.5]);
  const rounded = call('add', [whole, castTo(context, isUp, dtype(x))]);
  return call('multiply', [call('sign', [x]), rounded]);
}

/** The particulars of an elementwise operator. */
interface ElementwiseParts {
  readonly opType: string;
  /** The first supported version. */
  readonly since: number;
  /** The Baton operator. */
  readonly op: string;
}

/** An operator of at least one tensor, which broadcast from operator set 8 on. */
function readsVariadic({ opType, since, op }: ElementwiseParts): OnnxImporter {
  return {
    opType,
    since,
    convert: (context) => combineInputs(context, op),
  };
}

/** All inputs of a node, combined from the left. */
function combineInputs(context: NodeContext, op: string): Expr {
  let result = context.input(0);
  for (let index = 1; index < context.inputCount; index++) {
    const next = context.optional(index);
    if (next !== undefined) result = context.call(op, [result, next]);
  }
  return result;
}

/**
 * The quotient, rounded once. It is computed in float64: a quotient that a narrower type rounds up
 * to a whole number, such as 0.7 / 0.1 in float32, would be too large by 1.
 */
function roundedQuotient(
  { call, dtype }: CallContext,
  round: 'trunc' | 'floor',
  a: Operand,
  b: Operand,
): Operand {
  const own = dtype(a);
  if (own === 'float64') return call(round, [call('divide', [a, b])]);
  const [x, y] = [a, b].map((t) => call('cast', [t], { dtype: 'float64' })) as [Operand, Operand];
  return call('cast', [call(round, [call('divide', [x, y])])], { dtype: own });
}

/** The number of bits. */
const bitsOf = (dtype: DType): number => 8 * dtypeInfo(dtype).bytes;

/** The unsigned integers of the same width. */
const unsignedOf = (dtype: DType): DType => {
  const unsigned = `uint${bitsOf(dtype)}`;
  return isDType(unsigned) ? unsigned : dtype;
};
