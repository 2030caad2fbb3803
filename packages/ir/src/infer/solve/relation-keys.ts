/** Which relations are the same: by name, attributes and inputs. */
import { noAttrs } from '../../types/attrs.ts';
import type { Type, TypeRelation } from '../../types/type.ts';

/**
 * Keys for relations, such that relations with the same inputs have the same key. Different ones
 * rarely share a key: variables and holes are told apart by identity, which their hashes do not do.
 */
export interface RelationKeys {
  readonly inputs: (relation: TypeRelation, canonical: (name: string) => string) => string;
  readonly all: (relation: TypeRelation, canonical: (name: string) => string) => string;
}

/** Keys that can be compared with each other. The relations are resolved. */
export function makeRelationKeys(): RelationKeys {
  const ids = new Map<Type, number>();
  const idOf = (type: Type): string => {
    if (type._tag !== 'TypeVar' && type._tag !== 'IncompleteType') return `#${type.hash}`;
    const known = ids.get(type) ?? ids.size;
    ids.set(type, known);
    return String(known);
  };
  const key = (
    relation: TypeRelation,
    args: ReadonlyArray<Type>,
    canonical: (name: string) => string,
  ): string => {
    const attrs = relation.attrs ?? noAttrs;
    const names = Object.keys(attrs);
    const shown =
      names.length === 0
        ? ''
        : JSON.stringify(
            names.sort().map((name) => [name, attrs[name]]),
            (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value),
          );
    return `${canonical(relation.name)}(${args.map(idOf).join()})${shown}`;
  };
  return {
    inputs: (relation, canonical) =>
      key(relation, relation.args.slice(0, relation.inputCount), canonical),
    all: (relation, canonical) => key(relation, relation.args, canonical),
  };
}
