/** Models measured for the report, without running them. */
import { join } from 'node:path';
import { right } from '@baton/base';
import type { PageData, Subject } from '@baton/report';
import {
  headline,
  type MeasuredModel,
  type MeasureOptions,
  makeTracer,
  measureModel,
} from '@baton/report';
import { interpreter, models, orThrow } from 'batonjs';
import { corpusSubjects } from '../../bench/src/subjects/corpus.ts';
import { corpusFolder } from '../corpus/corpus-folder.ts';

/** DenseNet-121: the ONNX file of the corpus, or else the built network. */
export async function densenetSubject(): Promise<Subject> {
  const folder = corpusFolder();
  const corpus = folder === undefined ? [] : await corpusSubjects(join(folder, 'models'));
  return (
    corpus.find((s) => s.name === 'densenet121') ?? {
      name: 'densenet121',
      load: async () =>
        right({
          module: models.densenet121({ imageSize: 32, growth: 8 }),
          inputs: {},
          weightsMs: 0,
        }),
      expected: undefined,
    }
  );
}

/** The measurements of a subject by a clock that counts its readings. */
export async function measured(
  subject: Subject,
  options: Partial<MeasureOptions> = {},
): Promise<MeasuredModel> {
  let time = 0;
  return orThrow(
    await measureModel(subject, {
      level: 3,
      runs: false,
      executor: interpreter,
      regimes: false,
      progress: { step: () => {}, done: () => {} },
      tracer: makeTracer(() => time++),
      traced: false,
      instruments: [],
      ...options,
    }),
  );
}

/** The page's data for these models. */
export const pageData = (models: ReadonlyArray<MeasuredModel>): PageData => ({
  schema: 'baton.page/4',
  made: '2026-01-02T03:04:05.000Z',
  machine: 'a machine',
  headline: headline(models.map((m) => m.report)),
  models: models.map((m) => m.page),
  unreadable: [],
  searches: [],
});
