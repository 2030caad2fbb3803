/** The contents of references, as far as they are known at one point of the evaluation. */
import type { KnownRef, Value } from './value.ts';

/** Known contents; branches read those around them, in linear time, and write their own. */
export class Store {
  readonly #own = new Map<KnownRef, Value>();
  readonly #around: Store | undefined;

  constructor(around?: Store) {
    this.#around = around;
  }

  read(ref: KnownRef): Value | undefined {
    let at: Store | undefined = this;
    for (; at !== undefined; at = at.#around) {
      const found = at.#own.get(ref);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  write(ref: KnownRef, value: Value): void {
    this.#own.set(ref, value);
  }
}
