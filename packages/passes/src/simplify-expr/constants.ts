/**
 * Arithmetic with constants: rows 3 to 5 and 11 to 13 of
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import { isLeft, mergeSpans, type Span } from '@baton/base';
import { type Attrs, constant, type Expr, noAttrs } from '@baton/ir';
import {
  dimsOf,
  dtypeOf,
  evaluateOp,
  fusionColumn,
  isCallOf,
  type Neutral,
  neutralColumn,
  type OpCall,
  operandOf,
} from '@baton/ops';
import {
  isDType,
  isFloat,
  isTensor,
  scalar,
  shapeSize,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { constantOf, haveSameShape } from '../facts.ts';
import { build, type Row, type Rule, type RuleContext } from './rule.ts';

/** `x + c` or `x * c`, in either order; `nn.bias_add(x, c)` counts as a sum. */
interface WithConstant {
  readonly kind: 'add' | 'multiply';
  readonly x: Expr;
  readonly c: Tensor;
  /** The origin of the call and its constant. */
  readonly span: Span | undefined;
  readonly isBias: boolean;
}

/** `(x + c1) + c2 => x + k`, and the same for products, with k computed at once. */
export const mergeChains: Rule = (call, context) => {
  const outer = withConstant(call, context);
  const inner = outer && withConstant(outer.x, context);
  if (outer === undefined || inner?.kind !== outer.kind) return undefined;
  const result = merged(outer, inner, context);
  if (result === undefined) return undefined;
  context.count(outer.kind === 'add' ? '(x + c) + c' : '(x * c) * c');
  if (outer.isBias || inner.isBias) context.count('nn.bias_add of a constant');
  return result;
};

/**
 * `(x + c1) * c2 => x * c2 + k`, with k = c1 * c2 computed at once. A sum with other users stays:
 * it would be computed in addition.
 */
export const scaleFirst: Rule = (call, context) => {
  if (!isCallOf(call, 'multiply')) return undefined;
  const outer = withConstant(call, context);
  const inner = outer && withConstant(outer.x, context);
  if (outer?.kind !== 'multiply' || inner?.kind !== 'add') return undefined;
  if (!context.isOnlyUser(outer.x)) {
    context.count('kept: sum with other users');
    return undefined;
  }
  const k = combined('multiply', inner.c, outer.c, context);
  if (k === undefined) return undefined;
  const scaled = withConstant(inner.x, context);
  const whole = scaled?.kind === 'multiply' ? merged(outer, scaled, context) : undefined;
  context.count(whole === undefined ? '(x + c) * c' : '(x * c + c) * c');
  if (inner.isBias) context.count('nn.bias_add of a constant');
  const product =
    whole ?? build(context, 'multiply', [inner.x, constant(outer.c, outer.span)], outer.span);
  const span = mergeSpans(outer.span, inner.span);
  return build(context, 'add', [product, constant(k, span)], span);
};

/** `x + 0`, `x - 0`, `x * 1` and `x / 1` are x, if x has the type of the result. */
export const dropNeutral: Rule = (call, context) => {
  const neutral = context.ops.read(neutralColumn, call.op.name);
  if (neutral === undefined) return undefined;
  const [left, right] = [operandOf(call, 0), operandOf(call, 1)];
  const isRight = isAll(right, neutral.value, context);
  if (!isRight && !(neutral.commutes && isAll(left, neutral.value, context))) return undefined;
  const [x, dropped] = isRight ? [left, right] : [right, left];
  const isSame = hasResultType(x, dropped, call, context);
  context.count(isSame ? neutralRow(neutral) : 'kept: neutral operand broadcasts');
  return isSame ? x : undefined;
};

/** `x + x => x * 2`: a scale, which merges with others. */
export const doubled: Rule = (call, context) => {
  if (!isCallOf(call, 'add')) return undefined;
  const [left, right] = call.args;
  if (left === undefined || left !== right) return undefined;
  const dtype = dtypeOf(context.typeOf(call));
  if (!isDType(dtype) || dtype === 'bool') return undefined;
  context.count('x + x');
  return build(context, 'multiply', [left, constant(scalar(2, dtype), call.span)], call.span);
};

/** `n / sqrt(x) => n * rsqrt(x)`; a root with other users would be computed in addition. */
export const divideByRoot: Rule = (call, context) => {
  if (!isCallOf(call, 'divide')) return undefined;
  const [numerator, root] = [operandOf(call, 0), operandOf(call, 1)];
  if (!isCallOf(root, 'sqrt')) return undefined;
  if (!context.isOnlyUser(root)) {
    context.count('kept: root with other users');
    return undefined;
  }
  context.count('n / sqrt(x)');
  const inverse = build(context, 'rsqrt', root.args, mergeSpans(call.span, root.span));
  return build(context, 'multiply', [numerator, inverse], call.span);
};

/**
 * `x op full(c) => x op c`, on either side, for an operator of two operands that broadcast; x has
 * the type of the result, so that only the value of the other operand matters.
 */
export const fillWithScalar: Rule = (call, context) => {
  if (!broadcasts(call, context)) return undefined;
  const [left, right] = [operandOf(call, 0), operandOf(call, 1)];
  const fill = fillOf(right, context);
  if (fill !== undefined) return filled(call, left, [left, fill], context);
  const first = fillOf(left, context);
  return first && filled(call, right, [first, right], context);
};

/** Whether the operator takes two operands that broadcast. */
const broadcasts = ({ op }: OpCall, { ops }: RuleContext): boolean =>
  ops.read(fusionColumn, op.name) === 'broadcast' && ops.get(op.name)?.inputs[0]?.name === 'lhs';

