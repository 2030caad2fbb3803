/** The programs on which each pass is fuzzed. */
import { type Pass, type PassSubject, sequential } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { algebra, commonSets, ruleSets, saturate } from '@baton/rewrites';
import type { Focus } from '../motifs/by-focus.ts';
import { outline } from './outline.ts';
import { altering, composites, desired, legalizing, rules } from './pass-options.ts';
import { throughGradient, throughGradients } from './through-gradients.ts';
import { throughVariables } from './through-variables.ts';

/** Programs with the themes of some passes. */
export interface Group {
  readonly name: PassSubject;
  readonly focus: ReadonlyArray<Focus>;
  /** Whether they have closures, data types, references, recursion and polymorphism. */
  readonly isFullLanguage: boolean;
  readonly programs: number;
}

/** The number of programs of a group; every pass runs on those of the full language besides. */
export const OWN_PROGRAMS = 1_000;

export interface Enrolled {
  /** The name in the namespace `passes`, with options in brackets. */
  readonly name: string;
  readonly pass: Pass;
  /** The pass whose counters must count: another one for a pass that runs on its result. */
  readonly counts: Pass;
  readonly group: PassSubject;
  /** Whether it ever changes a typed module. */
  readonly changes: boolean;
  /** For a pass that undoes another: the pass itself, and what any program goes through before it. */
  readonly alone?: { readonly pass: Pass; readonly before: Pass };
}

export const GROUPS: ReadonlyArray<Group> = [
  ownGroup('scales', ['scale-chains', 'scale-inputs', 'scale-results']),
  ownGroup('layers', ['batch-norm', 'bias', 'padding']),
  {
    ...ownGroup('algebra', ['arith', 'constants', 'casts', 'movement', 'like']),
    programs: 1_100,
  },
  ownGroup('functions', ['smooth', 'parallel']),
  ownGroup('sizes', ['dynamic', 'atrous', 'joined', 'quotients', 'sparse']),
  ownGroup('quantities', ['quantized']),
  ownGroup('regions', ['fake-quantized']),
  ownGroup('networks', ['quantizable']),
  ownGroup('marks', ['simulated']),
  ownGroup('structure', ['duplicates', 'dead', 'unused-functions', 'fusable', 'normal-form']),
  { name: 'language', focus: [], isFullLanguage: true, programs: OWN_PROGRAMS },
];

/** Passes that undo others run on the results of these, under a name that says so. */
const AFTER: Readonly<
  Record<string, { readonly first: Pass; readonly name: string; readonly always?: Pass }>
> = {
  defuseOps: { first: passes.fuseOps, name: 'defuseOps(after fuseOps)' },
  expandGradient: {
    first: throughGradients,
    always: throughGradient,
    name: 'expandGradient(after throughGradients)',
  },
  etaExpand: { first: throughVariables, name: 'etaExpand(after throughVariables)' },
  inline: { first: outline, name: 'inline(after outline)' },
  quantizeCalibrate: {
    first: passes.quantizeAnnotate({ skipConvLayers: [], skipDenseLayer: false }),
    name: 'quantizeCalibrate(after quantizeAnnotate)',
  },
};

/** Passes whose rules are counters of another pass, of which they are a part. */
const RULES_OF_OTHERS: ReadonlySet<string> = new Set(['simplifyExprPostAlterOp']);

/** Passes that do little or nothing by default, with options. */
const WITH_OPTIONS: Readonly<Record<string, Pass>> = {
  alterOpLayout: passes.alterOpLayout({ alter: altering }),
  conv2dToSparse: passes.conv2dToSparse({ blockSize: [2, 1], sparsityThreshold: 0.5 }),
  convertLayout: passes.convertLayout({ desired, skip: [1] }),
  denseToSparse: passes.denseToSparse({ blockSize: [1, 2], sparsityThreshold: 0.5 }),
  legalize: passes.legalize({ rules: legalizing }),
  mergeComposite: passes.mergeComposite(composites),
  quantizeAnnotate: passes.quantizeAnnotate({ skipConvLayers: [2], skipDenseLayer: false }),
  rewrite: passes.rewrite(rules),
  splitArgs: passes.splitArgs({ maxArgs: 2 }),
  combineParallelConv2d: passes.combineParallelConv2d({ minBranches: 2 }),
  combineParallelDense: passes.combineParallelDense({ minBranches: 2 }),
  combineParallelBatchMatmul: passes.combineParallelBatchMatmul({ minBranches: 2 }),
};

