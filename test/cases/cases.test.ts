/**
 * Small programs on which Baton was wrong, through every path from a file to values:
 * `pnpm test:cases test/cases/programs` prints the table.
 */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orThrow } from '@baton/base';
import { afterAll, describe, expect, test } from 'vitest';
import { caseFiles } from '../../packages/workshop/src/cases/case.ts';
import { checkCase, type Row } from '../../packages/workshop/src/cases/check.ts';
import { type Cell, shownCell } from '../../packages/workshop/src/cases/differences.ts';
import { startRuntime } from '../../packages/workshop/src/onnxruntime/process.ts';

const FOLDER = fileURLToPath(new URL('programs', import.meta.url));

const runtime = startRuntime();
afterAll(() => runtime?.stop());

/** The programs of all files, and those of texts, which passes of no level were wrong about. */
const PROGRAMS = ['as it is', 'level 3', 'default', '--search'];
const OF_TEXTS = ['SimplifyInference', 'QnnCanonicalize', 'FakeQuantizationToInteger'];

/** Refusals that are right: modules have no reference kernels, and run no open sizes. */
const REFUSALS: ReadonlyArray<readonly [path: string, code: RegExp]> = [
  ['module', /^WASM_NO_(CODE|DATAFLOW)$/],
  // onnxruntime has no kernel for some types that the standard has.
  ['onnxruntime', /^Could not find an implementation/],
];

/** Quantized operators of Relay have no form in ONNX. */
const OF_QUANTIZED: typeof REFUSALS = [
  ['export', /^ONNX_EXPORT$/],
  ['onnxruntime', /^ONNX_EXPORT$/],
];

/**
 * The maximum of int64 in onnxruntime 1.30 is wrong below the range of int32: of -3000000000 and
 * -2147483648 it is the former. Release 1.32 has it right.
 */
const FAULTS_OF_RUNTIME: ReadonlySet<string> = new Set(['rule-qnn-leaky.ir QnnCanonicalize']);

const isRight = (path: string, cell: Cell, refusals: typeof REFUSALS): boolean =>
  cell._tag === 'Same' ||
  cell._tag === 'Absent' ||
  (cell._tag === 'Refused' && refusals.some(([of, code]) => of === path && code.test(cell.code)));

describe('every path gives the right values', () => {
  test.each(caseFiles(FOLDER).map((file) => [basename(file), file]))('%s', async (name, file) => {
    const isText = !name.endsWith('.onnx');
    const programs = isText ? [...PROGRAMS, ...OF_TEXTS] : PROGRAMS;
    const refusals = /^(fq|rule-qnn)-/.test(name) ? [...REFUSALS, ...OF_QUANTIZED] : REFUSALS;
    const rows: ReadonlyArray<Row> = orThrow(await checkCase(file, runtime, programs));
    const wrong = rows.flatMap(({ reading, program, cells }) =>
      [...cells]
        .filter(([path, cell]) => !isRight(path, cell, refusals))
        .filter(([path]) => path !== 'onnxruntime' || !FAULTS_OF_RUNTIME.has(`${name} ${program}`))
        .map(([path, cell]) => `${reading}, ${program}, ${path}: ${shownCell(cell)}`),
    );
    expect(wrong).toEqual([]);
  });
});
