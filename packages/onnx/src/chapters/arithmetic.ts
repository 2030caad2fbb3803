/** Arithmetic of elements: numbers, bits, and comparisons. */

import { type Expr, tensorType } from '@baton/ir';
import { formOf, standardOps } from '@baton/ops';
import { type DType, dtypeInfo, isBig, isDType, isFloat, readNumber, scalar } from '@baton/tensor';
import { text } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { castTo, resultDims } from '../shared/element-types.ts';
import {
  alignedSecond,
  both,
  type Chapter,
  checkAligning,
  hasOpenInput,
  type Operands,
  readFormula,
  reads,
  writes,
} from '../shared/rows.ts';
import { inputsOf } from '../shared/sequences.ts';

export const arithmeticOperators: Chapter = [
  reads('BitShift', readBitShift, { kernelSince: 28, kernelWhen: ({ version }) => version >= 28 }),
  reads('Clip', readClip, {
    since: 6,
    kernelSince: 12,
    kernelWhen: isBetweenOpenBounds,
  }),
  reads('IsInf', readIsInf),
  reads('Max', (context) => combineInputs(context, 'maximum'), { since: 6 }),
  reads('Mean', readMean, { since: 6 }),
  reads('Min', (context) => combineInputs(context, 'minimum'), { since: 6 }),
  // The remainder with the sign of the divisor, or with `fmod` of the dividend.
  reads('Mod', '?op(?x, ?y)', {
    let: { op: ({ attributes }) => (attributes.int('fmod') === 0 ? 'floor_mod' : 'mod') },
  }),
  reads('Pow', readPow, {
    kernelSince: 12,
    kernelWhen: ({ dtypeOf, input }) => dtypeOf(input(0)) !== dtypeOf(input(1)),
  }),
  both('Reciprocal', '1 / ?x', { since: 6 }),
  reads('Sum', (context) => combineInputs(context, 'add'), { since: 6 }),
  writes('bitwise_not', writeBitwiseNot),
  writes('clip', writeClip),
  writes('copy', 'Identity(?x)'),
  writes('fast_erf', 'Erf(?x)'),
  writes('fast_exp', 'Exp(?x)'),
  writes('fast_tanh', 'Tanh(?x)'),
  writes('floor_divide', writeFloorDivide),
  writes('floor_mod', writeFloorMod),
  // The difference of NaN or an infinity from itself is not 0.
  writes('isfinite', '?x - ?x == 0'),
  writes('isinf', ofKinds('IsInf(?x)', '?x != ?x')),
  writes('left_shift', writeLeftShift),
  writes('log10', 'log(?x) * 0.4342944819032518'),
  writes('log2', 'log(?x) * 1.4426950408889634'),
  writes('maximum', 'Max(?x, ?y)'),
  writes('minimum', 'Min(?x, ?y)'),
  writes('mod', 'Mod(?x, ?y, fmod=1)'),
  writes('not_equal', 'logical_not(?x == ?y)'),
  writes('power', 'Pow(?x, ?y)'),
  writes('right_shift', writeRightShift),
  writes('round', writeRound),
  writes('rsqrt', 'Reciprocal(sqrt(?x))'),
  writes('trunc', ofKinds('sign(?x) * floor(abs(?x))', 'Identity(?x)')),
  writes('trunc_divide', writeTruncDivide),
  writes('trunc_mod', 'Mod(?x, ?y, fmod=1)'),
  writes('where', 'Where(?condition, ?y, ?z)', {
    condition: (context) => castTo(context, context.input(0), 'bool'),
  }),
];

function ofKinds(floats: string, others: string): (c: CallContext, of: Operands) => Operand {
  return (context, [x]) => context.formula(isFloat(context.dtype(x)) ? floats : others, { x });
}

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

