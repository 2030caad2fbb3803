/**
 * DenseToSparse and Conv2dToSparse: the matrices that TVM makes of weights, which
 * `bench/peers/tvm/sparse.py` wrote.
 */
import { readFileSync } from 'node:fs';
import { orThrow } from '@baton/base';
import { checkPass } from '@baton/equivalence';
import {
  bindByName,
  constant,
  type Func,
  type IRModule,
  inferTypes,
  postOrderExprs,
  withFunctions,
} from '@baton/ir';
import { isOpCall, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { type DType, fromNumbers, type Tensor, toNumbers } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

interface Numbers {
  readonly shape: ReadonlyArray<number>;
  readonly dtype: DType;
  readonly data: ReadonlyArray<number>;
}

interface Known {
  readonly name: string;
  readonly kind: 'dense' | 'conv2d';
  readonly program: string;
  readonly block: [number, number];
  readonly threshold: number;
  readonly weight: Numbers;
  /** The blocks, their columns, and where rows begin; nothing if the weight stays. */
  readonly found: ReadonlyArray<Numbers>;
}

const cases: ReadonlyArray<Known> = JSON.parse(
  readFileSync(new URL('sparse-of-tvm.json', import.meta.url), 'utf8'),
);

const tensorOf = ({ data, shape, dtype }: Numbers): Tensor => fromNumbers(data, shape, dtype);

const shown = (value: Tensor): Numbers => ({
  shape: value.shape,
  dtype: value.dtype,
  data: Array.from(toNumbers(value), Number),
});

/** The program with its weight as a constant. */
function productOf({ program, weight }: Known): IRModule {
  const m = orThrow(parseModule(`#[version = "0.0.5"]\n${program}`, { ops: standardOps }));
  const bound = new Map([['w', constant(tensorOf(weight))]]);
  const main = orThrow(bindByName(m.functions.get('main') as Func, bound));
  return orThrow(inferTypes(withFunctions(m, new Map([['main', main]]))));
}

describe('the matrices of TVM', () => {
  it.each(cases.map((one) => [one.name, one] as const))('of %s', (_name, known) => {
    const { dense, conv2d } = { dense: passes.denseToSparse, conv2d: passes.conv2dToSparse };
    const options = { blockSize: known.block, sparsityThreshold: known.threshold };
    const pass = (known.kind === 'dense' ? dense : conv2d)(options);
    const m = productOf(known);
    const { module } = orThrow(runPass(pass)(m));
    const [call] = postOrderExprs([...module.functions.values()])
      .filter(isOpCall)
      .filter(({ op }) => op.name.startsWith('nn.sparse'));
    const parts = (call?.args ?? []).slice(1);
    const found = parts.map((part) => (part._tag === 'Constant' ? shown(part.data) : undefined));
    expect(found).toEqual(known.found);
    const { equivalence } = orThrow(checkPass(pass, m));
    expect(equivalence.verdict).toBe('equal');
  });
});

it('options that are none are refused', () => {
  const wrong = passes.denseToSparse({ blockSize: [0, 1], sparsityThreshold: 2 });
  const found = runPass(wrong)(productOf(cases[0] as Known));
  expect(found).toMatchObject({ left: [{ code: 'OPTION_TYPE' }, { code: 'OPTION_TYPE' }] });
});
