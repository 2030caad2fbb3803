/** What the page shows of one model, from what was measured. */
import type { ModuleMeasure } from '@baton/ops';
import type { IRModule } from 'batonjs';
import { scientific } from '../table.ts';
import { cut } from './cut.ts';
import { graphOf } from './drawing/graph.ts';
import { drawingOf } from './drawing/layout.ts';
import type { TextTable } from './drawing/text-table.ts';
import { EQUIVALENT_RELATIVE_ERROR, type Optimized } from './optimize-at.ts';
import type { AblationPoint, Check, PageModel, PassStep, Verdict } from './page/data.ts';
import { profileOf } from './profile.ts';
import type { Run } from './run-program.ts';
import type { ModelReport } from './schema.ts';

/** What was measured of a model. */
export interface Measured {
  readonly report: ModelReport;
  /** The program as it is. */
  readonly base: {
    readonly module: IRModule;
    readonly measure: ModuleMeasure;
    readonly run: Run | undefined;
  };
  readonly levels: ReadonlyArray<Optimized>;
  /** The highest level. */
  readonly best: Optimized;
  readonly steps: ReadonlyArray<PassStep>;
  /** What the regimes of equivalence say. */
  readonly regimes: ReadonlyArray<Check>;
  readonly texts: TextTable;
}

/** The page's data of one model, its graphs drawn. */
export function pageModel({
  report,
  base,
  levels,
  best,
  steps,
  regimes,
  texts,
}: Measured): PageModel {
  const graphs = [graphOf(base.module, texts), graphOf(best.fused, texts)] as const;
  const all = texts.all();
  const checks = [outputCheck(report), goldenCheck(report), ...regimes];
  return {
    name: cut(report.name),
    level: best.row.level,
    nodes: report.nodes,
    kernels: report.kernels,
    flops: { before: base.measure.flops, after: best.flops },
    bytesMoved: report.bytesMoved,
    paramBytes: { before: base.measure.paramBytes, after: report.paramBytes },
    readMs: report.importMs,
    inferMs: report.inferMs,
    optimizeMs: report.optimizeMs,
    runMs: report.runMs,
    verdict: overall(checks),
    checks,
    ablation: [
      {
        label: 'as it is',
        nodes: base.measure.nodes,
        kernels: base.measure.kernels,
        flops: base.measure.flops,
        bytesMoved: base.measure.bytesMoved,
        runMs: base.run?.ms ?? null,
        optimizeMs: null,
      },
      ...levels.map(ablationPoint),
    ],
    passes: steps,
    profile:
      base.run === undefined || best.run === undefined
        ? []
        : profileOf(base.run.kernels, best.run.kernels, base.module),
    before: drawingOf(graphs[0], all),
    after: drawingOf(graphs[1], all),
    texts: all,
  };
}

const ablationPoint = ({ row, flops }: Optimized): AblationPoint => ({
  label: `level ${row.level}`,
  nodes: row.nodes,
  kernels: row.kernels,
  flops,
  bytesMoved: row.bytesMoved,
  runMs: row.runMs,
  optimizeMs: row.ms + row.fuseMs,
});

/** One difference decides; a check that was not run says nothing. */
function overall(checks: ReadonlyArray<Check>): Verdict {
  if (checks.some((c) => c.verdict === 'different')) return 'different';
  return checks.some((c) => c.verdict === 'equivalent') ? 'equivalent' : 'not run';
}

function outputCheck({ levels, equivalent }: ModelReport): Check {
  const errors = levels.flatMap((l) => (l.maxRelError === null ? [] : [l.maxRelError]));
  return {
    name: 'outputs',
    doc: 'Every level, fused, against the program as it is, on the same inputs in its own dtype.',
    verdict: verdictOf(equivalent),
    detail:
      equivalent === null
        ? 'runs were left out'
        : `largest relative error ${scientific(Math.max(...errors))}, ` +
          `${scientific(EQUIVALENT_RELATIVE_ERROR)} allowed`,
  };
}

function goldenCheck({ golden, equivalent }: ModelReport): Check {
  const none = equivalent === null ? 'runs were left out' : 'the model came without any';
  return {
    name: 'expected outputs',
    doc: 'The program as it is and the highest level against outputs from another runtime.',
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
