/** The tensors of a value, as far as tuples go: expressions directed by types. */
import { run, runSteps, type Steps } from '@baton/base';
import { type Expr, type OpTable, type Type, tuple } from '@baton/ir';
import { callOp, fieldOf } from '@baton/ops';

/** The value with `onTensor` of each tensor in it; tuples are taken apart and made again. */
export function mapTensors(
  value: Expr,
  type: Type,
  onTensor: (tensor: Expr, type: Type) => Expr,
): Expr {
  function* mapped(part: Expr, of: Type): Steps<Expr> {
    if (of._tag !== 'TupleType') return onTensor(part, of);
    const fields: Expr[] = [];
    for (const [i, field] of of.fields.entries()) {
      fields.push(yield* run(mapped(fieldOf(part, i), field)));
    }
    return tuple(fields);
  }
  return runSteps(mapped(value, type));
}

/** The tensors of two values of one type, side by side; `undefined` for a value that has none. */
export function tensorsOf(
  type: Type,
  ...values: ReadonlyArray<Expr>
): ReadonlyArray<ReadonlyArray<Expr>> {
  const found: ReadonlyArray<Expr>[] = [];
  const pending: Array<readonly [Type, ReadonlyArray<Expr>]> = [[type, values]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [of, parts] = next;
    if (of._tag !== 'TupleType') found.push(parts);
    else {
      const fields = of.fields.map((field, i) => [field, parts.map((p) => fieldOf(p, i))] as const);
      pending.push(...fields.reverse());
    }
  }
  return found;
}

/** The first tensor of a value; `undefined` if it does not begin with one. */
export function firstTensor(value: Expr, type: Type): Expr | undefined {
  let [part, of] = [value, type];
  while (of._tag === 'TupleType') {
    const [field] = of.fields;
    if (field === undefined) return undefined;
    [part, of] = [fieldOf(part, 0), field];
  }
  return of._tag === 'TensorType' ? part : undefined;
}

export const zerosOf = (ops: OpTable, value: Expr, type: Type): Expr =>
  mapTensors(value, type, (tensor) => callOp(ops, 'zeros_like', [tensor]));

export function sumOf(ops: OpTable, values: readonly [Expr, ...Expr[]], type: Type): Expr {
  const [first, ...rest] = values;
  function* added(parts: readonly [Expr, ...Expr[]], of: Type): Steps<Expr> {
    if (of._tag !== 'TupleType') {
      const [head, ...tail] = parts;
      return tail.reduce<Expr>((total, part) => callOp(ops, 'add', [total, part]), head);
    }
    const fields: Expr[] = [];
    for (const [i, field] of of.fields.entries()) {
      const own = parts.map((part) => fieldOf(part, i)) as [Expr, ...Expr[]];
      fields.push(yield* run(added(own, field)));
    }
    return tuple(fields);
  }
  return rest.length === 0 ? first : runSteps(added(values, type));
}