/** The shifted integers, unless the count is negative or at least their number of bits. */
function unlessPast(context: NodeContext, shifted: Expr, { x, places, direction }: Shift): Expr {
  const { formula } = context;
  const { bits, kind } = dtypeInfo(context.dtypeOf(x));
  const keepsSign = direction === 'RIGHT' && kind === 'int';
  const isWithin = formula('logical_and(?places >= 0, ?places < ?bits)', { places, bits });
  const rest = keepsSign ? formula('right_shift(?x, ?most)', { x, most: bits - 1 }) : 0;
  return formula('where(?isWithin, ?shifted, ?rest)', { isWithin, shifted, rest });
}

/** Whether both bounds limit the data, and one is known only at run time: two nodes otherwise. */
function isBetweenOpenBounds(context: NodeContext): boolean {
  const [least, most] = [context.optional(1), context.optional(2)];
  if (least === undefined || most === undefined || !hasOpenInput(context, [1, 2])) return false;
  return !isInfinite(context, least, -Infinity) && !isInfinite(context, most, Infinity);
}

function readClip(context: NodeContext): Converted {
  const { formula } = context;
  const x = context.input(0);
  const [least, most] = [bound(context, 'min', 1), bound(context, 'max', 2)];
  const a_min = constantBound(context, least);
  const a_max = constantBound(context, most);
  if (a_min !== undefined && a_max !== undefined) {
    return context.call('clip', [x], { a_min, a_max });
  }
  const raised =
    least === undefined || isInfinite(context, least, -Infinity)
      ? x
      : formula('maximum(?x, ?least)', { x, least });
  return most === undefined || isInfinite(context, most, Infinity)
    ? raised
    : formula('minimum(?raised, ?most)', { raised, most });
}

function bound(context: NodeContext, name: string, index: number): Expr | undefined {
  if (context.version >= 11) return context.optional(index);
  if (!context.attributes.has(name)) return undefined;
  return context.scalar(context.attributes.float(name, 0), context.dtypeOf(context.input(0)));
}

function isInfinite(context: NodeContext, expr: Expr, infinity: number): boolean {
  const value = context.valueOf(expr);
  return value?.shape.length === 0 && readNumber(value, 0) === infinity;
}

function constantBound(context: NodeContext, expr: Expr | undefined): number | undefined {
  const value = expr === undefined ? undefined : context.valueOf(expr);
  if (value === undefined || value.shape.length > 0) return undefined;
  const number = readNumber(value, 0);
  return Number.isFinite(number) && (!isBig(value.dtype) || Number.isSafeInteger(number))
    ? number
    : undefined;
}

function readIsInf(context: NodeContext): Converted {
  const [negative, positive] = ['detect_negative', 'detect_positive'].map(
    (name) => context.attributes.int(name) !== 0,
  );
  const sign = negative ? '?x < 0' : '?x > 0';
  const one = positive || negative ? `logical_and(isinf(?x), ${sign})` : 'zeros_like(isinf(?x))';
  return readFormula(context, negative && positive ? 'isinf(?x)' : one);
}

function readMean(context: NodeContext): Converted {
  const [sum, count] = [combineInputs(context, 'add'), context.inputCount];
  return count === 1 ? sum : context.formula('?sum / ?count', { sum, count });
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
    const text = 'cast(power(cast(?base, dtype=?other), ?exponent), dtype=?dtype)';
    return context.formula(text, { base, exponent, other, dtype });
  }
  return context.formula('power(?base, cast(?exponent, dtype=?dtype))', { base, exponent, dtype });
}

