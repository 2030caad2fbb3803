/**
 * What whole models are lowered to, as text: each kernel, in which way it is computed, and what it
 * reads and writes. The models of `pnpm bench:compiled` on level 3; those of the ONNX corpus where there
 * is one.
 */
import { join } from 'node:path';
import { orThrow } from '@baton/base';
import { loweredText } from '@baton/wasm';
import { optimize, runPass } from 'batonjs';
import { expect, it } from 'vitest';
import { corpusSubjects } from '../../bench/src/subjects/corpus.ts';
import { embeddedSubjects } from '../../bench/src/subjects/embedded.ts';
import { expectFile } from '../blessed.ts';
import { corpusFolder } from '../corpus/corpus-folder.ts';

const EMBEDDED = ['resnet18', 'mobilenet_v2', 'lstm', 'transformer_encoder'];
const CORPUS = [
  'bert-tiny',
  'bvlc_alexnet',
  'densenet121',
  'inception_v1',
  'resnet50',
  'squeezenet',
];

const corpus = corpusFolder();

it.each(corpus === undefined ? EMBEDDED : [...EMBEDDED, ...CORPUS])('%s', async (name) => {
  const own = embeddedSubjects();
  const found = corpus === undefined ? [] : await corpusSubjects(join(corpus, 'models'));
  const subject = [...(EMBEDDED.includes(name) ? own : found)].find((one) => one.name === name);
  const { module } = orThrow(await (subject ?? expect.fail(name)).load());
  const optimized = orThrow(runPass(optimize({ level: 3 }))(module)).module;
  const text = orThrow(loweredText(optimized, { level: 'simd' }));
  expectFile(new URL(`lowered/${name}.txt`, import.meta.url), text);
});
