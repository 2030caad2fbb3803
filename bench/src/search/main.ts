/**
 * `pnpm bench:search [-- NETWORK...]`: the time of equality saturation on the networks of Tensat's
 * table, and the gain in two estimated costs and in time, beside the figures of its paper and of TASO.
 */
import { invariant, table } from '@baton/base';
import { constant, type IRModule, postOrderExprs, rewriteExpr, withFunctions } from '@baton/ir';
import { dense } from '@baton/tensor';
import { models, orThrow, passes, prepare, rewrites, runPass, saturate } from 'batonjs';
import { seededInputs } from '../subjects/inputs.ts';
import { PUBLISHED } from './published.ts';

const { algebra, kernelCount, normalizations, roofline, commonSets } = rewrites;

/** All rules but definitions, which spell out what other rules look for, and laws without an aim. */
const RULES = commonSets.filter((set) => set !== normalizations && set !== algebra);

/** The runs of each program, of which the fastest counts. */
const RUNS = 3;

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

const gained = (before: number, after: number): number => 100 * (before / after - 1);

/** The cost of all that `main` evaluates. */
const costOf = (m: IRModule, cost: rewrites.NodeCost): number =>
  postOrderExprs([bodyOf(m)]).reduce((sum, node) => sum + cost(node, m), 0);

function bodyOf(m: IRModule) {
  const main = m.functions.get('main');
  invariant(main !== undefined, 'a network has a main function');
  return main.body;
}

/** The gain in the time of a run, in percent: both programs in turn. */
function measured(before: IRModule, after: IRModule): number {
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

const wanted = process.argv.slice(2).filter((arg) => arg !== '--');

const rows = PUBLISHED.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).map(
  ({ name, tasoSeconds, tensatSeconds, tasoGain, tensatGain }) => {
    const m = orThrow(runPass(passes.inferType)(models.searchedNetwork(name))).module;
    const [kernels, work] = [searched(m, kernelCount), searched(m, roofline())];
    const found = [kernels.seconds, kernels.gain, measured(m, kernels.module)];
    const estimated = [work.seconds, work.gain, measured(m, work.module)];
    const published = [tensatSeconds, tensatGain, tasoSeconds, tasoGain];
    return [name, ...[...found, ...estimated, ...published].map((n) => n.toFixed(1))];
  },
);

const HEADER = [
  'network',
  'kernels: s',
  'gain %',
  'time %',
  'roofline: s',
  'gain %',
  'time %',
  'Tensat: s',
  'gain %',
  'TASO: s',
  'gain %',
];

process.stdout.write(`${table(HEADER, rows)}\n`);
