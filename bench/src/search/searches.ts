/** Searches of the networks of Tensat's table by each cost, for the bench and the report. */
import { invariant } from '@baton/base';
import { constant, type IRModule, postOrderExprs, rewriteExpr, withFunctions } from '@baton/ir';
import type { SearchFound, SearchRow } from '@baton/report';
import { dense } from '@baton/tensor';
import { models, orThrow, passes, prepare, rewrites, runPass, saturate } from 'batonjs';
import { seededInputs } from '../subjects/inputs.ts';
import type { Published } from './published.ts';

const { kernelCount, measured, normalizations, roofline, commonSets, timeCalls } = rewrites;

/** All rules but definitions, which spell out what other rules look for, and laws without an aim. */
const RULES = commonSets.filter((set) => set !== normalizations);

/** The runs of each program, of which the fastest counts. */
const RUNS = 3;

/** The most searches by measured cost, each after the times of what the one before it found. */
const MAX_ROUNDS = 6;

/** The choices of {@link searchNetwork}. */
export interface SearchOptions {
  /** The times of calls that are known. */
  readonly times: rewrites.CallTimes;
  /** Whether the found programs are run, in addition to the network. */
  readonly runs: boolean;
}

/** The row of a network, and the known times with those of its calls. */
export interface Searched {
  readonly row: SearchRow;
  readonly times: rewrites.CallTimes;
}

/** Searches a network by the number of kernels, by a roofline, and by measured times. */
export function searchNetwork(published: Published, { times, runs }: SearchOptions): Searched {
  const m = orThrow(runPass(passes.inferType)(models.searchedNetwork(published.name))).module;
  const [kernels, bound] = [searched(m, kernelCount), searched(m, roofline())];
  const timed = byTimes([m, kernels.module, bound.module], times);
  const found = [
    ['kernels', kernels],
    ['roofline', bound],
    ['measured', timed.found],
  ] as const;
  const costs = found.map(
    ([cost, { seconds, module, gain }]): SearchFound => ({
      cost,
      seconds,
      gain,
      runGain: runs ? runGain(m, module) : null,
    }),
  );
  const { name, tensatSeconds, tensatGain, tasoSeconds, tasoGain } = published;
  const tensat = { seconds: tensatSeconds, gain: tensatGain };
  const taso = { seconds: tasoSeconds, gain: tasoGain };
  return { row: { network: name, costs, tensat, taso }, times: timed.times };
}

/** What a search finds. */
interface Found {
  readonly seconds: number;
  readonly module: IRModule;
  /** The gain in the cost of the search, in percent. */
  readonly gain: number;
}

function searched(m: IRModule, cost: rewrites.NodeCost): Found {
  const start = performance.now();
  const { module } = orThrow(runPass(saturate(RULES, { cost }))(m));
  const seconds = (performance.now() - start) / 1_000;
  return { seconds, module, gain: gained(costOf(m, cost), costOf(module, cost)) };
}

/**
 * The last of some searches of the first module: until every call of what is found has been timed.
 * The calls of the other modules are timed first.
 */
function byTimes(modules: readonly [IRModule, ...IRModule[]], start: rewrites.CallTimes) {
  const now = (): number => performance.now();
  const [m] = modules;
  let times = modules.reduce((known, each) => timeCalls(each, { now, known }), start);
  let found = searched(m, measured(times));
  for (let round = 1; round < MAX_ROUNDS; round++) {
    const more = timeCalls(found.module, { now, known: times });
    if (Object.keys(more).length === Object.keys(times).length) break;
    times = more;
    found = searched(m, measured(times));
  }
  return { found, times };
}

const gained = (before: number, after: number): number => 100 * (before / after - 1);

/** The cost of all that `main` evaluates. */
const costOf = (m: IRModule, cost: rewrites.NodeCost): number =>
  postOrderExprs([bodyOf(m)]).reduce((sum, node) => sum + cost(node, m), 0);

function bodyOf(m: IRModule) {
  const main = m.functions.get('main');
  invariant(main !== undefined, 'a network has a main function');
  return main.body;
}

/** The gain in the time of a run, in percent: both programs interleaved. */
function runGain(before: IRModule, after: IRModule): number {
  if (before === after) return 0;
  const inputs = orThrow(seededInputs(before, 'search'));
  const programs = [before, after].map((m) => orThrow(prepare(withOwnWeights(m))));
  const best = programs.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < RUNS; run++) {
    for (const [i, program] of programs.entries()) {
      const start = performance.now();
      orThrow(program.run(inputs));
      best[i] = Math.min(best[i] as number, performance.now() - start);
    }
  }
  return gained(best[0] as number, best[1] as number);
}

/** The module with all elements of weights in memory, as trained ones are. */
function withOwnWeights(m: IRModule): IRModule {
  const functions = [...m.functions].map(([name, f]) => {
    const held = rewriteExpr(f, (node) =>
      node._tag === 'Constant' ? constant(dense(node.data), node.span) : undefined,
    );
    return [name, held._tag === 'Function' ? held : f] as const;
  });
  return withFunctions(m, new Map(functions));
}
