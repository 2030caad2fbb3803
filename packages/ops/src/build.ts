/** Builds calls of operators with completed attributes. */
import {
  builderSpan,
  callerPlace,
  type Diagnostic,
  didYouMean,
  fail,
  failure,
  isLeft,
  type Result,
  right,
  type Span,
  throwAt,
} from '@baton/base';
import {
  type Attrs,
  type Call,
  call,
  type Expr,
  isExpr,
  noAttrs,
  type OpInfo,
  type OpTable,
  opRef,
  tuple,
  tupleGetItem,
} from '@baton/ir';
import { isTensor } from '@baton/tensor';
import { notAnExpr, unknownOp, wrongArgs } from './diagnostics.ts';

/**
 * `name(args, attrs)`, with the defaults of attributes filled in. **Errors** throws a
 * `DiagnosticsError` with `OP_UNKNOWN`, `OP_ARITY`, `OP_ARGUMENT`, or the errors of the attributes.
 * For names from outside, look in the table first.
 */
export function callOp(
  ops: OpTable,
  name: string,
  args: ReadonlyArray<Expr>,
  attrs: Attrs = noAttrs,
  span?: Span,
): Call {
  const op = ops.get(name);
  const result =
    op === undefined
      ? fail(unknownOp(name, didYouMean(name, ops.names), span))
      : completeCall(op, args, attrs, span);
  return isLeft(result) ? throwAt(result.left, callOp) : result.right;
}

/** A field of a tuple; of a tuple that is written out, the field's own expression. */
export const fieldOf = (a: Expr, index: number, span?: Span): Expr =>
  (a._tag === 'Tuple' ? a.fields[index] : undefined) ?? tupleGetItem(a, index, span);

export type Fields = Expr | ReadonlyArray<Expr>;

/**
 * The body of every generated builder. The call's span is `span`, or the line that called the
 * builder, so type errors point there. **Errors** throws a `DiagnosticsError` whose stack begins at
 * that line.
 */
export function build(
  builder: (...args: never) => Call,
  op: OpInfo,
  args: ReadonlyArray<Fields>,
  attrs: object,
  span: Span | undefined,
): Call {
  // A surplus argument arrives as the attributes or the span.
  const given = [...args, ...[attrs, span].filter(isExpr)];
  const place = span === undefined || isExpr(span) ? placeOf(op.name, builder) : span;
  const result = completeCall(op, given, attrs as Attrs, place);
  return isLeft(result) ? throwAt(result.left, builder) : result.right;
}

function placeOf(name: string, builder: (...args: never) => Call): Span {
  const line = callerPlace(builder);
  return builderSpan(line === undefined ? name : `${name} at ${line}`);
}

function completeCall(
  op: OpInfo,
  given: ReadonlyArray<Fields | undefined>,
  attrs: Attrs,
  span: Span | undefined,
): Result<Call> {
  const names = op.inputs.map((input) => input.name);
  const found = given.filter((arg) => arg !== undefined);
  if (found.length !== names.length) {
    return fail(wrongArgs(op.name, names, found.length, span));
  }
  const args: Expr[] = [];
  const problems: Diagnostic[] = [];
  for (const [i, arg] of found.entries()) {
    const whole = Array.isArray(arg) && arg.every(isExpr) ? tuple(arg, span) : arg;
    if (isExpr(whole)) args.push(whole);
    else problems.push(notAnExpr(op.name, names[i] ?? '', showGiven(arg), adviceOn(arg), span));
  }
  const decoded = op.attrs.decode(attrs);
  if (isLeft(decoded)) {
    const placed = decoded.left.map((d) => (span === undefined ? d : { ...d, span }));
    return failure([...problems, ...placed]) ?? decoded;
  }
  return failure(problems) ?? right(call(opRef(op.name), args, { attrs: decoded.right, span }));
}

/** Describes a JavaScript value that was passed instead of an expression. */
function showGiven(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) {
    return '_tag' in value ? `a ${value._tag}` : 'an object';
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function adviceOn(value: unknown): string | undefined {
  if (isTensor(value)) return 'write constant(t) for a tensor t';
  if (typeof value === 'number') return `write constant(tensor([${value}], [], 'float32'))`;
  if (typeof value !== 'object' || value === null || !('_tag' in value)) return undefined;
  const isResult = value._tag === 'Right' || value._tag === 'Left';
  return isResult ? 'take the value out of the result: orThrow(result)' : undefined;
}
