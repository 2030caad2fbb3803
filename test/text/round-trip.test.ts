import {
  deDup,
  inferTypes,
  mapFunctions,
  structuralEqual,
  structuralHash,
  wellFormed,
} from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type ProgramOptions, programs } from '@baton/testing';
import { decodeModule, encodeModule, parseModule, printModule } from '@baton/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

const ops = standardOps;

const parsed = (text: string) => {
  const result = parseModule(text, { ops });
  if (result._tag === 'Left') throw new Error(result.left.map((d) => d.message).join('\n'));
  return result.right;
};

/** Programs of the normal run: half of them graphs, half of them of the full language. */
const LANGUAGES: ReadonlyArray<readonly [language: 'dataflow' | 'whole', seed: number]> = [
  ['dataflow', 20_271_160],
  ['whole', 20_271_161],
];

describe.each(LANGUAGES)('a generated program: %s', (language, seed) => {
  const options: ProgramOptions = { language };
  /** A fifth of the programs in `pnpm test`. */
  const run = (all: number) => ({ seed, numRuns: amount(all, { quick: all / 5 }) });

  it('is the same after it was printed and parsed, sharing included, and prints the same again', () => {
    fc.assert(
      fc.property(programs(options), ({ module }) => {
        const text = printModule(module, { showTypes: false });
        const again = parsed(text);
        expect(structuralEqual(again, module), text).toBe(true);
        expect(structuralHash(again)).toBe(structuralHash(module));
        expect(printModule(again)).toBe(text);
      }),
      run(1_000),
    );
  });

  it('means the same in the legacy dialect', () => {
    fc.assert(
      fc.property(programs(options), ({ module }) => {
        const text = printModule(module);
        const again = parseModule(text, { ops, dialect: 'legacy' });
        expect(again._tag === 'Right' && structuralEqual(again.right, module), text).toBe(true);
      }),
      run(100),
    );
  });

  it('keeps its types when it is printed with them, and inferred again', () => {
    fc.assert(
      fc.property(programs(options), ({ module }) => {
        const text = printModule(module);
        const again = inferTypes(parsed(text));
        if (again._tag === 'Left') throw new Error(again.left[0].message);
        expect(printModule(again.right)).toBe(text);
      }),
      run(150),
    );
  });

  it('is the same after it was written as JSON and read', () => {
    fc.assert(
      fc.property(programs(options), ({ module }) => {
        const data: unknown = JSON.parse(JSON.stringify(encodeModule(module)));
        const again = decodeModule(data, { ops });
        expect(again._tag === 'Right' && structuralEqual(again.right, module)).toBe(true);
      }),
      run(150),
    );
  });

  it('is well-formed, and equal to itself with new binders', () => {
    fc.assert(
      fc.property(programs(options), ({ module }) => {
        expect(wellFormed(module)).toEqual([]);
        const renamed = mapFunctions(module, (f) => {
          const made = deDup(f);
          return made._tag === 'Function' ? made : f;
        });
        expect(wellFormed(renamed)).toEqual([]);
        expect(structuralEqual(renamed, module)).toBe(true);
      }),
      run(150),
    );
  });
});
