/** What `pnpm bench:engines` times: an engine of rules, or a level, on a model. */
import { readFileSync } from 'node:fs';
import { type Result, right } from '@baton/base';
import { Mistake } from '@baton/workshop';
import {
  greedy,
  type IRModule,
  importOnnx,
  inferTypes,
  models,
  optimize,
  orThrow,
  type Pass,
  rewrites,
  runPass,
  saturate,
} from 'batonjs';
import { corpusSubjects } from '../subjects/corpus.ts';

const { commonSets, ruleSets, normalizations } = rewrites;

/** A piece of work, ready to be timed. */
export interface Work {
  readonly run: () => IRModule;
}

export interface Subject {
  readonly name: string;
  readonly prepare: (corpus: string | undefined) => Promise<Work>;
}

/** A pass on a module, which has its types. */
const onModule = (pass: Pass, given: Result<IRModule>): Work => {
  const m = orThrow(inferTypes(orThrow(given)));
  return { run: () => orThrow(runPass(pass)(m)).module };
};

/** A pass on a network of `@baton/models`. */
const onNetwork = (name: string, pass: Pass, build: () => IRModule): Subject => ({
  name,
  prepare: async () => onModule(pass, right(build())),
});

/** A pass on a model of the corpus, or on the network of this name without one. */
const onModel = (name: string, pass: Pass, model: 'resnet50' | 'densenet121'): Subject => ({
  name: `${name}, ${model}`,
  prepare: async (corpus) => {
    if (corpus === undefined) return onModule(pass, right(models[model]()));
    const found = (await corpusSubjects(corpus)).find((subject) => subject.name === model);
    if (found === undefined) throw new Mistake(`no model of ${corpus} is called ${model}`);
    return onModule(pass, right(orThrow(await found.load()).module));
  },
});

const level3 = (bytes: Uint8Array): IRModule =>
  orThrow(runPass(optimize({ level: 3 }))(orThrow(importOnnx(bytes)))).module;

/** What a user waits for but the writing: import and level 3 of a file, and a search after them. */
const fromFile = (path: string): ReadonlyArray<Subject> => [
  {
    name: `import and level 3, ${path}`,
    prepare: async () => {
      const bytes = readFileSync(path);
      return { run: () => level3(bytes) };
    },
  },
  {
    name: `saturate(commonSets) after level 3, ${path}`,
    prepare: async () => onModule(saturate(commonSets), right(level3(readFileSync(path)))),
  },
];

/** Rules without definitions and laws without an aim: those of the published searches. */
const searchSets = commonSets.filter((set) => set !== normalizations);

/** The encoder of a model of four billion parameters. Its weights are never computed. */
const encoder = (layers: number): IRModule =>
  models.transformerEncoder({ layers, heads: 32, width: 2560, sequenceLength: 128 });

/** The subjects in the order of the table; `files` are ONNX models with weights. */
export const subjectsOf = (files: ReadonlyArray<string>): ReadonlyArray<Subject> => [
  ...(['resnet50', 'densenet121'] as const).flatMap((model) => [
    onModel('saturate(commonSets)', saturate(commonSets), model),
    onModel('saturate(ruleSets)', saturate(ruleSets), model),
    onModel('greedy(commonSets)', greedy(commonSets), model),
    onModel('greedy without constants', greedy(commonSets, { constantSize: 0 }), model),
    onModel('optimize({ level: 3 })', optimize({ level: 3 }), model),
  ]),
  onNetwork('saturate(searchSets), NasRNN', saturate(searchSets), () =>
    models.searchedNetwork('nasRnn'),
  ),
  ...[1, 34].map((layers) =>
    onNetwork(`saturate(commonSets), ${layers} layers`, saturate(commonSets), () =>
      encoder(layers),
    ),
  ),
  ...files.flatMap(fromFile),
];
