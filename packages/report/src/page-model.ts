/** The page's data of one model, from the measurements. */
import { cut, drawingOf, graphOf, type TextTable } from '@baton/drawing';
import type { ModuleMeasure } from '@baton/ops';
import type { IRModule } from 'batonjs';
import { scientific } from './figures.ts';
import { EQUIVALENT_RELATIVE_ERROR, type Optimized } from './optimize-at.ts';
import type {
  AblationPoint,
  Check,
  PageModel,
  PassStep,
  ProfileRow,
  Verdict,
} from './page/data.ts';
import {
  type EngineRow,
  type LevelRow,
  type ModelReport,
  timedRun,
  type VariantRow,
} from './schema.ts';
import { type Timed, timedOf } from './timed.ts';
import { labelOf, variantAt } from './variants.ts';

export interface Measured {
  readonly report: ModelReport;
  readonly base: {
    readonly module: IRModule;
    readonly measure: ModuleMeasure;
  };
  readonly best: Optimized;
  readonly steps: ReadonlyArray<PassStep>;
  readonly profile: ReadonlyArray<ProfileRow>;
  readonly regimes: ReadonlyArray<Check>;
  readonly texts: TextTable;
}

export function pageModel({
  report,
  base,
  best,
  steps,
  profile,
  regimes,
  texts,
}: Measured): PageModel {
  const graphs = [graphOf(base.module, texts), graphOf(best.module, texts)] as const;
  const all = texts.all();
  const checks = [outputCheck(report), goldenCheck(report), ...regimes];
  return {
    name: cut(report.name),
    level: best.level,
    nodes: report.nodes,
    kernels: report.kernels,
    flops: report.flops,
    bytesMoved: report.bytesMoved,
    paramBytes: report.paramBytes,
    readMs: report.importMs,
    inferMs: report.inferMs,
    optimize: report.optimize,
    run: report.run,
    worse: report.worse,
    better: report.better,
    verdict: overall(checks),
    checks,
    ablation: [
      ...report.variants.filter(({ name }) => name === 'unfused').map(variantPoint),
      {
        isBase: true,
        label: labelOf('fused'),
        doc: AS_IT_IS,
        sameAs: null,
        nodes: report.nodes.before,
        kernels: base.measure.kernels,
        flops: base.measure.flops,
        bytesMoved: base.measure.bytesMoved,
        run: report.run?.before ?? null,
        optimize: null,
      },
      ...report.levels.map(ablationPoint),
      ...report.engines.map((row) => enginePoint(row, report)),
      ...report.variants.filter(({ name }) => name === 'quantized').map(variantPoint),
    ],
    passes: steps,
    profile,
    before: drawingOf(graphs[0], all),
    after: drawingOf(graphs[1], all),
    texts: all,
  };
}

const AS_IT_IS = 'The program as it came, fused like the others: what they are compared with.';

/** The additions of each level to the one below it. */
const LEVEL_DOCS: ReadonlyArray<string> = [
  'Removes operators that only training needs, and calls without effect: dropout, neutral operands, consecutive casts and reshapes. Nothing is computed, and normalizations are kept, so a network exported for inference often does not change.',
  'Also removes unused functions and bindings. Exported networks rarely have any.',
  'Also computes once what depends only on constants.',
  'Also shares equal calls, and folds per-channel scales into constant weights: a batch normalization after a convolution becomes its bias.',
];

/** A program other than a level. */
const variantPoint = (row: VariantRow): AblationPoint => ({
  isBase: false,
  label: row.label,
  doc: row.name === 'unfused' ? UNFUSED : QUANTIZED,
  sameAs: row.sameAs === null ? null : labelOf(row.sameAs),
  nodes: row.nodes,
  kernels: row.kernels,
  flops: row.flops,
  bytesMoved: row.bytes,
  run: timedRun(row),
  optimize: null,
});

const QUANTIZED =
  'After the highest level, the operands of products are rounded to integers of 8 bits, with the bounds of one run: the error is what that costs.';

const UNFUSED =
  'The program as it came, with one kernel for each call: what a framework runs that does not fuse.';

const ablationPoint = (row: LevelRow): AblationPoint => ({
  isBase: false,
  label: labelOf(variantAt(row.level)),
  doc: LEVEL_DOCS[row.level] ?? '',
  sameAs: row.sameAs === null ? null : labelOf(row.sameAs),
  nodes: row.nodes,
  kernels: row.kernels,
  flops: row.flops,
  bytesMoved: row.bytesMoved,
  run: row.run,
  optimize: row.optimize,
});

const ENGINE_DOCS: Readonly<Record<EngineRow['engine'], string>> = {
  'greedy rules':
    'After the highest level, rewrite rules are applied wherever they match, each only if it is profitable on its own.',
  saturation:
    'After the highest level, both sides of every rewrite rule are kept, and the cheapest program is extracted. It is used if no figure rises.',
};

const enginePoint = (row: EngineRow, { levels, variants }: ModelReport): AblationPoint => ({
  isBase: false,
  label: row.engine,
  doc: ENGINE_DOCS[row.engine],
  sameAs: row.isChanged ? null : labelOf(variantAt(levels.at(-1)?.level ?? 0)),
  nodes: row.nodes,
  kernels: row.kernels,
  flops: row.flops,
  bytesMoved: row.bytesMoved,
  run: searchRun(row, variants),
  optimize: timedOf([row.ms]),
});

/** The run of the program that a search found; that of greedy rules is not run. */
const searchRun = ({ engine }: EngineRow, variants: ModelReport['variants']): Timed | null => {
  const found = variants.find(({ name }) => name === 'search');
  return engine === 'saturation' && found !== undefined ? timedRun(found) : null;
};

/** One difference decides; a check that was not run does not count. */
function overall(checks: ReadonlyArray<Check>): Verdict {
  if (checks.some((c) => c.verdict === 'different')) return 'different';
  return checks.some((c) => c.verdict === 'equivalent') ? 'equivalent' : 'not run';
}

function outputCheck({ levels, equivalent }: ModelReport): Check {
  const errors = levels.flatMap((l) => (l.maxRelError === null ? [] : [l.maxRelError]));
  return {
    name: 'outputs',
    doc: 'Every level, fused, compared with the original program on the same inputs, in its own dtype.',
    verdict: verdictOf(equivalent),
    detail:
      equivalent === null
        ? 'programs were not run'
        : `largest relative error ${scientific(Math.max(...errors))}, ` +
          `${scientific(EQUIVALENT_RELATIVE_ERROR)} allowed`,
  };
}

function goldenCheck({ golden, equivalent }: ModelReport): Check {
  const none = equivalent === null ? 'programs were not run' : 'the model has none';
  return {
    name: 'expected outputs',
    doc: 'The original program and the highest level, compared with outputs of another runtime.',
    verdict: verdictOf(golden?.ok ?? null),
    detail:
      golden === null
        ? none
        : `largest error ${scientific(golden.maxError)}; allowed: ` +
          `${scientific(golden.tolerance.atol)} + ${scientific(golden.tolerance.rtol)}·|expected|`,
  };
}

const verdictOf = (ok: boolean | null): Verdict =>
  ok === null ? 'not run' : ok ? 'equivalent' : 'different';
