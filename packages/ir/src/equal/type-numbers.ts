/** Numbers of types, for keys: a text of a type is cut if it is long, and shows variables by name. */
import { remember } from '@baton/base';
import type { Type } from '../types/type.ts';
import { typeEqual } from './type-equal.ts';

/**
 * A function that gives each type a number from 0; equal types have the same number.
 *
 * **Complexity** of a call: linear in the type, if no other type has its hash.
 */
export function makeTypeNumbers(): (type: Type) => number {
  const known = new Map<number, Array<readonly [Type, number]>>();
  let count = 0;
  return (type) => {
    const alike = remember<number, Array<readonly [Type, number]>>(known, type.hash, () => []);
    const old = alike.find(([one]) => typeEqual(one, type));
    if (old !== undefined) return old[1];
    alike.push([type, count]);
    return count++;
  };
}
