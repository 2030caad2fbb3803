/** Reads the file of settings: `baton.config.ts`, `.mjs`, `.js` or `.json`. */
import { didYouMean, fail, type Result, right } from '@baton/base';
import type { Pass } from 'batonjs';
import type { CommandOptions, OptionValue, Settings } from './command.ts';
import { unfit } from './diagnostics.ts';

/** Settings: options by name, which the command line overrides, and passes. */
export interface BatonConfig {
  readonly level?: 0 | 1 | 2 | 3;
  readonly rules?: ReadonlyArray<string>;
  readonly search?: boolean;
  readonly dim?: Readonly<Record<string, number>>;
  readonly opset?: number;
  readonly 'external-data'?: boolean;
  readonly verify?: boolean;
  readonly unchecked?: boolean;
  readonly 'keep-going'?: boolean;
  readonly json?: boolean;
  /** Passes that run after the level's and the rules. */
  readonly passes?: ReadonlyArray<Pass>;
}

export const defineConfig = (config: BatonConfig): BatonConfig => config;

/** The names of settings, each with its form as an option. */
const SETTINGS: { readonly [K in Exclude<keyof BatonConfig, 'passes'>]-?: Form } = {
  level: 'text',
  rules: 'texts',
  search: 'flag',
  dim: 'pairs',
  opset: 'text',
  'external-data': 'flag',
  verify: 'flag',
  unchecked: 'flag',
  'keep-going': 'flag',
  json: 'flag',
};

type Form = 'text' | 'texts' | 'flag' | 'pairs';

export interface ReadConfig extends Settings {
  readonly values: Readonly<Record<string, OptionValue>>;
}

export function readConfig(config: unknown, options: CommandOptions): Result<ReadConfig> {
  if (config === undefined) return right({ values: {}, passes: [] });
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    return fail(unfit(SOURCE, 'expected settings by name as its default export'));
  }
  const values: Record<string, OptionValue> = {};
  for (const [name, given] of Object.entries(config)) {
    if (name === 'passes') continue;
    if (!Object.hasOwn(SETTINGS, name)) {
      const known = [...Object.keys(SETTINGS), 'passes'];
      return fail(unfit(SOURCE, `there is no setting ${name}`, didYouMean(name, known)));
    }
    const form = SETTINGS[name as keyof typeof SETTINGS];
    const value = asOption(form, given);
    if (value === undefined) return fail(unfit(SOURCE, `${name} expects ${EXPECTED[form]}`));
    if (Object.hasOwn(options, name)) values[name] = value;
  }
  const passes: unknown = 'passes' in config ? config.passes : [];
  return Array.isArray(passes)
    ? right({ values, passes })
    : fail(unfit(SOURCE, 'passes expects a list of passes'));
}

const SOURCE = 'baton.config';

const EXPECTED: Readonly<Record<Form, string>> = {
  text: 'a number or text',
  texts: 'a list of texts',
  flag: 'true or false',
  pairs: 'numbers by name',
};

function asOption(form: Form, given: unknown): OptionValue | undefined {
  switch (form) {
    case 'text':
      return typeof given === 'string' || typeof given === 'number' ? String(given) : undefined;
    case 'texts':
      return Array.isArray(given) && given.every((one) => typeof one === 'string')
        ? given
        : undefined;
    case 'flag':
      return typeof given === 'boolean' ? given : undefined;
    case 'pairs': {
      if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
      const pairs = Object.entries(given);
      const isFit = pairs.every(([, value]) => asOption('text', value) !== undefined);
      return isFit ? pairs.map(([name, value]) => `${name}=${value}`) : undefined;
    }
  }
}
