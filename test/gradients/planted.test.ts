/** Gradients by hand of forms that random programs seldom make. */
import { orThrow } from '@baton/base';
import { evaluate, interpreter, oracle, printValue } from '@baton/executor';
import { standardOps } from '@baton/ops';
import { fromNumbers } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';

/** The gradients of `main` for numbers of a shape, which all executors find. */
function gradients(text: string, numbers: ReadonlyArray<number>, ...shape: number[]): string {
  const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
  const x = fromNumbers(numbers, shape, 'float32');
  const [found, other] = [interpreter, oracle].map((executor) =>
    printValue(orThrow(evaluate(m, [x], { executor }))),
  );
  expect(other).toBe(found);
  return found ?? '';
}

const MODES = ['higher_order', 'first_order'];

const of = (mode: string, type: string, body: string): string =>
  `def @f(%x: ${type}) { ${body} }\ndef @main(%x: ${type}) { gradient(@f, mode="${mode}")(%x).1 }`;

describe.each(MODES)('%s', (mode) => {
  test.each([
    ['max_pool1d', '(1, 1, 3)', 'pool_size=[3]', [1, 1, 3]],
    ['max_pool2d', '(1, 1, 1, 3)', 'pool_size=[1, 3]', [1, 1, 1, 3]],
    ['max_pool3d', '(1, 1, 1, 1, 3)', 'pool_size=[1, 1, 3]', [1, 1, 1, 1, 3]],
  ])('of a tie the first of nn.%s has all', (name, type, attrs, shape) => {
    const text = of(mode, `Tensor[${type}, float32]`, `nn.${name}(%x, ${attrs})`);
    expect(gradients(text, [1, 1, 1], ...shape).replaceAll(/[[\]()]/g, '')).toBe('1, 0, 0,');
  });

  test('of a convolution that is padded on one side only', () => {
    const conv = (padding: string) =>
      of(
        mode,
        'Tensor[(1, 1, 3), float32]',
        `nn.conv1d(%x, reshape(arange(1f, 3f, 1f, dtype="float32"), newshape=[1, 1, 2]), padding=${padding})`,
      );
    expect(gradients(conv('[0, 1]'), [1, 2, 3], 1, 1, 3)).toBe('([[[1, 3, 3]]],)');
    expect(gradients(conv('[1, 0]'), [1, 2, 3], 1, 1, 3)).toBe('([[[3, 3, 2]]],)');
  });
});

test('of a chain of four functions', () => {
  const text = `def @a(%x: float32) -> float32 { @b(%x) * 2f }
def @b(%x: float32) -> float32 { @c(%x) * 3f }
def @c(%x: float32) -> float32 { @d(%x) * 5f }
def @d(%x: float32) -> float32 { %x * %x }
def @main(%x: float32) { gradient(@a)(%x).1 }`;
  expect(gradients(text, [7])).toBe('(420,)');
});

test('of a chain of four functions, the last of which has a gradient inside', () => {
  const text = `def @a(%x: float32) -> float32 { @b(%x) * 2f }
def @b(%x: float32) -> float32 { @c(%x) * 3f }
def @c(%x: float32) -> float32 { @d(%x) * 5f }
def @d(%x: float32) -> float32 { gradient(@e)(%x).1.0 }
def @e(%x: float32) -> float32 { %x * %x * %x }
def @main(%x: float32) { gradient(@a)(%x).1 }`;
  expect(gradients(text, [7])).toBe('(1260,)');
});

const SQUARE = 'fn (%x: float32) -> float32 { %x * %x }';
const SELF = 'fn (%x: float32) -> float32 { %x }';

test.each([
  ['inner', `let %f = ${SELF}; gradient({ let %f = ${SQUARE}; %f })(%x).1`],
  ['outer', `let %f = ${SQUARE}; let %g = { let %f = ${SELF}; %f }; (gradient(%f)(%x).1.0,)`],
  ['later', `let %f = ${SELF}; let %f = ${SQUARE}; gradient(%f)(%x).1`],
  [
    'innermost',
    `let %f = ${SELF}; gradient({ let %f = { let %f = ${SQUARE}; %f }; let %g = ${SELF}; %f })(%x).1`,
  ],
  ['outer, past another,', `let %f = ${SQUARE}; gradient({ let %g = ${SELF}; %f })(%x).1`],
  ['one before it', `let %f = ${SQUARE}; gradient({ let %g = %f; let %f = ${SELF}; %g })(%x).1`],
])('of the %s of variables of one name', (_, body) => {
  expect(gradients(`def @main(%x: float32) { ${body} }`, [3])).toBe('(6,)');
});
