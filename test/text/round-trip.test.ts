import {
  decodeModule,
  encodeModule,
  inferTypes,
  parseModule,
  printModule,
  structuralEqual,
} from '@baton/ir';
import { standardOps } from '@baton/ops';
import { programs } from '@baton/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const ops = standardOps;

const parsed = (text: string) => {
  const result = parseModule(text, { ops });
  if (result._tag === 'Left') throw new Error(result.left.map((d) => d.message).join('\n'));
  return result.right;
};

/** The seed of the normal run, and how many programs it has. */
const RUN = { seed: 20_271_160, numRuns: 2_000 };

describe('a generated program', () => {
  it('is the same after it was printed and parsed, sharing included, and prints the same again', () => {
    fc.assert(
      fc.property(programs(), ({ module }) => {
        const text = printModule(module, { showTypes: false });
        const again = parsed(text);
        expect(structuralEqual(again, module), text).toBe(true);
        expect(printModule(again)).toBe(text);
      }),
      RUN,
    );
  });

  it('means the same in the legacy dialect', () => {
    fc.assert(
      fc.property(programs(), ({ module }) => {
        const again = parseModule(printModule(module), { ops, dialect: 'legacy' });
        expect(again._tag === 'Right' && structuralEqual(again.right, module)).toBe(true);
      }),
      { ...RUN, numRuns: 200 },
    );
  });

  it('keeps its types when it is printed with them, and inferred again', () => {
    fc.assert(
      fc.property(programs(), ({ module }) => {
        const text = printModule(module);
        const again = inferTypes(parsed(text));
        if (again._tag === 'Left') throw new Error(again.left[0].message);
        expect(printModule(again.right)).toBe(text);
      }),
      { ...RUN, numRuns: 200 },
    );
  });

  it('is the same after it was written as JSON and read', () => {
    fc.assert(
      fc.property(programs(), ({ module }) => {
        const data: unknown = JSON.parse(JSON.stringify(encodeModule(module)));
        const again = decodeModule(data, { ops });
        expect(again._tag === 'Right' && structuralEqual(again.right, module)).toBe(true);
      }),
      { ...RUN, numRuns: 300 },
    );
  });
});
