/** Classes of dtypes, from which an operand's dtype is drawn. */
import { type DType, isFloat, isInteger } from '@baton/tensor';
import type { Choices } from './random.ts';

/** The kinds of dtypes that an operand may be asked for. */
export type DTypeClass = 'float' | 'int' | 'bool' | 'number' | 'any';

export function isOfClass(dtype: DType, kind: DTypeClass): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'bool':
      return dtype === 'bool';
    case 'float':
      return isFloat(dtype);
    case 'int':
      return isInteger(dtype);
    case 'number':
      return dtype !== 'bool';
  }
}

/** A dtype of the class: the program's own if it belongs to the class. */
export function someDType(random: Choices, float: DType, kind: DTypeClass): DType {
  switch (kind) {
    case 'bool':
      return 'bool';
    case 'int':
      return random.weighted([
        [4, 'int32'],
        [2, 'int64'],
        [1, 'int8'],
        [1, 'uint8'],
      ] as const);
    case 'float':
      return float;
    case 'number':
      return random.chance(0.8) ? float : 'int32';
    case 'any':
      return random.weighted([
        [6, float],
        [1, 'int32'],
        [1, 'bool'],
      ] as const);
  }
}