/** `bitwise_not`, which before operator set 18 is a difference. */
function writeBitwiseNot(context: CallContext, [x]: Operands): Written {
  // −1 has all bits of a signed number, and of an unsigned one what −1 wraps to.
  return context.formula(context.opset >= 18 ? 'BitwiseNot(?x)' : '-1 - ?x', { x });
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
function writeFloorDivide(context: CallContext, [x, y]: Operands): Written {
  return isFloat(context.dtype(x))
    ? roundedQuotient(context, 'floor', x, y)
    : context.formula('(?x - floor_mod(?x, ?y)) / ?y', { x, y });
}

/**
 * `floor_mod`: the remainder with the sign of the right side, which `Mod` has of integers. Of floats the
 * right side is added to a remainder with the sign of the left side, where that is the other sign.
 */
function writeFloorMod(context: CallContext, [x, y]: Operands): Written {
  if (!isFloat(context.dtype(x))) return context.node('Mod', [x, y]);
  const text =
    '%0 = mod(?x, ?y); %1 = logical_xor(%0 < 0, ?y < 0); where(logical_and(%0 != 0, %1), %0 + ?y, %0)';
  return context.formula(text, { x, y });
}

/** `trunc_divide`: the quotient rounded toward 0, which of integers it is. */
function writeTruncDivide(context: CallContext, [x, y]: Operands): Written {
  return isFloat(context.dtype(x))
    ? roundedQuotient(context, 'trunc', x, y)
    : context.formula('?x / ?y', { x, y });
}

function writeLeftShift(context: CallContext, [a, b]: Operands): Written {
  return shifted(context, 'LEFT', a, counted(context, a, b));
}

const counted = ({ dtype, formula }: CallContext, a: Operand, b: Operand): Operand =>
  formula('floor_mod(?b, ?bits)', { b, bits: bitsOf(dtype(a)) });

function shifted(context: CallContext, direction: string, a: Operand, count: Operand): Operand {
  const own = context.dtype(a);
  const unsigned = unsignedOf(own);
  const [data, by] = [castTo(context, a, unsigned), castTo(context, count, unsigned)];
  const type = tensorType(resultDims(context), unsigned);
  const made = context.node('BitShift', [data, by], { direction: text(direction) }, type);
  return castTo(context, made, own);
}

/** `right_shift` by the right side modulo the width: of signed numbers, a division that rounds down. */
function writeRightShift(context: CallContext, [a, b]: Operands): Written {
  const { formula } = context;
  const own = context.dtype(a);
  const count = counted(context, a, b);
  if (unsignedOf(own) === own) return shifted(context, 'RIGHT', a, count);
  // The complement of a negative number is not negative, and so is its quotient by any power of 2.
  const isNegative = formula('?a < 0', { a });
  const complemented = (x: Operand): Operand =>
    formula('where(?isNegative, -1 - ?x, ?x)', { isNegative, x });
  return complemented(shifted(context, 'RIGHT', complemented(a), count));
}

/** `round`, halves away from 0: ONNX rounds them to the even number. */
function writeRound(context: CallContext, [x]: Operands): Written {
  const dtype = context.dtype(x);
  if (!isFloat(dtype)) return context.node('Identity', [x]);
  const text = '%0 = abs(?x); %1 = floor(%0); sign(?x) * (%1 + cast(%0 - %1 >= 0.5, dtype=?dtype))';
  return context.formula(text, { x, dtype });
}

const combineInputs = (context: NodeContext, op: string): Expr =>
  inputsOf(context).reduce((a, b) => context.formula('?op(?a, ?b)', { op, a, b }));

/**
 * The quotient, rounded once. It is computed in float64: a quotient that a narrower type rounds up
 * to a whole number, such as 0.7 / 0.1 in float32, would be too large by 1.
 */
function roundedQuotient(
  { dtype, formula }: CallContext,
  round: 'trunc' | 'floor',
  a: Operand,
  b: Operand,
): Operand {
  const own = dtype(a);
  if (own === 'float64') return formula('?round(?a / ?b)', { round, a, b });
  const text = 'cast(?round(cast(?a, dtype="float64") / cast(?b, dtype="float64")), dtype=?own)';
  return formula(text, { round, a, b, own });
}

const bitsOf = (dtype: DType): number => 8 * dtypeInfo(dtype).bytes;

const unsignedOf = (dtype: DType): DType => {
  const unsigned = `uint${bitsOf(dtype)}`;
  return isDType(unsigned) ? unsigned : dtype;
};
