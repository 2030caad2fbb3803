/** Types in messages: in the notation of the text format, shortened if they are large. */
import type { RelatedNote } from '@baton/base';
import { operandNote } from '../diagnostics.ts';
import type { OpInput } from '../ops/op-table.ts';
import type { Dim } from '../types/dim.ts';
import type { DTypeTerm, Shape, Type } from '../types/type.ts';
import { dimText, dtypeText, shapeText, type TypeNames, typeText } from './types.ts';

/** Longer descriptions are cut. */
const MAX_CHARACTERS = 240;

/** A type in the notation of the text format, cut after about 240 characters. */
export const describeType = (type: Type): string => typeText(type, HINTS, MAX_CHARACTERS);

export const describeDim = (dim: Dim): string => dimText(dim, HINTS);

export const describeShape = (shape: Shape): string => shapeText(shape, HINTS);

export const describeDType = (dtype: DTypeTerm): string => dtypeText(dtype, HINTS);

/** The known types of a call's operands, as notes for a message about the call. */
export const operandNotes = (
  inputs: ReadonlyArray<OpInput>,
  types: ReadonlyArray<Type>,
): ReadonlyArray<RelatedNote> =>
  inputs.flatMap(({ name }, i) => {
    const type = types[i];
    return type === undefined || type._tag === 'IncompleteType'
      ? []
      : [operandNote(name, describeType(type))];
  });

/** Each type parameter keeps its hint as a name, even if several have the same. */
const HINTS: TypeNames = {
  typeVar: (v) => v.nameHint,
  within: () => new Map(),
  dtypeHole: ({ literal }) => (literal === undefined ? '_' : `{${literal} literal}`),
};
