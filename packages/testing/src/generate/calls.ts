/** The part of a builder for calls of operators that their relations accept. */
import { DiagnosticsError, InvariantError, isLeft } from '@baton/base';
import {
  type Attrs,
  call,
  type Expr,
  noAttrs,
  type OpTable,
  opRef,
  type TensorType,
  type Type,
} from '@baton/ir';
import type { Facts } from '@baton/ops';
import { invalidCall } from '../diagnostics.ts';
import { askRelation } from './ask.ts';
import type { Builder } from './builder.ts';
import { type Called, type Draft, madeFrom } from './draft.ts';
import { resultFacts } from './facts.ts';
import { settle } from './settle.ts';
import { tensorValue, type Value } from './value.ts';

export const calls = (
  draft: Draft,
  b: Builder,
): Pick<Builder, 'callCount' | 'spend' | 'attempt' | 'call' | 'tensor' | 'again'> => ({
  callCount: () => draft.calls,
  spend: (count) => {
    draft.calls += count;
  },
  attempt: (name, args, attrs = noAttrs) => {
    const called = tryCall(b.ops, name, args, attrs);
    if (typeof called === 'string') return called;
    const { expr } = called.value;
    draft.calls++;
    draft.made.set(expr, called);
    if (called.isStateful) draft.effects.add(expr);
    return madeFrom(draft, called.value, ...args);
  },
  call: (name, args, attrs = noAttrs) => {
    const result = b.attempt(name, args, attrs);
    if (typeof result !== 'string') return result;
    const given = `${JSON.stringify(attrs)} on ${args.map(describe).join(', ')}`;
    throw new DiagnosticsError([invalidCall(name, result, given)]);
  },
  tensor: (name, args, attrs) => {
    const result = b.call(name, args, attrs);
    if (result._tag === 'Tensor') return settle(b, result);
    const given = args.map(describe).join(', ');
    throw new DiagnosticsError([invalidCall(name, 'it gives a tuple, and no tensor', given)]);
  },
  again: <V extends Value>(
    value: V,
    attrs = noAttrs,
    change = (args: ReadonlyArray<Value>) => args,
  ): V | undefined => {
    const first = draft.made.get(value.expr);
    if (first === undefined) return undefined;
    const second = b.attempt(first.name, change(first.args), { ...first.attrs, ...attrs });
    // The same operator gives the same kind of value.
    return typeof second === 'string' ? undefined : (second as V);
  },
});

/** A call of an operator, or the reason why its relation refuses it. */
function tryCall(
  ops: OpTable,
  name: string,
  args: ReadonlyArray<Value>,
  given: Attrs,
): Called | string {
  const op = ops.get(name);
  if (op === undefined) return `there is no operator ${name}`;
  if (args.length !== op.inputs.length) {
    return `it takes ${op.inputs.length} arguments, and is given ${args.length}`;
  }
  const decoded = op.attrs.decode(given);
  if (isLeft(decoded)) return decoded.left.map((d) => d.message).join('; ');
  const attrs = decoded.right;
  const answer = askRelation(op, args, attrs);
  if (answer._tag === 'Refused') return answer.reason;
  const exprs = args.map((arg) => arg.expr);
  const facts = (type: TensorType): Facts => resultFacts(ops, op, args, attrs, type);
  const value = resultValue(call(opRef(name), exprs, { attrs }), answer.type, facts);
  return { name, args, attrs, value, isStateful: op.effect === 'stateful' };
}

function resultValue(expr: Expr, type: Type, facts: (type: TensorType) => Facts): Value {
  if (type._tag === 'TensorType') return tensorValue(expr, type, facts(type));
  if (type._tag !== 'TupleType') throw new InvariantError('an operator gives tensors');
  const fields = type.fields.map((field) => {
    if (field._tag !== 'TensorType') throw new InvariantError('an operator gives flat tuples');
    return { type: field, facts: facts(field) };
  });
  return { _tag: 'Tuple', expr, type, fields };
}

const describe = (value: Value): string =>
  value._tag === 'Tensor'
    ? `${value.dtype}[${value.shape.join(',')}]`
    : `(${value.fields.map((f) => `${f.type.dtype}[${String(f.type.shape)}]`).join(', ')})`;
