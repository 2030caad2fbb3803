/** The context of a run of passes: levels, names, configuration, instruments, and the clock. */
import {
  type AnyFunction,
  aBoolean,
  aFunction,
  aLimit,
  aRecord,
  aText,
  checkOptions,
  type Diagnostic,
  failure,
  type Limits,
  listOf,
  type OptionType,
  type OptionTypes,
  type Result,
  right,
  someLimits,
} from '@baton/base';
import type { IRModule } from '@baton/ir';
import { type Config, type ConfigKey, checkConfig, standardConfigKeys } from './config.ts';
import { countOperatorCalls } from './count.ts';
import type { Instrument } from './instrument.ts';

/** The environment of a run of passes. Made by {@link passContext}, which checks it. */
export interface PassContext {
  /** A pipeline runs the passes up to this level. Default: no limit, so that it runs every pass. */
  readonly level: number;
  /** Names of passes that a pipeline runs at any level. */
  readonly requiredPasses: ReadonlyArray<string>;
  /** Names of passes that a pipeline never runs, even if they are in `requiredPasses`. */
  readonly disabledPasses: ReadonlyArray<string>;
  /** Read it with `readConfig`. */
  readonly config: Config;
  readonly configKeys: ReadonlyArray<ConfigKey>;
  readonly instruments: ReadonlyArray<Instrument>;
  /** The clock, in milliseconds. Without one every duration is 0. */
  readonly now: () => number;
  /** Counts nodes for the report, before and after each pass. */
  readonly countNodes: (m: IRModule) => number;
  /** Whether the result of each pass is checked for well-formedness. */
  readonly verify: boolean;
  /**
   * What the run may take: the bytes of all constants that its passes compute, the nodes that they make,
   * and the time. The defaults follow from the size of the program.
   */
  readonly limits: Limits;
}

/** The parts of a context that differ from the default. */
export type PassContextParts = Partial<PassContext>;

/**
 * A context.
 *
 * **Errors** `OPTION_UNKNOWN`, `OPTION_TYPE`, `PASS_CONFIG_UNKNOWN`, `PASS_CONFIG_TYPE`,
 * `PASS_CONFIG_NULL`.
 */
export function passContext(
  parts: PassContextParts = {},
  callee: AnyFunction = passContext,
): Result<PassContext> {
  return failure(contextProblems(parts, callee)) ?? derivedContext(defaultContext, parts);
}

/** The mistakes in the parts of a context: unknown names and wrong types. */
export const contextProblems = (
  parts: PassContextParts,
  callee: AnyFunction,
): ReadonlyArray<Diagnostic> => checkOptions('a pass context', parts, CONTEXT_TYPES, callee);

/** The context `base` with some parts replaced; configurations are merged. */
export function derivedContext(base: PassContext, parts: PassContextParts): Result<PassContext> {
  const configKeys = [...base.configKeys, ...(parts.configKeys ?? [])];
  const context: PassContext = {
    ...base,
    ...parts,
    configKeys,
    config: { ...base.config, ...parts.config },
  };
  return failure(checkConfig(context.config, configKeys)) ?? right(context);
}

/** Whether a pipeline runs the pass: disabled beats required beats level. */
export function passEnabled(
  context: PassContext,
  pass: { readonly name: string; readonly level: number },
): boolean {
  if (context.disabledPasses.includes(pass.name)) return false;
  return context.requiredPasses.includes(pass.name) || context.level >= pass.level;
}

const defaultContext: PassContext = {
  level: Number.POSITIVE_INFINITY,
  requiredPasses: [],
  disabledPasses: [],
  config: {},
  configKeys: standardConfigKeys,
  instruments: [],
  now: () => 0,
  countNodes: countOperatorCalls,
  verify: true,
  limits: {},
};

const anInstrument: OptionType = {
  expected: 'an instrument',
  is: (value) =>
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    HOOKS.every((hook) => {
      const call = (value as Readonly<Record<string, unknown>>)[hook];
      return call === undefined || typeof call === 'function';
    }),
};

const HOOKS = ['enter', 'exit', 'shouldRun', 'beforePass', 'afterPass'] satisfies ReadonlyArray<
  keyof Instrument
>;

const CONTEXT_TYPES: OptionTypes<PassContextParts> = {
  level: aLimit,
  requiredPasses: listOf(aText, 'names of passes'),
  disabledPasses: listOf(aText, 'names of passes'),
  config: aRecord,
  configKeys: listOf(aRecord, 'configuration keys'),
  instruments: listOf(anInstrument, 'instruments: a name and functions as hooks'),
  now: aFunction,
  countNodes: aFunction,
  verify: aBoolean,
  limits: someLimits,
};
