/** Rules read 64-bit integers as they are: a double holds those up to 2 ** 53. */

import { passes } from '@baton/passes';
import { greedy, rule } from '@baton/rewrites';
import { describe, it } from 'vitest';
import { expectKept, WAYS } from './values.ts';

const ODD = 2n ** 53n + 1n;
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];
const PAD = 'pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]';

const PROGRAMS: Readonly<Record<string, readonly [string, ReadonlyArray<bigint>]>> = {
  'relu below n': [`minimum(nn.relu(%x), ${ODD}i64)`, [MOST, ODD - 1n, ODD, 3n]],
  'relu below n, by maximum': [
    `minimum(maximum(%x, 0i64), ${ODD + 2n}i64)`,
    [MOST, ODD, ODD + 1n, -3n],
  ],
  'leaky relu': [`where(%x > 0i64, %x, %x * ${ODD}i64)`, [-3n, 3n, -1n, 0n]],
  'leaky relu by three': ['where(%x > 0i64, %x, %x * 3i64)', [-ODD, ODD, MOST, LEAST]],
  'clip of relu': [
    'clip(nn.relu(%x), a_min=-5.0, a_max=9007199254740992.0)',
    [MOST, ODD, ODD - 1n, -9n],
  ],
  'relu of clip': [
    'nn.relu(clip(%x, a_min=-9.0, a_max=9007199254740992.0))',
    [MOST, ODD, ODD - 1n, -9n],
  ],
  'x + n, a number near the limit': [`(%x + ${ODD}i64) + ${ODD}i64`, [1n, 2n, -ODD, MOST]],
  'x * n': [`(%x * ${ODD}i64) * ${ODD + 2n}i64`, [1n, 2n, -ODD, MOST]],
  'equal constants': [`(%x * ${ODD}i64) + (%x * ${ODD - 1n}i64)`, [1n, 2n, -5n, MOST]],
  'pad of a maximum by nearly the least': [
    `nn.max_pool2d(nn.pad(reshape(%x, newshape=[1, 1, 2, 2]), ${LEAST + 1n}i64, ${PAD}), pool_size=[2, 2])`,
    [LEAST, LEAST, LEAST, LEAST],
  ],
  'pad of a maximum by the least': [
    `nn.max_pool2d(nn.pad(reshape(%x, newshape=[1, 1, 2, 2]), ${LEAST}i64, ${PAD}), pool_size=[2, 2])`,
    [LEAST, 3n, LEAST, ODD],
  ],
};

describe.each([...Object.keys(WAYS), 'foldExplicitPadding'])('%s', (name) => {
  const way = WAYS[name] ?? passes.foldExplicitPadding;

  it.each(Object.entries(PROGRAMS))('W13: keeps int64: %s', (_, [body, x]) => {
    expectKept(`def @main(%x: Tensor[(4), int64]) { ${body} }`, x, way);
  });

  it.each(Object.entries(PROGRAMS).filter(([title]) => !title.startsWith('pad')))(
    'W13: keeps uint64: %s',
    (_, [body, x]) => {
      const text = `def @main(%x: Tensor[(4), uint64]) { ${body.replaceAll('i64', 'u64')} }`;
      expectKept(
        text,
        x.map((value) => BigInt.asUintN(64, value)),
        way,
      );
    },
  );

  it.each([
    ['float32', 'int64', 'float32'],
    ['float64', 'int64', 'uint64'],
    ['float64', 'int64', 'float64'],
  ])('W13: keeps a cast that is out of range by one: %s, %s, %s', (from, by, to) => {
    const inner = 'clip(%x, a_min=0.0, a_max=9223372036854775808.0)';
    const text = `def @main(%x: Tensor[(2), ${from}]) { cast(cast(${inner}, dtype="${by}"), dtype="${to}") }`;
    expectKept(text, [1e20, 5], way);
  });
});

it('W13: a number of a pattern is no other 64-bit integer', () => {
  const even = rule('even', '?x + 9007199254740992', '?x * 2');
  expectKept(`def @main(%x: Tensor[(2), int64]) { %x + ${ODD}i64 }`, [1n, 2n], greedy(even));
});
