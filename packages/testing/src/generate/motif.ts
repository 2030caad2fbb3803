/** Motifs: the small patterns that passes look for, with the near misses that they must refuse. */
import type { Builder } from './builder.ts';
import type { TensorValue } from './value.ts';

/** A pattern of a few calls. The caller keeps its result. */
export interface Motif {
  readonly needs: ReadonlyArray<string>;
  /** Its frequency, relative to the others of its focus. */
  readonly weight: number;
  readonly make: (b: Builder) => TensorValue | undefined;
}

/**
 * A motif: `weight` is its frequency relative to others, `needs` names the operators that it
 * requires, and `make` builds the pattern.
 *
 * **Example**
 * `motif(1, 'multiply', (b) => b.tensor('multiply', [b.operand(), b.constant([2], [])]))`
 */
export const motif = (
  weight: number,
  needs: string,
  make: (b: Builder) => TensorValue | undefined,
): Motif => ({ weight, needs: needs.split(' ').filter((name) => name !== ''), make });

export const possible = (b: Builder, motifs: ReadonlyArray<Motif>): ReadonlyArray<Motif> =>
  motifs.filter((m) => m.needs.every(b.allows));

export const allowed = (b: Builder, names: string): ReadonlyArray<string> =>
  names.split(' ').filter(b.allows);

/** Keeps the value for a second user, so that the first is not its only one. */
export function shared(b: Builder, value: TensorValue, p: number): TensorValue {
  if (b.random.chance(p)) {
    b.keep(b.tensor(b.random.pick(allowed(b, 'negative copy abs nn.relu')), [value]));
  }
  return value;
}

/** The value, sometimes with an effect in between, which must not be moved or dropped. */
export const perhapsStateful = (b: Builder, value: TensorValue, p: number): TensorValue =>
  b.allows('test.effect') && b.random.chance(p) ? b.tensor('test.effect', [value]) : value;