/** Passes with options, for counters that need them. */
const VARIANTS: ReadonlyArray<Enrolled> = [
  variant('deadCodeElimination(inlineOnce)', passes.deadCodeElimination({ inlineOnce: true })),
  variant('fakeQuantizationToInteger(useQat)', passes.fakeQuantizationToInteger({ useQat: true })),
  variant('fuseOps(maxDepth 2)', passes.fuseOps({ maxDepth: 2 })),
  variant('fuseOps(movements)', passes.fuseOps({ movements: true })),
  variant('fuseOps(level 0)', passes.fuseOps({ level: 0 })),
  {
    ...variant(
      'inline(maxNodes 4 after outline)',
      sequential([outline, passes.inline({ maxNodes: 4 })]),
    ),
    alone: { pass: passes.inline({ maxNodes: 4 }), before: outline },
  },
  variant(
    'combineParallelDense(flat)',
    passes.combineParallelDense({ minBranches: 2, toBatch: false }),
  ),
  {
    ...variant('toGraphNormalForm(keepsEffects)', passes.toGraphNormalForm({ keepsEffects: true })),
    group: 'language',
  },
  variant('partialEvaluate(maxSteps 12)', passes.partialEvaluate({ maxSteps: 12 })),
  {
    ...variant('removeUnusedFunctions(no entries)', passes.removeUnusedFunctions({ entries: [] })),
    changes: false,
  },
];

export const ENROLLED: ReadonlyArray<Enrolled> = [
  ...Object.entries(passes).map(([name, pass]): Enrolled => {
    const changes = name !== 'inferType';
    const after = AFTER[name];
    const tested =
      after === undefined
        ? (WITH_OPTIONS[name] ?? pass)
        : sequential([after.first, pass], { name: pass.name });
    const counts = RULES_OF_OTHERS.has(name) ? sequential([], { name: pass.name }) : pass;
    const enrolled = {
      name: after?.name ?? name,
      pass: tested,
      counts,
      group: pass.subject,
      changes,
    };
    if (after === undefined) return enrolled;
    return { ...enrolled, alone: { pass, before: after.always ?? after.first } };
  }),
  ...VARIANTS,
  ...([1, 2, 3] as const).map(
    (level): Enrolled => ({
      name: `optimize-${level}`,
      pass: optimize({ level }),
      counts: optimize({ level }),
      group: level === 3 ? 'scales' : level === 2 ? 'algebra' : 'layers',
      changes: true,
    }),
  ),
];

/** The most of a search on a generated program. */
const SEARCH = { nodeLimit: 1_000, iterationLimit: 6 } as const;

const SEARCHES: ReadonlyArray<Enrolled> = [
  search('saturate(common)', saturate([...commonSets, algebra], SEARCH)),
  search('saturate(all)', saturate(ruleSets, SEARCH)),
  search('saturate(exact)', saturate(commonSets, { ...SEARCH, extract: 'exact' })),
];

/** The passes of `pnpm fuzz`: every pass under test, and equality saturation. */
export const FUZZED: ReadonlyArray<Enrolled> = [...ENROLLED, ...SEARCHES];

/** The passes of a group's programs; all of them for the full language. */
export const passesOf = (group: Group): ReadonlyArray<Enrolled> =>
  ENROLLED.filter((e) => group.isFullLanguage || e.group === group.name);

/** A fuzzed pass, one of `passes`, or a sequence of them written `a, b, c`. */
export function passByName(text: string): Pass | undefined {
  const names = text.split(',').map((part) => part.trim());
  const plain = new Map<string, Pass>(Object.entries(passes));
  const found = names.map((n) => FUZZED.find((e) => e.name === n)?.pass ?? plain.get(n));
  const known = found.filter((pass) => pass !== undefined);
  if (known.length !== names.length) return undefined;
  return known.length === 1 ? known[0] : sequential(known, { name: text });
}

function variant(name: string, pass: Pass): Enrolled {
  return { name, pass, counts: pass, group: pass.subject, changes: true };
}

function search(name: string, pass: Pass): Enrolled {
  // The table of its rules is as long as a rulebook.
  return { name, pass, counts: sequential([], { name }), group: 'structure', changes: true };
}

function ownGroup(name: PassSubject, focus: ReadonlyArray<Focus>): Group {
  return { name, focus, isFullLanguage: false, programs: OWN_PROGRAMS };
}
