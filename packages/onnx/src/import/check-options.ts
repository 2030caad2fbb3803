/** Checks of the options of an import: unknown names, and values of a wrong kind. */
import { aLimit, type Diagnostic, LIMIT_TYPES, type Limits } from '@baton/base';
import { unknownName, unknownOption, wrongOption } from '../diagnostics.ts';
import { DEFAULT_DECODE_LIMITS } from '../protobuf/budget.ts';
import type { GraphProto } from '../protobuf/messages.ts';
import { dimensionName } from './dimensions.ts';
import { type ImportOptions, suppliedNames } from './options.ts';

/** The options and their kinds. Callers without types may have given anything. */
const OPTIONS: { readonly [N in keyof Required<ImportOptions>]: readonly [string, Test] } = {
  ops: ['an operator table', (value) => isRecord(value) && typeof value.get === 'function'],
  source: ['a text', (value) => typeof value === 'string'],
  dims: ['sizes by the names of dimensions', (value) => isRecord(value)],
  weights: ['weights by name', (value) => isRecord(value) || typeof value === 'function'],
  constants: ['tensors by the names of inputs', (value) => isRecord(value)],
  externalData: ['a function', (value) => typeof value === 'function'],
  ownsBytes: ['true or false', (value) => typeof value === 'boolean'],
  maxConstantBytes: ['a number of bytes', (value) => typeof value === 'number' && value >= 0],
  onWarning: ['a function', (value) => typeof value === 'function'],
  limits: ['limits by name', (value) => isRecord(value)],
  defaults: ['inputs or constants', (value) => value === 'inputs' || value === 'constants'],
};

type Test = (value: unknown) => boolean;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The mistakes in the options themselves. */
export function checkOptions(options: unknown, source: string): ReadonlyArray<Diagnostic> {
  if (!isRecord(options)) return [wrongOption('ops', OPTIONS.ops[0], options, source)];
  const problems: Diagnostic[] = [];
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(OPTIONS, name))
      problems.push(unknownOption(name, Object.keys(OPTIONS), source));
  }
  for (const [name, [expected, test]] of Object.entries(OPTIONS)) {
    const value = options[name];
    const isAbsent = value === undefined && name !== 'ops';
    if (!isAbsent && !test(value)) problems.push(wrongOption(name, expected, value, source));
  }
  return problems.length > 0 ? problems : checkItems(options, source);
}

/** The mistakes in the items of options that are records. */
function checkItems(
  options: Readonly<Record<string, unknown>>,
  source: string,
): ReadonlyArray<Diagnostic> {
  const problems: Diagnostic[] = [];
  const each = (option: string, expected: string, test: Test): void => {
    for (const [name, value] of Object.entries(options[option] ?? {})) {
      if (!test(value)) problems.push(wrongOption(`${option}.${name}`, expected, value, source));
    }
  };
  each('dims', 'a number', (value) => typeof value === 'number');
  each('constants', 'a tensor, a list of tensors, or null', isKnownLike);
  for (const [name, value] of Object.entries(options.limits ?? {})) {
    const { expected, is } = Object.hasOwn(LIMIT_TYPES, name)
      ? LIMIT_TYPES[name as keyof Limits]
      : aLimit;
    if (value !== undefined && !is(value)) {
      problems.push(wrongOption(`limits.${name}`, expected, value, source));
    }
  }
  if (!(options.weights instanceof Map)) each('weights', 'a tensor', isTensorLike);
  const limits = [...new Set([...Object.keys(DEFAULT_DECODE_LIMITS), ...Object.keys(LIMIT_TYPES)])];
  for (const name of Object.keys(options.limits ?? {})) {
    if (!limits.includes(name))
      problems.push(unknownName('limits', 'limits', name, limits, source));
  }
  return problems;
}

const isTensorLike: Test = (value) => isRecord(value) && 'shape' in value && 'dtype' in value;

const isKnownLike: Test = (value) =>
  value === null || isTensorLike(value) || (Array.isArray(value) && value.every(isTensorLike));

/** The names in the options that the graph does not have. */
export function checkNames(
  options: ImportOptions,
  graph: GraphProto,
  defaults: ReadonlySet<string>,
  source: string,
): ReadonlyArray<Diagnostic> {
  const initializers = new Set(graph.initializers.map((tensor) => tensor.name));
  const inputs = graph.inputs.filter(({ name }) => !initializers.has(name) || defaults.has(name));
  const dims = inputs.flatMap(({ name, type }) =>
    type?._tag === 'Tensor'
      ? (type.shape ?? []).flatMap((dim, axis) => dimensionName(name, axis, dim) ?? [])
      : [],
  );
  const filled = graph.nodes.filter((node) => node.opType === 'ConstantOfShape');
  const weights = [...initializers, ...filled.flatMap((node) => node.outputs)];
  const check = (
    option: 'dims' | 'constants' | 'weights',
    things: string,
    names: Iterable<string>,
    known: ReadonlyArray<string>,
  ): ReadonlyArray<Diagnostic> => {
    const all = new Set(known);
    return [...names]
      .filter((name) => !all.has(name))
      .map((name) => unknownName(option, things, name, [...all], source));
  };
  return [
    ...check('dims', 'dimensions', Object.keys(options.dims ?? {}), dims),
    ...check(
      'constants',
      'inputs',
      Object.keys(options.constants ?? {}),
      inputs.map((input) => input.name),
    ),
    ...check('weights', 'weights', suppliedNames(options), weights),
  ];
}
