/**
 * Checks of option records: a misspelled name or a value of a wrong type is a diagnostic with a
 * suggestion and the list of options. TypeScript refuses most such records; JavaScript programs and
 * spread records get here.
 */
import { type AnyFunction, callerPlace } from './caller.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import { didYouMean } from './did-you-mean.ts';
import { builderSpan } from './span.ts';

/** The values that an option accepts. */
export interface OptionType {
  /** The description in messages: `a whole number of at least 0`. */
  readonly expected: string;
  readonly is: (value: unknown) => boolean;
  /** The accepted texts, for suggestions. */
  readonly texts?: ReadonlyArray<string>;
  /** The wrong part of a wrong value, if only a part is wrong. */
  readonly culprit?: (value: unknown) => unknown;
}

/** The types of all options of a record: no field of `O` may be left out. */
export type OptionTypes<O> = { readonly [K in keyof O]-?: OptionType };

/**
 * The mistakes in a record of options; none if it matches `types`. An option that is not `required`
 * may be left out, or be `undefined`. `owner` names the function in messages; the place is the line
 * that called `callee`.
 *
 * **Errors** `OPTION_RECORD`, `OPTION_UNKNOWN`, `OPTION_TYPE`, `OPTION_MISSING`.
 */
export function checkOptions<O extends object>(
  owner: string,
  given: unknown,
  types: OptionTypes<O>,
  callee: AnyFunction,
  required: ReadonlyArray<keyof O & string> = [],
): ReadonlyArray<Diagnostic> {
  return atCaller(problemsOf(owner, given, types, required), owner, callee);
}

/** The diagnostics; those without a location get the line that called `callee`. */
export function atCaller(
  problems: ReadonlyArray<Diagnostic>,
  name: string,
  callee: AnyFunction,
): ReadonlyArray<Diagnostic> {
  if (problems.length === 0) return problems;
  const line = callerPlace(callee);
  const span = builderSpan(line === undefined ? name : `${name} at ${line}`);
  return problems.map((problem) => (problem.span === undefined ? { ...problem, span } : problem));
}

function problemsOf<O extends object>(
  owner: string,
  given: unknown,
  types: OptionTypes<O>,
  required: ReadonlyArray<keyof O & string>,
): ReadonlyArray<Diagnostic> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [optionRecord(owner, showOption(given))];
  }
  const known = new Map<string, OptionType>(Object.entries(types));
  const missing = required.filter((name) => (given as Partial<O>)[name] === undefined);
  const wrong = Object.entries(given).flatMap(([name, value]) => {
    const type = known.get(name);
    if (type === undefined) return [optionUnknown(owner, name, [...known.keys()])];
    if (value === undefined || type.is(value)) return [];
    return [optionType(owner, name, type, value)];
  });
  return [...wrong, ...missing.map((name) => optionMissing(owner, name, types[name]))];
}

const optionRecord = (owner: string, found: string): Diagnostic =>
  diagnostic('OPTION_RECORD', `${owner} expects a record of options, found ${found}`);

const optionUnknown = (owner: string, name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('OPTION_UNKNOWN', `${owner} has no option \`${name}\``, {
    hint: suggestion(name, known),
  });

const optionMissing = (owner: string, name: string, { expected }: OptionType): Diagnostic =>
  diagnostic('OPTION_MISSING', `${owner} needs \`${name}\`, ${expected}`);

function optionType(owner: string, name: string, type: OptionType, value: unknown): Diagnostic {
  const wrong = type.culprit === undefined ? value : type.culprit(value);
  const found = wrong === value ? showOption(value) : `${showOption(wrong)} in it`;
  return diagnostic(
    'OPTION_TYPE',
    `expected ${type.expected} for option \`${name}\` of ${owner}, found ${found}`,
    { hint: typeof wrong === 'string' ? didYouMean(wrong, type.texts ?? []) : undefined },
  );
}

/** The nearest of the known names, if one is near, and all of them, each after `sigil`. */
export const suggestion = (name: string, known: ReadonlyArray<string>, sigil = ''): string => {
  const near = didYouMean(name, known, sigil);
  const all = known.map((other) => `${sigil}${other}`).join(', ');
  const list = known.length === 0 ? 'there is none' : `there is ${all}`;
  return near === undefined ? list : `${near} ${list}`;
};

export function showOption(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) {
    return '_tag' in value && typeof value._tag === 'string' ? `a ${value._tag}` : 'a record';
  }
  return String(value);
}

export const aBoolean: OptionType = {
  expected: 'true or false',
  is: (value) => typeof value === 'boolean',
};

export const aText: OptionType = { expected: 'a text', is: (value) => typeof value === 'string' };

export const aFunction: OptionType = {
  expected: 'a function',
  is: (value) => typeof value === 'function',
};

/** Any value: its user checks it. */
export const anything: OptionType = { expected: 'a value', is: () => true };

export const aRecord: OptionType = {
  expected: 'a record',
  is: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

export const wholeNumber = (least: number): OptionType => ({
  expected: `a whole number of at least ${least}`,
  is: (value) => Number.isSafeInteger(value) && (value as number) >= least,
});

/** A limit: a number of at least 0, or no limit, `Infinity`. */
export const aLimit: OptionType = {
  expected: 'a number of at least 0',
  is: (value) => typeof value === 'number' && value >= 0,
};

export const oneOfThese = (values: ReadonlyArray<string | number>): OptionType => ({
  expected: values.map((value) => JSON.stringify(value)).join(' or '),
  is: (value) => (values as ReadonlyArray<unknown>).includes(value),
  texts: values.map(String),
});

export const listOf = (item: OptionType, items: string): OptionType => ({
  expected: `a list of ${items}`,
  is: (value) => Array.isArray(value) && value.every(item.is),
  culprit: (value) => (Array.isArray(value) ? value.find((one) => !item.is(one)) : value),
  ...(item.texts === undefined ? {} : { texts: item.texts }),
});

export const someOf = (texts: ReadonlyArray<string>): OptionType =>
  listOf(oneOfThese(texts), `some of ${texts.join(', ')}`);
