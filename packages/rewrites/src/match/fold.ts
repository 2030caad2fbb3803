/** Calls of constants, computed while rules run. */
import { isLeft } from '@baton/base';
import { type Constant, constant, type Expr, type IRModule, typeOf } from '@baton/ir';
import { evaluateCall, foldableColumn, isOpCall, staticTensor } from '@baton/ops';
import { isFloat, isTensor, shapeSize, toNumbers } from '@baton/tensor';
import { constantOf } from '../rule/term.ts';

/** Results up to this many elements are computed at once; larger ones are left to FoldConstant. */
const MAX_FOLDED = 4_096;

/**
 * The value of a call whose arguments are `args`, if these are constants and the result is small: not
 * larger than all of them together. A call without arguments is left as it is: its attributes are its
 * shortest form.
 */
export function foldedCall(
  m: IRModule,
  call: Expr,
  args: ReadonlyArray<Expr>,
): Constant | undefined {
  if (!isOpCall(call) || args.length === 0) return undefined;
  const values = args.map(constantOf).filter((value) => value !== undefined);
  if (values.length < args.length) return undefined;
  const { name } = call.op;
  const isPure = m.ops.get(name)?.effect === 'total';
  if (!isPure || (m.ops.read(foldableColumn, name) ?? 'by value') !== 'by value') return undefined;
  const type = typeOf(m, call);
  const size = type && staticTensor(type);
  const limit = Math.min(
    MAX_FOLDED,
    values.reduce((sum, { shape }) => sum + shapeSize(shape), 0),
  );
  if (size === undefined || shapeSize(size.shape) > limit) return undefined;
  const value = evaluateCall(m.ops, call, values);
  return isLeft(value) || !isTensor(value.right) ? undefined : constant(value.right, call.span);
}

/**
 * Whether a value is lost in a float constant: one overflows, or becomes 0 where no argument has
 * one. A step that computes such a constant gives another result than the program it replaces.
 */
export function losesValue({ data }: Constant, args: ReadonlyArray<Expr>): boolean {
  if (!isFloat(data.dtype)) return false;
  const values = toNumbers(data);
  const given = args.map(constantOf).filter((value) => value !== undefined);
  const all = (test: (element: number) => boolean): boolean =>
    given.every((value) => toNumbers(value).every(test));
  if (!values.every(Number.isFinite)) return all(Number.isFinite);
  return values.includes(0) && all((element) => element !== 0);
}
