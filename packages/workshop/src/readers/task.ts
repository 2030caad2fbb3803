/** The messages between the fuzz run and its processes. */
import type { Cost, Measured, Thrown } from './measure.ts';
import type { Input, Parts } from './reader.ts';
import type { ReaderName } from './readers.ts';

export type Task =
  | {
      readonly _tag: 'Range';
      readonly reader: ReaderName;
      readonly seed: number;
      readonly from: number;
      readonly count: number;
    }
  | {
      readonly _tag: 'Check';
      readonly reader: ReaderName;
      readonly input: Input;
      readonly clean: Parts;
    };

/** An input that threw, or cost too much. */
export interface Suspect {
  readonly index: number;
  readonly thrown: Thrown | undefined;
  readonly cost: Cost;
}

export interface RangeResult {
  readonly _tag: 'Range';
  readonly ran: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly suspects: ReadonlyArray<Suspect>;
  /** The costs of the slowest input, and of the one that took the most memory. */
  readonly slowest: Cost & { readonly index: number };
  readonly largest: Cost & { readonly index: number };
}

/** The costs of an input and of its clean one, measured interleaved. */
export interface CheckResult {
  readonly _tag: 'Check';
  readonly clean: Measured;
  readonly input: Measured;
}

export type Answer = RangeResult | CheckResult;
