/** Limits on the work on a program, from its file to its results. */
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import { aFunction, aLimit, type OptionType, type OptionTypes } from './options.ts';
import type { Span } from './span.ts';

/**
 * What work on a program may take. Each stage takes one record, and has a default of its own for what
 * the record leaves out. Amounts are counted, so that a limit holds at the same place on every
 * machine.
 */
export interface Limits {
  /** The most bytes of what a stage computes: all constants of an import, a run of passes or an export, one result of a run. */
  readonly bytes?: number;
  /** The most elements of one tensor that is computed. */
  readonly elements?: number;
  /** The most nodes that a stage makes: of an import, a pass, or an export. */
  readonly nodes?: number;
  /** The most steps of a run: calls of functions, and the work of operators. */
  readonly steps?: number;
  /**
   * The most parts of types that inference copies for the uses of polymorphic functions. By default 512 for
   * each visited node, but at least 2^18, and at most 2^22 or 64 for each node.
   */
  readonly typeParts?: number;
  /** Asked from time to time; true ends the work. `withinSeconds` of the facade makes one of a clock. */
  readonly shouldStop?: (() => boolean) | undefined;
}

export const LIMIT_TYPES: OptionTypes<Limits> = {
  bytes: aLimit,
  elements: aLimit,
  nodes: aLimit,
  steps: aLimit,
  typeParts: aLimit,
  shouldStop: aFunction,
};

export const someLimits: OptionType = {
  expected: `limits: a record of ${Object.keys(LIMIT_TYPES).join(', ')}`,
  is: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([name, limit]) =>
        limit === undefined ||
        (Object.hasOwn(LIMIT_TYPES, name) && LIMIT_TYPES[name as keyof Limits].is(limit)),
    ),
};

export type Quantity = 'bytes' | 'elements' | 'nodes' | 'steps';

/** The amounts that are left of limits. One budget serves one stage of the work. */
export interface Budget {
  /** Takes an amount; if less is left, takes nothing and returns false. */
  readonly take: (quantity: Quantity, amount: number) => boolean;
  /** Takes the bytes of a tensor from the total, and checks its number of elements. */
  readonly takeTensor: (elements: number, bytesEach: number) => boolean;
  readonly left: (quantity: Quantity) => number;
  /** Whether the host asks to stop. */
  readonly isOver: () => boolean;
  /** How the host says so; `undefined` if it never does. */
  readonly shouldStop: Limits['shouldStop'];
  /** The limits of type inference, which keeps its own counts. */
  readonly inference: Pick<Limits, 'typeParts' | 'shouldStop'>;
  /** The diagnostic for an amount beyond a limit: its cause, and the option to raise. */
  readonly exceeded: (what: string, quantity: Quantity, amount: number, span?: Span) => Diagnostic;
}

/** A budget of limits; defaults that take work to find are functions, called on demand. */
export function budgetWithin(limits: Limits, defaults: () => Limits = () => ({})): Budget {
  let found: Limits | undefined;
  const byDefault = (quantity: Quantity): number => {
    found ??= defaults();
    return found[quantity] ?? Number.POSITIVE_INFINITY;
  };
  const limitOf = (quantity: Quantity): number => limits[quantity] ?? byDefault(quantity);
  const used = { bytes: 0, elements: 0, nodes: 0, steps: 0 };
  const left = (quantity: Quantity): number => limitOf(quantity) - used[quantity];
  // Not a number is beyond every limit.
  const take = (quantity: Quantity, amount: number): boolean => {
    const hasRoom = amount <= left(quantity);
    if (hasRoom) used[quantity] += amount;
    return hasRoom;
  };
  return {
    take,
    takeTensor: (elements, bytesEach) =>
      elements <= limitOf('elements') && take('bytes', elements * bytesEach),
    left,
    isOver: () => limits.shouldStop?.() === true,
    shouldStop: limits.shouldStop,
    inference: limits,
    exceeded: (what, quantity, amount, span) =>
      limitExceeded(what, quantity, amount, limitOf(quantity), span),
  };
}

export const limitExceeded = (
  what: string,
  quantity: Quantity,
  amount: number,
  limit: number,
  span?: Span,
): Diagnostic =>
  diagnostic('LIMIT', `${what} takes ${amount} ${quantity}, more than the limit of ${limit}`, {
    span,
    hint: `raise \`limits.${quantity}\` if you trust the program`,
  });

/** Whether the engine could not allocate an array; false for a stack overflow. */
export const isLackOfMemory = (error: unknown): boolean =>
  error instanceof RangeError && /length|size|alloc|memory|count value/i.test(error.message);

export const stoppedByHost = (what: string, span?: Span): Diagnostic =>
  diagnostic('LIMIT_TIME', `${what} was stopped by its host`, {
    span,
    hint: 'give it more time',
  });
