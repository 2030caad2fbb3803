/** Calls of operators that their relations accept. */
import { InvariantError, isLeft } from '@baton/base';
import {
  type Attrs,
  call,
  type Expr,
  type OpTable,
  opRef,
  type TensorType,
  type Type,
} from '@baton/ir';
import type { Facts } from '@baton/ops';
import { askRelation } from './ask.ts';
import { resultFacts } from './facts.ts';
import { tensorValue, type Value } from './value.ts';

/** A call, and what it is made of. */
export interface Called {
  readonly name: string;
  readonly args: ReadonlyArray<Value>;
  readonly attrs: Attrs;
  readonly value: Value;
  readonly isStateful: boolean;
}

/** A call of an operator, or the reason why its relation refuses it. */
export function tryCall(
  ops: OpTable,
  name: string,
  args: ReadonlyArray<Value>,
  given: Attrs,
): Called | string {
  const op = ops.get(name);
  if (op === undefined) throw new InvariantError(`a generated call names an operator: ${name}`);
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

/** A call in words. */
export const describeCall = (args: ReadonlyArray<Value>, attrs: Attrs): string =>
  `${JSON.stringify(attrs)} on ${args.map(describe).join(', ')}`;

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
