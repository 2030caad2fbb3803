/** A motif that exporters write. */
import type { Builder, Val } from '../builder.ts';

/** A motif of a few nodes, applied to a value. */
export interface Fragment {
  readonly name: string;
  readonly share: number;
  /** Adds the nodes; no result means that the value does not fit, and nothing was added. */
  readonly apply: (b: Builder, x: Val) => ReadonlyArray<Val>;
}

export const fragment = (
  name: string,
  share: number,
  apply: (b: Builder, x: Val) => Val | ReadonlyArray<Val> | undefined,
): Fragment => ({
  name,
  share,
  apply: (b, x) => {
    const found = apply(b, x);
    return found === undefined ? [] : 'name' in found ? [found] : found;
  },
});
