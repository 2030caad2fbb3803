/** Walks over values, stack-safe and linear in shared values. */
import type { Tensor } from '@baton/tensor';
import type { AdtValue, Closure, RefValue, TupleValue, Value } from './value.ts';
import { partsOf } from './value.ts';

/** The result for each kind of value. */
export interface ValueAlgebra<A> {
  readonly leaf: (value: Tensor | Closure) => A;
  readonly compound: (value: TupleValue | AdtValue, parts: ReadonlyArray<A>) => A;
  /** A cell has a result before its content, which `fill` gets later: it may contain itself. */
  readonly cell: (value: RefValue) => { readonly result: A; readonly fill: (content: A) => void };
}

/**
 * The value of `root` under `algebra`, which sees each compound value and each cell once.
 *
 * **Complexity** linear in the distinct values.
 */
export function foldValue<A>(root: Value, algebra: ValueAlgebra<A>): A {
  const done = new Map<Value, A>();
  const stack: Value[] = [];
  const parts: A[][] = [];
  const fills: Array<readonly [RefValue, (content: A) => void]> = [];
  /** The result for a value that needs no walk, or `undefined` after putting it on the stack. */
  const enter = (value: Value): { readonly result: A } | undefined => {
    if (value._tag === 'Tensor' || value._tag === 'Closure') return { result: algebra.leaf(value) };
    if (done.has(value)) return { result: done.get(value) as A };
    if (value._tag === 'Ref') {
      const { result, fill } = algebra.cell(value);
      done.set(value, result);
      fills.push([value, fill]);
      return { result };
    }
    stack.push(value);
    parts.push([]);
    return undefined;
  };
  const walk = (value: Value): A => {
    const direct = enter(value);
    if (direct !== undefined) return direct.result;
    for (;;) {
      const top = stack[stack.length - 1] as TupleValue | AdtValue;
      const ready = parts[parts.length - 1] as A[];
      const next = top.fields[ready.length];
      if (next !== undefined) {
        const known = enter(next);
        if (known !== undefined) ready.push(known.result);
        continue;
      }
      const result = algebra.compound(top, ready);
      done.set(top, result);
      stack.pop();
      parts.pop();
      const around = parts[parts.length - 1];
      if (around === undefined) return result;
      around.push(result);
    }
  };
  const result = walk(root);
  for (let next = fills.pop(); next !== undefined; next = fills.pop()) {
    next[1](walk(next[0].value));
  }
  return result;
}

/**
 * The number of values that a walk passes on a chain, from a value to its last part with parts,
 * before it remembers its place. Remembering each cell of a long list costs more than walking a
 * piece of it twice.
 */
export const STRIDE = 64;

/**
 * Whether a test holds for any tensor or function in a value. Shared parts are walked a bounded number of
 * times.
 *
 * **Complexity** linear in the distinct values.
 */
export function someLeaf(root: Value, test: (leaf: Tensor | Closure) => boolean): boolean {
  const seen = new Set<Value>();
  const pending: Value[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    // A chain, such as a list, needs no stack.
    let at: Value | undefined = next;
    for (let steps = 0; at !== undefined; steps++) {
      if (at._tag === 'Tensor' || at._tag === 'Closure') {
        if (test(at)) return true;
        break;
      }
      if (steps % STRIDE === 0) {
        if (seen.has(at)) break;
        seen.add(at);
      }
      const parts = partsOf(at);
      at = undefined;
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i] as Value;
        if (part._tag === 'Tensor' || part._tag === 'Closure') {
          if (test(part)) return true;
          continue;
        }
        if (at !== undefined) pending.push(at);
        at = part;
      }
    }
  }
  return false;
}