/** The call with a scalar in place of a filled tensor, if `x` has the shape of the result. */
function filled(
  call: OpCall,
  x: Expr,
  args: ReadonlyArray<Expr>,
  context: RuleContext,
): Expr | undefined {
  const isSame = haveSameShape(context.typeOf(x), context.typeOf(call));
  context.count(isSame ? 'op(x, full)' : 'kept: full operand broadcasts');
  return isSame ? build(context, call.op.name, args, call.span, call.attrs) : undefined;
}

/** The scalar value of every element of the expression. */
function fillOf(expr: Expr, context: RuleContext): Expr | undefined {
  const dtype = dtypeOf(context.typeOf(expr));
  if (!isDType(dtype)) return undefined;
  if (isCallOf(expr, 'zeros')) return constant(scalar(0, dtype), expr.span);
  if (isCallOf(expr, 'ones')) return constant(scalar(1, dtype), expr.span);
  if (!isCallOf(expr, 'full')) return undefined;
  const fill = operandOf(expr, 0);
  const value = constantOf(fill);
  const cast = value && evaluated('cast', [value], context, { dtype });
  return cast && constant(cast, mergeSpans(expr.span, fill.span));
}

const neutralRow = ({ value, commutes }: Neutral): Row => {
  if (value === 0) return commutes ? 'x + 0' : 'x - 0';
  return commutes ? 'x * 1' : 'x / 1';
};

function withConstant(expr: Expr, context: RuleContext): WithConstant | undefined {
  if (isCallOf(expr, 'add')) return eitherOrder('add', expr);
  if (isCallOf(expr, 'multiply')) return eitherOrder('multiply', expr);
  return isCallOf(expr, 'nn.bias_add') ? biasAsSum(expr, context) : undefined;
}

function eitherOrder(kind: WithConstant['kind'], call: OpCall): WithConstant | undefined {
  const [left, right] = [operandOf(call, 0), operandOf(call, 1)];
  const of = (x: Expr, c: Expr): WithConstant | undefined => {
    const value = constantOf(c);
    if (value === undefined || value.dtype === 'bool' || x._tag === 'Constant') return undefined;
    return { kind, x, c: value, span: mergeSpans(call.span, c.span), isBias: false };
  };
  return of(left, right) ?? of(right, left);
}

function biasAsSum(call: OpCall, context: RuleContext): WithConstant | undefined {
  const [x, bias] = [operandOf(call, 0), operandOf(call, 1)];
  const value = constantOf(bias);
  const rank = dimsOf(context.typeOf(x))?.length;
  if (value === undefined || rank === undefined || x._tag === 'Constant') return undefined;
  const axis = Number(call.attrs.axis);
  const after = axis < 0 ? -axis - 1 : rank - axis - 1;
  const attrs = { axis: 1, num_newaxis: after };
  const laid = after === 0 ? value : evaluated('expand_dims', [value], context, attrs);
  const span = mergeSpans(call.span, bias.span);
  return laid && { kind: 'add', x, c: laid, span, isBias: true };
}

/** `inner.x` with both constants as one. */
function merged(outer: WithConstant, inner: WithConstant, context: RuleContext): Expr | undefined {
  const k = combined(outer.kind, inner.c, outer.c, context);
  const span = mergeSpans(outer.span, inner.span);
  return k && build(context, outer.kind, [inner.x, constant(k, span)], span);
}

/** `a op b`, unless it is larger than both or a value is lost to overflow or underflow. */
function combined(
  kind: WithConstant['kind'],
  a: Tensor,
  b: Tensor,
  context: RuleContext,
): Tensor | undefined {
  const k = evaluated(kind, [a, b], context);
  if (k === undefined) return undefined;
  if (shapeSize(k.shape) > Math.max(shapeSize(a.shape), shapeSize(b.shape))) {
    context.count('kept: merged constant grows');
    return undefined;
  }
  if (!isFloat(k.dtype)) return k;
  const values = toNumbers(k);
  const vanishes = kind === 'multiply' && values.includes(0) && !hasZero(a) && !hasZero(b);
  if (!vanishes && values.every(Number.isFinite)) return k;
  context.count('kept: merged constant overflows');
  return undefined;
}

const hasZero = (c: Tensor): boolean => toNumbers(c).includes(0);

function evaluated(
  name: string,
  args: ReadonlyArray<Tensor>,
  { ops }: RuleContext,
  attrs: Attrs = noAttrs,
): Tensor | undefined {
  const value = evaluateOp(ops, name, attrs, args);
  return !isLeft(value) && isTensor(value.right) ? value.right : undefined;
}

/** Whether the expression is `value` in every element. */
function isAll(expr: Expr, value: number, context: RuleContext): boolean {
  const data = constantOf(expr);
  if (data !== undefined) return toNumbers(data).every((element) => element === value);
  if (!context.mayDrop(expr)) return false;
  return value === 0
    ? isCallOf(expr, 'zeros') || isCallOf(expr, 'zeros_like')
    : isCallOf(expr, 'ones') || isCallOf(expr, 'ones_like');
}

/** Whether `x op neutral` has the type of x: the neutral operand must not broadcast x. */
function hasResultType(x: Expr, neutral: Expr, call: OpCall, context: RuleContext): boolean {
  const type = context.typeOf(x);
  const result = context.typeOf(call);
  if (type?._tag !== 'TensorType' || result?._tag !== 'TensorType') return false;
  if (type.dtype !== result.dtype) return false;
  // A scalar broadcasts against any x without changing its shape.
  if (constantOf(neutral)?.shape.length === 0) return true;
  return haveSameShape(type, result);
}
