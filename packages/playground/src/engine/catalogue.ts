/** The passes that the page offers: the named ones, rule sets, and searches. */
import { diagnostic, fail, isLeft, type OptionTypes, ok, type Result } from '@baton/base';
import { type Pass, sequential } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import * as rewrites from '@baton/rewrites';
import { greedy, type RuleSet, saturate } from '@baton/rewrites';
import type { Catalogue, PassInfo, Step } from '../protocol.ts';
import { ownRules } from './own-rules.ts';
import { ruleNames } from './why-not.ts';

type Named = Pass & { readonly options?: OptionTypes<object> } & ((options?: object) => Pass);

const NAMED = Object.entries(passes) as unknown as ReadonlyArray<readonly [string, Named]>;

/** The pass of a key. A pass of a level keeps the options that it has there. */
export function passOf({ key, options }: Step): Result<Pass> {
  const [kind, ...rest] = key.split(':');
  if (kind === 'level') {
    const [level, index] = rest.map(Number);
    const found = levelPasses(level ?? 0)[index ?? -1];
    return found === undefined ? unknown(key) : ok(found);
  }
  if (kind === 'rules' || kind === 'search') return rulesPass(key, options);
  const named = NAMED.find(([name]) => name === key)?.[1];
  if (named === undefined) return unknown(key);
  return ok(Object.keys(options).length === 0 ? named : named(options));
}

const unknown = (key: string): Result<never> =>
  fail(diagnostic('PLAYGROUND_PASS', `there is no pass ${key}`));

/** The rules of a key, run by an engine, then constant folding and dead code removal. */
function rulesPass(key: string, options: Step['options']): Result<Pass> {
  const [engine, name = ''] = key.split(':');
  const sets = setsOf(name, typeof options.rules === 'string' ? options.rules : '');
  if (sets === undefined) return unknown(key);
  const pass = engine === 'search' ? saturate(sets) : greedy(sets);
  return ok(
    sequential([pass, passes.foldConstant, passes.deadCodeElimination], {
      name: key.replace(':', ' '),
    }),
  );
}

export function setsOf(name: string, own: string): ReadonlyArray<Result<RuleSet>> | undefined {
  if (name === 'common') return rewrites.commonSets;
  if (name === 'all') return rewrites.ruleSets;
  if (name === 'own') return [ownRules(own)];
  const found = rewrites.ruleSets.filter((set) => !isLeft(set) && set.right.name === name);
  return found.length === 0 ? undefined : found;
}

const levelPasses = (level: number): ReadonlyArray<Pass> =>
  optimize({ level: level as 0 | 1 | 2 | 3 }).passes.filter((pass) => pass.level <= level);

export function catalogue(): Catalogue {
  return {
    passes: [...NAMED.map(([key, pass]) => passInfo(key, pass)), ...LEVEL_PASSES, ...ruleInfos()],
    levels: LEVELS.map((level) =>
      levelPasses(level).map((_, index) => ({
        key: `level:${level}:${index}`,
        options: {},
        isOn: true,
      })),
    ),
    rules: ruleNames,
  };
}

const LEVELS = [0, 1, 2, 3] as const;

const passInfo = (key: string, pass: Named): PassInfo => ({
  key,
  group: 'pass',
  name: pass.name,
  doc: pass.doc,
  options: Object.entries(pass.options ?? {}).map(([name, type]) => ({
    name,
    expected: (type as { readonly expected: string }).expected,
  })),
});

const LEVEL_PASSES: ReadonlyArray<PassInfo> = LEVELS.flatMap((level) =>
  levelPasses(level).map((pass, index) => ({
    key: `level:${level}:${index}`,
    group: 'pass' as const,
    name: pass.name,
    doc: `${pass.doc} With the options of level ${level}.`,
    options: [],
  })),
);

function ruleInfos(): ReadonlyArray<PassInfo> {
  const names = rewrites.ruleSets.flatMap((set) => (isLeft(set) ? [] : [set.right.name]));
  return ['common', 'all', 'own', ...names].flatMap((name) =>
    (['rules', 'search'] as const).map((group) => ({
      key: `${group}:${name}`,
      group,
      name: `${group === 'rules' ? 'rules' : 'search with rules'}: ${name}`,
      doc: RULE_DOCS[group],
      options: name === 'own' ? [{ name: 'rules', expected: 'rules as text' }] : [],
    })),
  );
}

const RULE_DOCS = {
  rules: 'Applies rules wherever they match, each only if it pays by itself.',
  search: 'Keeps both sides of every rule, and takes out the cheapest program.',
} as const;
