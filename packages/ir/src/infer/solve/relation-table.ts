/** Which relations are the same: by name, attributes and arguments. */
import { numberIn, remember } from '@baton/base';
import { noAttrs } from '../../types/attrs.ts';
import { sameType } from '../../types/same-type.ts';
import type { Type, TypeRelation } from '../../types/type.ts';

/** Relations by name, attributes and resolved arguments. */
export class RelationTable {
  readonly #ids = new Map<Type, number>();
  readonly #byKey = new Map<string, { args: ReadonlyArray<Type>; relation: TypeRelation }[]>();
  readonly #canonical: (name: string) => string;

  /** `canonical` returns the name under which relations are compared. */
  constructor(canonical: (name: string) => string) {
    this.#canonical = canonical;
  }

  /** The relations with these arguments, in the order in which they were added. */
  find(relation: TypeRelation, args: ReadonlyArray<Type>): ReadonlyArray<TypeRelation> {
    const alike = this.#byKey.get(this.#keyOf(relation, args)) ?? [];
    return alike
      .filter((one) => one.args.every((type, i) => sameType(type, args[i] as Type)))
      .map((one) => one.relation);
  }

  add(relation: TypeRelation, args: ReadonlyArray<Type>): void {
    remember(this.#byKey, this.#keyOf(relation, args), () => []).push({ args, relation });
  }

  #keyOf(relation: TypeRelation, args: ReadonlyArray<Type>): string {
    const attrs = relation.attrs ?? noAttrs;
    const names = Object.keys(attrs);
    const shown =
      names.length === 0
        ? ''
        : JSON.stringify(
            names.sort().map((name) => [name, attrs[name]]),
            (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value),
          );
    return `${this.#canonical(relation.name)}(${args.map(this.#idOf).join()})${shown}`;
  }

  readonly #idOf = (type: Type): string => {
    if (type._tag !== 'TypeVar' && type._tag !== 'IncompleteType') return `#${type.hash}`;
    return String(numberIn(this.#ids, type));
  };
}
