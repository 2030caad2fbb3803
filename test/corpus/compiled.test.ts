/** Models of the corpus as compiled code: none has a reference kernel, and the one with integers has a module. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compiledFacts, compileToModule, makeWasm, simdLevel } from '@baton/wasm';
import { optimize, orThrow, runPass, type Value } from 'batonjs';
import { afterAll, describe, expect, it } from 'vitest';
import { corpusSubjects } from '../../bench/src/subjects/corpus.ts';
import { corpusFolder } from './corpus-folder.ts';

const MODELS = [
  'bert-tiny',
  'bvlc_alexnet',
  'densenet121',
  'inception_v1',
  'resnet50',
  'squeezenet',
];

const corpus = corpusFolder();
const folder = mkdtempSync(join(tmpdir(), 'baton-corpus-'));
afterAll(() => rmSync(folder, { recursive: true }));

if (corpus === undefined) {
  it('has no corpus to read: real models are passed over', () => {
    expect(process.env.BATON_CORPUS).toBeUndefined();
  });
} else {
  const load = async (name: string) => {
    const subjects = await corpusSubjects(join(corpus, 'models'));
    const subject = subjects.find((s) => s.name === name);
    if (subject === undefined) throw new Error(`${name} is not in the corpus`);
    const { module, inputs } = orThrow(await subject.load());
    return { optimized: orThrow(runPass(optimize({ level: 3 }))(module)).module, inputs };
  };

  describe('models', () => {
    it.each(MODELS)('%s has no reference kernel', async (name) => {
      const facts = compiledFacts((await load(name)).optimized);
      expect(facts?.kernels.filter(({ isCompiled }) => !isCompiled)).toEqual([]);
    });
  });

  it('bert-tiny as an ES module gives what the executor gives', async () => {
    const { optimized, inputs } = await load('bert-tiny');
    for (const { path, content } of orThrow(compileToModule(optimized, { name: 'bert' }))) {
      writeFileSync(join(folder, path), content);
    }
    const { run } = await import(pathToFileURL(join(folder, 'bert.mjs')).href);
    const level = simdLevel();
    const executor = makeWasm(level === undefined ? {} : { level });
    const value = orThrow(orThrow(executor.prepare(optimized)).run(inputs));
    const params = optimized.functions.get('main')?.params ?? [];
    const given = Object.fromEntries(
      params.map(({ nameHint }) => [nameHint, dataOf((inputs as Record<string, Value>)[nameHint])]),
    );
    const fields = value._tag === 'Tuple' ? value.fields : [value];
    expect(Object.values(run(given))).toEqual(fields.map(dataOf));
  });
}

function dataOf(value: Value | undefined) {
  if (value?._tag !== 'Tensor') throw new Error('a model has tensors');
  return value.data;
}
