/** The variables of the type level: parameters, and the holes that inference fills. */
import { hashText, mixHash } from '@baton/base';

export type ParamKind = 'Type' | 'Shape' | 'BaseType' | 'ShapeVar';

/**
 * The variables that a type mentions at any depth, known at birth: {@link HOLES} or
 * {@link VARIABLES}, or both.
 */
export type Mentions = number;

/** Mentions a hole: the type is not known in full. */
export const HOLES: Mentions = 1;

/** Mentions a type parameter, maybe one that it binds. */
export const VARIABLES: Mentions = 2;

/** A type parameter. Its identity is the object; the name is a hint. */
export interface TypeVar {
  readonly _tag: 'TypeVar';
  readonly nameHint: string;
  readonly kind: ParamKind;
  readonly mentions: Mentions;
  readonly hash: number;
}

/**
 * A hole that inference fills. Its identity is the object. `literal` marks the dtype hole of a
 * number without suffix ([types §6.3](https://batonjs.github.io/baton/spec/types#6.3)).
 */
export interface IncompleteType {
  readonly _tag: 'IncompleteType';
  readonly kind: ParamKind;
  readonly literal: 'int' | 'float' | undefined;
  readonly mentions: Mentions;
  readonly hash: number;
}

const hashesFrom = (seed: number): Readonly<Record<ParamKind, number>> => ({
  Type: mixHash(seed, hashText('Type')),
  Shape: mixHash(seed, hashText('Shape')),
  BaseType: mixHash(seed, hashText('BaseType')),
  ShapeVar: mixHash(seed, hashText('ShapeVar')),
});

const VAR_HASH = hashesFrom(0x4d11);
const HOLE_HASH = hashesFrom(0x8bc3);

export const typeVar = (nameHint: string, kind: ParamKind = 'Type'): TypeVar => ({
  _tag: 'TypeVar',
  nameHint,
  kind,
  mentions: VARIABLES,
  hash: VAR_HASH[kind],
});

/** A new hole, different from every other. */
export const incompleteType = (
  kind: ParamKind = 'Type',
  literal?: 'int' | 'float',
): IncompleteType => ({
  _tag: 'IncompleteType',
  kind,
  literal,
  mentions: HOLES,
  hash: HOLE_HASH[kind],
});
