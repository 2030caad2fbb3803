/** Calls of operators, with attributes completed. */
import { InvariantError, isLeft, type Span } from '@baton/base';
import { type Attrs, type Call, call, type Expr, noAttrs, type OpTable, opRef } from '@baton/ir';

/**
 * `name(args, attrs)`, with the defaults of attributes filled in.
 *
 * **Errors** throws an InvariantError for an operator that the table does not have, another number
 * of arguments than it has inputs, or attributes that it does not accept: what comes from outside
 * is checked with `OpInfo.attrs.decode`.
 */
export function callOp(
  ops: OpTable,
  name: string,
  args: ReadonlyArray<Expr>,
  attrs: Attrs = noAttrs,
  span?: Span,
): Call {
  const op = ops.get(name);
  if (op === undefined) throw new InvariantError(`a built call names an operator: ${name}`);
  if (args.length !== op.inputs.length) {
    const expected = `${op.inputs.length} arguments, found ${args.length}`;
    throw new InvariantError(`a built call of ${name} has ${expected}`);
  }
  const decoded = op.attrs.decode(attrs);
  if (isLeft(decoded)) {
    const reasons = decoded.left.map((d) => d.message).join('; ');
    throw new InvariantError(`a built call of ${name} has valid attributes: ${reasons}`);
  }
  return call(opRef(name), args, { attrs: decoded.right, span });
}
