/**
 * A node that is imported and exported at its operator set is one node again. `GROWS` lists the nodes of
 * ONNX's own tests that become several, with the reason.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, orThrow } from '@baton/base';
import { standardOps } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import { onnxImporters } from '../src/catalogue.ts';
import { decodeModel, exportOnnx, importOnnx } from '../src/index.ts';
import { catalogue, graphOf, nameOf } from './helpers/catalogue.ts';
import { corpus } from './helpers/corpus.ts';
import { modelBytes } from './helpers/encode.ts';

/** The least operator set that is written. */
const LEAST = 13;

const RESIDUAL =
  'a matrix that is added may be a residual, whose sum runtimes fuse with what follows';
const UNROLLED = 'the calls of few known steps';

/** Operators and the beginnings of names of tests, and why their node becomes several. */
const GROWS: Readonly<Record<string, string>> = {
  AffineGrid: 'centres of pixels are corners of a smaller image',
  BitShift: 'a shift by all bits or more is 0 in Baton only by another node',
  Conv: 'a bias that is known only at run time is added',
  ConvTranspose: 'a bias that is known only at run time is added',
  CumProd: 'ONNX has had it since 26, with an axis that may be an input',
  Gemm: RESIDUAL,
  Sequence: 'the fields are results',
  SplitToSequence: 'the fields are results',
  test_gemm_: RESIDUAL,
  test_loop: UNROLLED,
  test_scan: UNROLLED,
};

/** The nodes before and after; `undefined` if the file is refused. */
function nodesOf(bytes: Uint8Array): readonly [number, ReadonlyArray<string>] | undefined {
  const { graph, opsetImports } = orThrow(decodeModel(bytes));
  const set = Number(opsetImports.find(({ domain }) => domain === '')?.version ?? LEAST);
  const module = importOnnx(bytes, { ops: standardOps });
  if (isLeft(module)) return undefined;
  const file = orThrow(exportOnnx(module.right, { opset: Math.max(set, LEAST) }));
  const nodes = orThrow(decodeModel(file)).graph?.nodes ?? [];
  return [graph?.nodes.length ?? 0, nodes.map(({ opType }) => opType)];
}

const grown = (name: string, bytes: Uint8Array): ReadonlyArray<string> => {
  const [before, after] = nodesOf(bytes) ?? [0, []];
  const isKnown = Object.keys(GROWS).some((start) => name.startsWith(start));
  return after.length > before && !isKnown ? [`${name}: ${after.join(' ')}`] : [];
};

test('a small node of each operator', () => {
  const found = [...onnxImporters.values()].flatMap((operator) => {
    const small = catalogue[nameOf(operator)];
    if (small === undefined) return [];
    return grown(nameOf(operator), modelBytes(graphOf(operator, small), small.opset ?? 21));
  });
  expect(found).toEqual([]);
});

describe.runIf(corpus !== undefined)("ONNX's own tests of single operators", () => {
  test('as they come', () => {
    const root = join(corpus ?? '', 'node');
    const found = readdirSync(root).flatMap((name) =>
      grown(name, readFileSync(join(root, name, 'model.onnx'))),
    );
    expect(found).toEqual([]);
  });
});
