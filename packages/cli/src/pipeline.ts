/** The pipeline of `optimize`: a level, rules, searches, and the passes of the settings. */
import { fail, isLeft, type Result, right } from '@baton/base';
import {
  greedy,
  optimize,
  type Pass,
  passes,
  type RuleSet,
  rewrites,
  saturate,
  sequential,
} from 'batonjs';
import type { CommandOptions, Session } from './command.ts';
import { misuse, unfit } from './diagnostics.ts';
import type { Host } from './host.ts';

export const PIPELINE_OPTIONS: CommandOptions = {
  level: {
    type: 'string',
    value: '0..3',
    words: ['0', '1', '2', '3'],
    doc: 'the passes that run: the higher, the more. Default: 3',
  },
  rules: {
    type: 'string',
    multiple: true,
    value: 'SET',
    words: ['common', 'all', 'none'],
    doc: 'rules that run after the level: common (the default), all, none, a set by name, or a module FILE.mjs that exports sets',
  },
  search: {
    type: 'boolean',
    doc: 'apply the rules by equality saturation: the best program that all orders of them reach',
  },
  costs: {
    type: 'string',
    value: 'FILE',
    doc: 'the times of calls that `baton tune` measured: algorithms and searches choose by them',
  },
};

const LEVELS = [0, 1, 2, 3] as const;

/** Whether constants may become larger: not for a file, since its readers compute them. */
export interface Growth {
  readonly keepsSmaller?: boolean;
}

export async function pipelineOf(
  session: Session,
  { keepsSmaller = false }: Growth = {},
): Promise<Result<Pass>> {
  const written = session.text('level') ?? '3';
  const level = LEVELS.find((one) => String(one) === written);
  if (level === undefined) return misuse(`--level expects 0, 1, 2 or 3, found ${written}`);
  const sets = await chosenRules(session.host, session.texts('rules'));
  if (isLeft(sets)) return sets;
  const costs = await costsOf(session);
  if (isLeft(costs)) return costs;
  const ruled =
    sets.right.length === 0
      ? []
      : [rulesPass(sets.right, session.has('search'), { keepsSmaller, ...costs.right })];
  const own = session.settings.passes as ReadonlyArray<Pass>;
  return right(
    sequential([optimize({ level, keepsSmaller, ...costs.right }), ...ruled, ...own], {
      name: 'baton',
    }),
  );
}

/** Measured times of calls, if there are any. */
interface Costs {
  readonly times?: rewrites.CallTimes;
}

/** The times in the file of `--costs`. */
export async function costsOf({ host, text }: Session): Promise<Result<Costs>> {
  const path = text('costs');
  if (path === undefined) return right({});
  const bytes = await host.read(path);
  if (isLeft(bytes)) return bytes;
  const value = jsonIn(bytes.right);
  const times = rewrites.readCallTimes(value);
  if (!isLeft(times)) return right({ times: times.right });
  const [problem] = times.left;
  return fail(unfit(path, problem.message, 'make it with `baton tune`'));
}

/** The value of JSON text; `undefined` if it is none. */
function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** A pipeline that does less than the requested one. */
export interface Gentler {
  readonly level: number;
  readonly pipeline: Pass;
}

/** The pipelines of levels only, from the requested one down. */
export function gentlerPipelines({ text, settings }: Session): ReadonlyArray<Gentler> {
  const most = Number(text('level') ?? 3);
  const own = settings.passes as ReadonlyArray<Pass>;
  const levels = LEVELS.filter((level) => level === most || level < Math.min(most, 2)).reverse();
  return levels.map((level) => ({
    level,
    pipeline: sequential([optimize({ level, keepsSmaller: true }), ...own]),
  }));
}

export const RULES_PASS = 'rules';

/** The rules after a level: one after another, or by a search for the best of all orders. */
export const rulesPass = (
  sets: Sets,
  isSearch: boolean,
  { keepsSmaller = false, times }: Growth & Costs = {},
): Pass => {
  const cost = times === undefined ? {} : { cost: rewrites.measured(times) };
  return sequential([isSearch ? saturate(sets, cost) : greedy(sets), ...tidy(keepsSmaller)], {
    name: RULES_PASS,
  });
};

/** Computes constants that rules leave, and removes dead code. */
const tidy = (keepsSmaller: boolean): ReadonlyArray<Pass> => [
  passes.foldConstant({ keepsSmaller }),
  passes.deadCodeElimination,
];

type Sets = ReadonlyArray<Result<RuleSet>>;

const GROUPS: Readonly<Record<string, Sets>> = {
  none: [],
  common: rewrites.commonSets,
  all: rewrites.ruleSets,
};

async function chosenRules(host: Host, given: ReadonlyArray<string>): Promise<Result<Sets>> {
  const sets = new Set<Result<RuleSet>>();
  for (const name of given.length === 0 ? ['common'] : given) {
    const found = isFile(name) ? await rulesIn(host, name) : rulesNamed(name);
    if (isLeft(found)) return found;
    for (const set of found.right) sets.add(set);
  }
  return right([...sets]);
}

/** Whether a value of `--rules` names a user's file. */
const isFile = (name: string): boolean => /\.[cm]?[jt]s$/.test(name);

export async function ownRules({ host, texts }: Session): Promise<ReadonlyArray<RuleSet>> {
  const sets: RuleSet[] = [];
  for (const name of texts('rules').filter(isFile)) {
    const found = await rulesIn(host, name);
    for (const set of isLeft(found) ? [] : found.right) if (!isLeft(set)) sets.push(set.right);
  }
  return sets;
}

function rulesNamed(name: string): Result<Sets> {
  if (Object.hasOwn(GROUPS, name)) return right(GROUPS[name] ?? []);
  const found = rewrites.ruleSets.filter((set) => !isLeft(set) && set.right.name === name);
  if (found.length > 0) return right(found);
  const known = rewrites.ruleSets.flatMap((set) => (isLeft(set) ? [] : [set.right.name]));
  return misuse(
    `--rules does not know ${name}`,
    `it knows ${[...Object.keys(GROUPS), ...known].join(', ')}, and files that end in .mjs`,
  );
}

export async function rulesIn(host: Host, path: string): Promise<Result<Sets>> {
  const exported = await host.load(path);
  if (isLeft(exported)) return exported;
  const sets = Object.values(exported.right).flat().filter(isRuleSet);
  return sets.length > 0
    ? right(sets)
    : fail(unfit(path, 'it exports no rule set', 'export the result of `ruleSet(...)`'));
}

const isRuleSet = (value: unknown): value is Result<RuleSet> =>
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  ((value._tag === 'Left' && 'left' in value && Array.isArray(value.left)) ||
    (value._tag === 'Right' && 'right' in value && isSet(value.right)));

const isSet = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  value._tag === 'RuleSet' &&
  'rules' in value &&
  Array.isArray(value.rules);
