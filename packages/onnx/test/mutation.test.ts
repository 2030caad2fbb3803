import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, isLeft, mulberry32, orThrow } from '@baton/base';
import { decodeModel, importOnnx, readTensorFile } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import type { Tensor } from '@baton/tensor';
import { corrupted } from '@baton/testing';
import { describe, expect, test } from 'vitest';
import { amount } from '../../../test/tier.ts';
import { corpus, modelFile } from './helpers/corpus.ts';
import { diagnosticText } from './helpers/import.ts';
import { zooBytes, zooWithOtherNumbers } from './helpers/zoo.ts';

const SEED = 20_261_120;

const COPIES = amount(10_000, { quick: 1_000 });
const OTHER_NUMBERS = amount(5_000, { quick: 500 });
const COPIES_OF_SQUEEZENET = amount(1_000, { quick: 200 });
const COPIES_OF_TESTS = amount(40, { quick: 10 });

const options = { ops: standardOps, source: 'test' };
const zooOptions = { ...options, dims: { n: 1 } };

/** Whether a diagnostic has a place; the one that counts the rest of a long list has none. */
const isLocated = (d: Diagnostic): boolean => d.span !== undefined || d.code === 'ONNX_MORE';

/** Imports `count` damaged copies. A throw fails the test, naming the copy. */
function importDamaged(file: Uint8Array, count: number, seed: number, given = options) {
  const outcome = { refused: 0, imported: 0, unlocated: new Set<string>() };
  for (let i = 0; i < count; i++) {
    const copy = corrupted(file, mulberry32(seed + i));
    try {
      const result = importOnnx(copy, given);
      if (isLeft(result)) {
        outcome.refused++;
        for (const d of result.left) if (!isLocated(d)) outcome.unlocated.add(diagnosticText(d));
      } else outcome.imported++;
    } catch (error) {
      throw new Error(`mutation ${seed + i} is not taken`, { cause: error });
    }
  }
  return outcome;
}

describe('damaged files are imported or refused, and nothing else', () => {
  test('the model that the mutations start from is sound', () => {
    const result = importOnnx(zooBytes(), zooOptions);
    expect(isLeft(result) ? result.left.map(diagnosticText) : []).toEqual([]);
  });

  test('copies of a small model of many operators', () => {
    const outcome = importDamaged(zooBytes(), COPIES, SEED, zooOptions);
    expect(outcome.unlocated).toEqual(new Set());
    // Both kinds occur, so the damage is neither always fatal nor always harmless.
    expect(outcome.refused).toBeGreaterThan(COPIES / 2);
    expect(outcome.imported).toBeGreaterThan(COPIES / 20);
  });

  test('well-formed copies with other numbers in shapes, sizes and attributes', () => {
    const outcome = { refused: 0, imported: 0 };
    for (let i = 0; i < OTHER_NUMBERS; i++) {
      const result = importOnnx(zooWithOtherNumbers(mulberry32(SEED - i)), zooOptions);
      if (isLeft(result)) outcome.refused++;
      else outcome.imported++;
      const unlocated = isLeft(result) ? result.left.filter((d) => !isLocated(d)) : [];
      expect(unlocated.map(diagnosticText)).toEqual([]);
    }
    expect(outcome.refused).toBeGreaterThan((2 * OTHER_NUMBERS) / 5);
    expect(outcome.imported).toBeGreaterThan(OTHER_NUMBERS / 25);
  });

  test.runIf(corpus !== undefined)('copies of squeezenet', () => {
    const outcome = importDamaged(
      modelFile(corpus ?? '', 'squeezenet'),
      COPIES_OF_SQUEEZENET,
      SEED,
    );
    expect(outcome.unlocated).toEqual(new Set());
    expect(outcome.refused).toBeGreaterThan(0.3 * COPIES_OF_SQUEEZENET);
  });

  test.runIf(corpus !== undefined)("copies of each of ONNX's own tests of operators", () => {
    const root = join(corpus ?? '', 'node');
    const outcome = { refused: 0, imported: 0 };
    for (const name of readdirSync(root)) {
      const file = new Uint8Array(readFileSync(join(root, name, 'model.onnx')));
      const constants = inputsBeyondFirst(join(root, name), file);
      for (let i = 0; i < COPIES_OF_TESTS; i++) {
        const copy = corrupted(file, mulberry32(SEED + i));
        // Every other time, axes, shapes and the like are constants.
        const result = importOnnx(copy, i % 2 === 0 ? options : { ...options, constants });
        if (isLeft(result)) outcome.refused++;
        else outcome.imported++;
      }
    }
    expect(outcome.refused).toBeGreaterThan(250 * COPIES_OF_TESTS);
    expect(outcome.imported).toBeGreaterThan(12 * COPIES_OF_TESTS);
  });
});

/** The inputs of a corpus test except the first, by name. */
function inputsBeyondFirst(directory: string, file: Uint8Array): Record<string, Tensor> {
  const names = orThrow(decodeModel(file)).graph?.inputs.map((input) => input.name) ?? [];
  const read = names.flatMap((name, i): [string, Tensor][] => {
    const path = join(directory, 'test_data_set_0', `input_${i}.pb`);
    const tensor = i > 0 && existsSync(path) ? readTensorFile(readFileSync(path)) : undefined;
    return tensor === undefined || isLeft(tensor) ? [] : [[name, tensor.right]];
  });
  return Object.fromEntries(read);
}
