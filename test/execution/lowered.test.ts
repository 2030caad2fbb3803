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
import { MODELS } from '../../bench/src/compiled/tables.ts';
import { corpusSubjects } from '../../bench/src/subjects/corpus.ts';
import { embeddedDefaults } from '../../bench/src/subjects/embedded.ts';
import { expectFile } from '../blessed.ts';
import { corpusFolder } from '../corpus/corpus-folder.ts';

const corpus = corpusFolder();
const own = embeddedDefaults();
const isOwn = (name: string): boolean => own.some((subject) => subject.name === name);

it.each(MODELS.filter((name) => corpus !== undefined || isOwn(name)))('%s', async (name) => {
  const subjects = isOwn(name) ? own : await corpusSubjects(join(corpus ?? '', 'models'));
  const subject = subjects.find((one) => one.name === name);
  const { module } = orThrow(await (subject ?? expect.fail(name)).load());
  const optimized = orThrow(runPass(optimize({ level: 3 }))(module)).module;
  const text = orThrow(loweredText(optimized, { level: 'simd' }));
  expectFile(new URL(`lowered/${name}.txt`, import.meta.url), text);
});
