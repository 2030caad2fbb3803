/** Which programs the reducer tries for a failing program. */
import type { IRModule } from '@baton/ir';
import { printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { sizeOfModule, standIn } from '../src/reduce/candidate.ts';
import { zeroCandidates } from '../src/reduce/functions.ts';
import { smallerPrograms } from '../src/reduce/reduce.ts';
import { read } from './support.ts';

const m = read(`
def @helper(%a: Tensor[(2), float32]) -> Tensor[(2), float32] { sqrt(exp(%a) + 1f) }
def @main(%x: Tensor[(2), float32]) { tanh(@helper(%x)) }`);

const bodiesOf = (programs: Iterable<IRModule | undefined>): ReadonlyArray<string> =>
  [...programs].map((one) => (one ? printModule(one, { showTypes: false }) : ''));

describe('candidates', () => {
  it('have zeros in place of each tensor that another function computes, the last first', () => {
    const found = bodiesOf(zeroCandidates(m, 'main')).map(
      (text) => /@helper[^{]*\{([^}]*)\}/.exec(text)?.[1]?.replaceAll(/\s+/g, ' ').trim() ?? '',
    );
    expect(found).toEqual([
      'meta[relay.Constant][0]',
      'sqrt(meta[relay.Constant][0])',
      '%0 = add(meta[relay.Constant][0], 1f); sqrt(%0)',
    ]);
  });

  it('are smaller, and many', () => {
    const found = [...smallerPrograms(m, 'main')];
    expect(found.length).toBeGreaterThan(8);
    expect(found.every((one) => sizeOfModule(one) < sizeOfModule(m))).toBe(true);
    expect(new Set(bodiesOf(found)).size).toBeGreaterThan(6);
  });

  it('put nothing in the place of a value without a type', () => {
    expect(standIn(undefined)).toBeUndefined();
  });
});
