/**
 * Numbers without suffix: their possible dtypes, and their final ones
 * ([types §6.3](https://batonjs.github.io/baton/spec/types#6.3)).
 */
import {
  type DType,
  dtypeInfo,
  isBig,
  isDType,
  isFloat,
  isInteger,
  readBigInt,
  readNumber,
  scalar,
} from '@baton/tensor';
import { literalValue } from '../../describe/numbers.ts';
import { constant } from '../../expr/construct.ts';
import type { Constant } from '../../expr/expr.ts';

/** The class of a literal: an integer may become any number, the other only a float. */
export type LiteralClass = 'int' | 'float';

/** Whether a literal of this class may have the dtype at all; never bool. */
export function classAllows(literal: LiteralClass, dtype: string): dtype is DType {
  if (!isDType(dtype)) return false;
  return isFloat(dtype) || (literal === 'int' && isInteger(dtype));
}

/** Whether a dtype holds the literal: integers exactly, floats up to the greatest finite one. */
export function canHold(dtype: DType, literal: Constant): boolean {
  const { min, max } = dtypeInfo(dtype);
  if (isFloat(dtype)) return Math.abs(readNumber(literal.data, 0)) <= Number(max);
  const { data } = literal;
  if (!isBig(data.dtype) && !isBig(dtype)) {
    const number = readNumber(data, 0);
    return Number.isInteger(number) && number >= Number(min) && number <= Number(max);
  }
  const value = exactInteger(literal);
  return value !== undefined && value >= BigInt(min) && value <= BigInt(max);
}

/** The default dtype of literals; `undefined` if none can hold them. */
export function defaultDType(
  literal: LiteralClass,
  literals: ReadonlyArray<Constant>,
): DType | undefined {
  if (literal === 'float') {
    return literals.every((l) => canHold('float32', l)) ? 'float32' : undefined;
  }
  if (literals.every((l) => canHold('int32', l))) return 'int32';
  return literals.every((l) => canHold('int64', l)) ? 'int64' : undefined;
}

/** The literal as a constant of a dtype, without mark: the written value, rounded once. */
export const typedLiteral = (literal: Constant, dtype: DType): Constant =>
  constant(
    literal.data.dtype === dtype ? literal.data : scalar(literalValue(literal), dtype),
    literal.span,
  );

function exactInteger(literal: Constant): bigint | undefined {
  const { data } = literal;
  if (isInteger(data.dtype)) return readBigInt(data, 0);
  const value = readNumber(data, 0);
  return Number.isInteger(value) ? BigInt(value) : undefined;
}
