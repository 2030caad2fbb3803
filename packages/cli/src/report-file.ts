/** The report on a model, and its page. */
import { isLeft, type Result, right } from '@baton/base';
import {
  headline,
  type MeasureOptions,
  type ModelReport,
  makeTracer,
  measureModel,
  PAGE_SCHEMA,
  pageHtml,
} from '@baton/report';
import { type Arguments, type Executor, type IRModule, interpreter } from 'batonjs';
import type { CommandOptions, Session } from './command.ts';
import type { NewFile } from './host.ts';
import { nameOf } from './model-file.ts';

export const REPORT_OPTION: CommandOptions = {
  report: { type: 'string', value: 'FILE.html', doc: 'also write a report page' },
};

export interface Reported {
  readonly report: ModelReport;
  readonly page: ReadonlyArray<NewFile>;
}

export interface Measuring {
  readonly executor?: Executor;
  readonly checks?: MeasureOptions['checks'];
}

export async function measured(
  { host, operands, text }: Session,
  module: IRModule,
  inputs: Arguments,
  timing?: MeasureOptions['timing'],
  { executor = interpreter, checks = [] }: Measuring = {},
): Promise<Result<Reported>> {
  const load = async () => right({ module, inputs, weightsMs: 0 });
  const subject = { name: nameOf(operands[0] ?? '-'), load, expected: undefined };
  const result = await measureModel(subject, {
    executor,
    checks,
    level: Number(text('level') ?? 3),
    runs: timing !== undefined,
    regimes: false,
    progress: host.progress,
    tracer: makeTracer(host.now),
    traced: false,
    instruments: [],
    ...(timing && { timing }),
  });
  if (isLeft(result)) return result;
  const { report, page } = result.right;
  const path = text('report');
  if (path === undefined) return right({ report, page: [] });
  const assets = await host.pageAssets();
  if (isLeft(assets)) return assets;
  const data = {
    schema: PAGE_SCHEMA,
    made: new Date().toISOString(),
    machine: host.machine,
    headline: headline([report]),
    models: [page],
    unreadable: [],
    searches: [],
  };
  return right({ report, page: [{ path, pieces: [pageHtml(data, assets.right)] }] });
}
