/** Finding the assumption that answers a relation: types.md §3.2. */
import type { Type, TypeRelation } from '../types/type.ts';
import { typeRelation } from '../types/type.ts';
import { type IsClosed, sameType } from './closed.ts';
import { makeRelationKeys, type RelationKeys } from './relation-keys.ts';

/**
 * A search among relations for one with the same name, attributes and inputs. Where several have
 * them, which say the same of different outputs, each is found once before any is found again.
 *
 * **Complexity** amortized O(1) a search, as long as the inputs of the relations stay as they are.
 */
export function makeGivenFinder(
  relations: ReadonlyArray<TypeRelation>,
  resolve: (type: Type) => Type,
  canonical: (name: string) => string,
  isClosed: IsClosed,
): (wanted: TypeRelation) => TypeRelation | undefined {
  let keys: RelationKeys = makeRelationKeys();
  let byKey = new Map<string, TypeRelation[]>();
  let isOpen = true;
  const taken = new Set<TypeRelation>();
  const index = (): void => {
    keys = makeRelationKeys();
    byKey = new Map();
    isOpen = false;
    for (const relation of relations) {
      const { name, args, inputCount, attrs } = relation;
      const inputs = args.slice(0, inputCount).map(resolve);
      // What is found later in an open input changes its key.
      if (!inputs.every(isClosed)) isOpen = true;
      const key = keys.inputs(typeRelation(name, inputs, inputCount, attrs), canonical);
      const others = byKey.get(key);
      if (others === undefined) byKey.set(key, [relation]);
      else others.push(relation);
    }
  };
  return (wanted) => {
    if (isOpen) index();
    const candidates = (byKey.get(keys.inputs(wanted, canonical)) ?? []).filter((given) =>
      wanted.args.every((input, i) => sameType(input, resolve(given.args[i] as Type))),
    );
    const found = candidates.find((given) => !taken.has(given)) ?? candidates[0];
    if (found !== undefined) taken.add(found);
    return found;
  };
}
