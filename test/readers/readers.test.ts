/** Corrupted inputs through the readers of what comes from outside: the findings, and new inputs. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readReadersCommand } from '../../packages/workshop/src/readers/arguments.ts';
import { keptOf, keptText } from '../../packages/workshop/src/readers/finding.ts';
import { MOST, measure } from '../../packages/workshop/src/readers/measure.ts';
import { type Input, makeReader } from '../../packages/workshop/src/readers/reader.ts';
import { READERS, readerOf } from '../../packages/workshop/src/readers/readers.ts';
import { amount } from '../tier.ts';

const CORPUS = fileURLToPath(new URL('corpus/', import.meta.url));

const SEED = 20_261_127;

/** Inputs for each unit of a reader's share: about 250 in all, or 20,000. */
const INPUTS = amount(200, { quick: 3 });

/** Inputs of each reader at least. */
const LEAST = 45;

const base64 = ({ parts }: Input): unknown =>
  [...parts].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);

describe('findings of the readers', () => {
  it.each(readdirSync(CORPUS).sort())('%s', async (file) => {
    const text = readFileSync(`${CORPUS}${file}`, 'utf8');
    expect(text).not.toMatch(/file:\/\//);
    const { reader, input } = keptOf(text);
    const { thrown, ms } = await measure(readerOf(reader), { ...input, depth: 'compile' });
    expect(thrown).toBe(undefined);
    expect(ms).toBeLessThan(MOST.ms);
  });

  it('are read as they were written', () => {
    const drawn = readerOf('external').draw('1:1');
    const kept = keptOf(
      keptText({ reader: 'external', seed: '1:1', kind: 'k', detail: 'd', input: drawn }),
    );
    expect(base64(kept.input)).toEqual(base64(drawn));
  });
});

describe('corrupted inputs', () => {
  it.each(READERS.map(({ name }) => [name] as const))('of %s end in a result', async (name) => {
    const reader = readerOf(name);
    const faults: unknown[] = [];
    const outcomes = new Set<string>();
    for (let i = 0; i < Math.max(LEAST, reader.share * INPUTS); i++) {
      const { thrown, outcome } = await measure(reader, reader.draw(`${SEED}:${i}`));
      if (thrown !== undefined) faults.push([i, thrown]);
      outcomes.add(outcome);
    }
    expect(faults).toEqual([]);
    // The corruption is neither always fatal nor always harmless.
    expect(outcomes.size).toBeGreaterThan(1);
  });

  it('are the same whenever they are drawn', () => {
    for (const { draw } of READERS) {
      for (let i = 0; i < 20; i++) expect(base64(draw(`7:${i}`))).toEqual(base64(draw(`7:${i}`)));
    }
  });

  it('a reader that throws is found, and its kind has no numbers', async () => {
    const planted = makeReader({
      name: 'planted',
      share: 1,
      clean: () => 0,
      corrupted: (n: number, draw) => n + 1 + draw.below(9),
      written: (n) => new Map([['n', Uint8Array.of(n)]]),
      smaller: () => [],
      read: ({ parts }) => {
        const [n = 0] = parts.get('n') ?? [];
        if (n > 4) throw new RangeError(`the size ${n} is too large`);
        return 'small';
      },
    });
    const kinds = new Set<string | undefined>();
    for (let i = 0; i < 40; i++) {
      kinds.add(
        (await measure(planted, planted.draw(`1:${i}`))).thrown?.kind.replace(/ at .*/, ''),
      );
    }
    expect(kinds).toEqual(new Set([undefined, 'RangeError: the size … is too large']));
  });
});

describe('the command line of pnpm fuzz:readers', () => {
  it.each([
    [['--minutes', '0'], '--minutes expects how many, found 0'],
    [['--inputs', 'x'], '--inputs expects how many, found x'],
    [['--seed', '1.5'], '--seed expects a whole number, found 1.5'],
    [['--from', '1.5'], '--from expects the index of an input, found 1.5'],
    [['--reader', 'pdf'], '--reader expects onnx'],
  ])('refuses %j', (argv, message) => {
    expect(readReadersCommand(argv)).toContain(message);
  });

  it('takes readers', () => {
    expect(
      readReadersCommand(['--reader', 'npz', '--reader', 'onnx', '--from', '5']),
    ).toMatchObject({ readers: ['onnx', 'npz'], from: 5, minutes: 1 });
  });
});
