/** The steps that build a program: calls, bindings, conditions, tuples, functions. */
import { InvariantError } from '@baton/base';
import { type Attrs, type FuncType, func, funcType, noAttrs, type OpInfo } from '@baton/ir';
import { magnitude } from '@baton/ops';
import type { Builder, Callee } from './generate/builder.ts';
import type { TensorValue, Value } from './generate/value.ts';
import { samplerOf } from './samplers/standard.ts';

export type ChooseOp = (b: Builder) => OpInfo;

/** Adds visible values to the program. */
export type Step = (b: Builder) => void;

export const callStep =
  (choose: ChooseOp): Step =>
  (b) => {
    const op = choose(b);
    const sampler = samplerOf(b.ops, op);
    if (sampler === undefined) throw new InvariantError(`${op.name} has a sampler`);
    keepResult(b, sampler(b, op));
  };

/** Makes a call's result visible: a tensor, sometimes as a variable; some fields of a tuple. */
export function keepResult(b: Builder, value: Value): void {
  if (value._tag === 'Tensor') {
    b.keep(b.random.chance(0.12) ? b.bind(value) : value);
    return;
  }
  const tuple = b.random.chance(0.2) || b.hasEffect(value) ? b.bind(value) : value;
  const indices = b.random.shuffle(value.fields.map((_, i) => i));
  const taken = indices.slice(0, b.random.int(1, Math.min(2, indices.length)));
  for (const index of taken) {
    b.keep(b.project(tuple, index));
    // The same projection again, as an equal node.
    if (b.random.chance(0.1)) b.keep(b.project(tuple, index));
  }
}

/** A binding whose value has bindings. */
export const letStep =
  (inner: Step): Step =>
  (b) => {
    const value = b.scoped(() => {
      inner(b);
      if (b.random.chance(0.5)) inner(b);
      return latest(b);
    });
    if (b.random.chance(0.7)) b.keep(b.bind(value));
    else b.keep(value);
  };

export function latest(b: Builder): TensorValue {
  const tensors = b.visible().filter((v): v is TensorValue => v._tag === 'Tensor');
  return tensors[tensors.length - 1] ?? b.operand();
}

/** A condition with branches of one type. */
export const ifStep =
  (inner: Step): Step =>
  (b) => {
    const like = latest(b);
    const cond = condition(b);
    const branch = (): TensorValue =>
      b.scoped(() => {
        inner(b);
        return ofType(b, like);
      }) as TensorValue;
    const [yes, no] = [branch(), branch()];
    b.keep(b.choose(cond, yes, no));
  };

/** A scalar of bool: a parameter, a constant, or a comparison. */
function condition(b: Builder): TensorValue {
  const kind = b.random.int(0, 3);
  if (kind === 0) return b.constant([b.random.int(0, 1)], [], 'bool');
  if (kind === 1 || b.numerics === 'smooth') return b.operand({ shape: [], dtype: 'bool' });
  const x = b.operand({ shape: [], kind: 'float' });
  return b.tensor(b.random.pick(['less', 'greater']), [x, b.constant([0.5], [], x.dtype)]);
}

/** A value of the type of `like`, made from the latest one if possible. */
function ofType(b: Builder, like: TensorValue): TensorValue {
  const same = b
    .visible()
    .filter(
      (v): v is TensorValue =>
        v._tag === 'Tensor' && v.dtype === like.dtype && v.shape.join() === like.shape.join(),
    );
  const found = same[same.length - 1] ?? like;
  if (found.expr !== like.expr || like.dtype === 'bool') return found;
  return b.tensor(b.random.pick(['negative', 'abs', 'nn.relu', 'copy']), [like]);
}

/** A tuple of visible values, with fields taken out again. */
export const tupleStep: Step = (b) => {
  const fields = Array.from({ length: b.random.int(1, 3) }, () => b.operand({ kind: 'any' }));
  keepResult(b, b.tuple(fields));
};

/** A local function, called at once and perhaps again later. */
export const functionStep =
  (inner: Step): Step =>
  (b) => {
    const { params, result } = b.inFunction(false, () => {
      const x = b.param(latest(b).shape);
      b.keep(x);
      inner(b);
      if (b.random.chance(0.5)) inner(b);
      return latest(b);
    });
    if (result._tag !== 'Tensor') throw new InvariantError('a step ends with a tensor');
    const literal = functionLiteral(b, params, result);
    const isBound = b.random.chance(0.7);
    const known = isBound ? { ...literal, expr: b.bindExpr(literal.expr, literal.type) } : literal;
    if (isBound) b.callees().push(known);
    callFunction(b, known);
  };

interface Literal extends Callee {
  readonly type: FuncType;
}

function functionLiteral(
  b: Builder,
  params: ReadonlyArray<TensorValue>,
  result: TensorValue,
  attrs: Attrs = noAttrs,
): Literal {
  const vars = params.map((p) => p.expr).filter((p) => p._tag === 'Var');
  const expr = func(vars, result.expr, { retType: result.type, attrs });
  const types = params.map((p) => p.type);
  const type = funcType(types, result.type);
  return { expr, params, result, type, isEffectful: b.hasEffect(result) };
}

/** A function literal that is called directly. */
export const callOfLiteral = (
  b: Builder,
  params: ReadonlyArray<TensorValue>,
  result: TensorValue,
  args: ReadonlyArray<TensorValue>,
  attrs: Attrs = noAttrs,
): TensorValue => b.apply(functionLiteral(b, params, result, attrs), args);

export function callFunction(b: Builder, callee: Callee): void {
  const args = callee.params.map((param) => {
    const arg = b.operand({ shape: param.shape, dtype: param.dtype });
    const small =
      magnitude(arg.facts) > magnitude(param.facts)
        ? b.within(arg, [param.facts.lo, param.facts.hi])
        : arg;
    return b.allows('test.effect') && b.random.chance(0.05)
      ? b.tensor('test.effect', [small])
      : small;
  });
  b.keep(b.apply(callee, args));
}
