/** Configuration keys: each has a name, a type and a default. Nothing registers itself. */
import type { Diagnostic } from '@baton/base';
import { configNull, configUnknownKey, configWrongType } from './diagnostics.ts';

export type ConfigType = 'bool' | 'int' | 'float' | 'string';

export type ConfigValue = boolean | number | string;

/** A configuration key. Passes read their own with {@link readConfig}. */
export interface ConfigKey<T extends ConfigValue = ConfigValue> {
  readonly _tag: 'ConfigKey';
  readonly name: string;
  readonly type: ConfigType;
  readonly defaultValue: T;
  readonly doc: string;
}

export type Config = Readonly<Record<string, ConfigValue>>;

/** Makes a key: its name, its default and a sentence about it. */
type KeyMaker<T extends ConfigValue> = (name: string, defaultValue: T, doc: string) => ConfigKey<T>;

const keyOf =
  <T extends ConfigValue>(type: ConfigType): KeyMaker<T> =>
  (name, defaultValue, doc) => ({ _tag: 'ConfigKey', name, type, defaultValue, doc });

export const boolKey: KeyMaker<boolean> = keyOf('bool');

export const intKey: KeyMaker<number> = keyOf('int');

export const floatKey: KeyMaker<number> = keyOf('float');

export const stringKey: KeyMaker<string> = keyOf('string');

/** Makes the driver compare each pass's input before and after the pass. */
export const immutableModuleKey: ConfigKey<boolean> = boolKey(
  'testing.immutable_module',
  false,
  'Reports a pass that changes its input in place.',
);

/** The deepest group that operator fusion makes. */
export const fuseMaxDepthKey: ConfigKey<number> = intKey(
  'relay.FuseOps.max_depth',
  256,
  'The deepest group of operators that fusion makes.',
);

/** Whether fusion links constants into groups. */
export const fuseLinkParamsKey: ConfigKey<boolean> = boolKey(
  'relay.FuseOps.link_params',
  false,
  'Whether fusion moves constants into the groups that use them.',
);

/** Whether mixed precision keeps the dtype of the module's result. */
export const mixedPrecisionOutputKey: ConfigKey<boolean> = boolKey(
  'relay.ToMixedPrecision.keep_orig_output_dtype',
  false,
  "Whether mixed precision casts the module's result back to its dtype.",
);

/** The keys of the specification, which every context accepts. */
export const standardConfigKeys: ReadonlyArray<ConfigKey> = [
  immutableModuleKey,
  fuseMaxDepthKey,
  fuseLinkParamsKey,
  mixedPrecisionOutputKey,
];

/** The value of a key: the configured one, or else the key's default. */
export function readConfig<T extends ConfigValue>(
  context: { readonly config: Config },
  key: ConfigKey<T>,
): T {
  // The constructor of the context has checked the value against the key.
  return Object.hasOwn(context.config, key.name)
    ? (context.config[key.name] as T)
    : key.defaultValue;
}

/** The mistakes in a configuration: a diagnostic for each bad entry. */
export function checkConfig(
  config: Readonly<Record<string, unknown>>,
  keys: ReadonlyArray<ConfigKey>,
): ReadonlyArray<Diagnostic> {
  const byName = new Map(keys.map((key) => [key.name, key]));
  return Object.entries(config).flatMap(([name, value]) => {
    const key = byName.get(name);
    if (key === undefined) return [configUnknownKey(name, [...byName.keys()].sort())];
    if (value === null || value === undefined) return [configNull(name)];
    return IS_OF[key.type](value) ? [] : [configWrongType(name, key.type, typeof value)];
  });
}

const IS_OF: Readonly<Record<ConfigType, (value: unknown) => boolean>> = {
  bool: (value) => typeof value === 'boolean',
  int: Number.isSafeInteger,
  float: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
};
