/** The variables of the type level: parameters, and the holes that inference fills. */
import { hashText, mixHash } from '@baton/base';

/** The kinds that a type parameter may have. */
export type ParamKind = 'Type' | 'Shape' | 'BaseType' | 'ShapeVar';

/** A type parameter. Its identity is the object; the name is a hint. */
export interface TypeVar {
  readonly _tag: 'TypeVar';
  readonly nameHint: string;
  readonly kind: ParamKind;
  readonly hash: number;
}

/**
 * A hole that inference fills. Its identity is the object. `literal` marks the dtype hole of a
 * number without suffix (types.md §6.3).
 */
export interface IncompleteType {
  readonly _tag: 'IncompleteType';
  readonly kind: ParamKind;
  readonly literal: 'int' | 'float' | undefined;
  readonly hash: number;
}

const TYPE_VAR = 0x4d11;
const INCOMPLETE_TYPE = 0x8bc3;

/** A new type parameter, different from every other. */
export const typeVar = (nameHint: string, kind: ParamKind = 'Type'): TypeVar => ({
  _tag: 'TypeVar',
  nameHint,
  kind,
  hash: mixHash(TYPE_VAR, hashText(kind)),
});

/** A new hole, different from every other. */
export const incompleteType = (
  kind: ParamKind = 'Type',
  literal?: 'int' | 'float',
): IncompleteType => ({
  _tag: 'IncompleteType',
  kind,
  literal,
  hash: mixHash(INCOMPLETE_TYPE, hashText(kind)),
});
