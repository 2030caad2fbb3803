/** Loops of a known number of turns on the compiled executor, compared with the interpreter. */
import { orThrow } from '@baton/base';
import { evaluate, interpreter } from '@baton/executor';
import { inferTypes } from '@baton/ir';
import { loweredText, makeWasm, wasm } from '@baton/wasm';
import { checked } from '@baton/wasm/checked';
import { describe, expect, it } from 'vitest';
import { codes, outcome, parse } from './support.ts';
import { disagreements, moduleDisagreement } from './wasm-agreement.ts';

const X = 'Tensor[(5, 2, 40), float32]';
const ROW = 'Tensor[(2, 40), float32]';
const W = 'Tensor[(40, 40), float32]';
const I = 'int32';

/** A loop over a counter from a number on, whose states are all of type {@link ROW}. */
function counted(
  states: number,
  next: ReadonlyArray<string>,
  { start = '0', goesOn = 'less(%i, 5)', step = 'add(%i, 1)' } = {},
): string {
  const names = Array.from({ length: states }, (_, i) => `%s${i}`);
  const type = `(${[I, ...names.map(() => ROW)].join(', ')})`;
  return `let %loop: fn (${[I, ...names.map(() => ROW)].join(', ')}) -> ${type} =
      fn (%i: ${I}, ${names.map((name) => `${name}: ${ROW}`).join(', ')}) -> ${type} {
        if (${goesOn}) { %loop(${[step, ...next].join(', ')}) } else { (%i, ${names.join(', ')}) }
      };
    %loop(${[start, ...names.map((_, i) => `%h${i}`)].join(', ')})`;
}

const PARAMS = `%x: ${X}, %w: ${W}, %h0: ${ROW}, %h1: ${ROW}, %h2: ${ROW}`;
const program = (body: string): string => `def @main(${PARAMS}) { ${body} }`;

/** Programs whose loops have code, and the turns of each. */
const LOOPS: ReadonlyArray<readonly [string, string, ReadonlyArray<number>]> = [
  ['a sum over rows', counted(1, ['add(take(%x, %i, axis=0), %s0)']), [5]],
  ['a product in each turn', counted(1, ['nn.relu(add(take(%x, %i, axis=0), %s0))']), [5]],
  ['two values that change places', counted(2, ['%s1', '%s0']), [5]],
  ['a register that shifts', counted(3, ['%s1', '%s2', 'add(%s0, take(%x, %i, axis=0))']), [5]],
  ['numbers of Fibonacci', counted(2, ['%s1', 'add(%s0, %s1)']), [5]],
  ['one next value for two', counted(2, ['add(%s0, %s1)', 'add(%s0, %s1)']), [5]],
  [
    'a next value that reads what was made',
    counted(2, ['add(%s0, %s1)', 'subtract(add(%s0, %s1), %s0)']),
    [5],
  ],
  ['values that stay', counted(2, ['%s0', 'add(%s1, %s0)']), [5]],
  ['a constant from the first turn on', counted(2, ['%h2', 'add(%s1, %s0)']), [5]],
  ['a transpose of a state', counted(1, ['reverse(%s0, axis=1)']), [5]],
  [
    'a counter that falls',
    counted(1, ['add(multiply(%s0, -1f), take(%x, %i, axis=0))'], {
      start: '4',
      goesOn: 'greater_equal(%i, 0)',
      step: 'subtract(%i, 1)',
    }),
    [5],
  ],
  [
    'a counter in strides',
    counted(1, ['add(%s0, take(%x, %i, axis=0))'], { step: 'add(%i, 2)' }),
    [3],
  ],
  [
    'a counter that doubles',
    counted(1, ['add(%s0, take(%x, %i, axis=0))'], { start: '1', step: 'multiply(%i, 2)' }),
    [3],
  ],
  ['a counter as a number', counted(1, ['add(%s0, cast(%i, dtype="float32"))']), [5]],
  ['one turn', counted(1, ['add(%s0, take(%x, %i, axis=0))'], { start: '4' }), [1]],
  ['no turn', counted(1, ['add(%s0, take(%x, %i, axis=0))'], { start: '5' }), []],
  [
    'a condition that ends it',
    counted(1, ['add(%s0, %s0)'], { goesOn: 'logical_not(greater_equal(%i, 3))' }),
    [3],
  ],
  [
    'one loop after another',
    `let %a = { ${counted(1, ['add(%s0, take(%x, %i, axis=0))'])} }.1; add(%a, { ${counted(1, ['subtract(%s0, take(%x, %i, axis=0))'])} }.1)`,
    [5, 5],
  ],
  [
    'a value in front that waits',
    `let %y = multiply(%x, 2f); ${counted(1, ['add(take(%y, %i, axis=0), %s0)'])}`,
    [5],
  ],
];

const ROWS = 'Tensor[(5, 2, 40), float32]';

/** A loop that writes a row of its result in each turn. */
const written = (place: string, update: string, open = ROWS, from = '%x'): string => `
  let %loop: fn (${I}, ${open}, ${ROW}) -> (${open}, ${ROW}) =
    fn (%i: ${I}, %rows: ${open}, %s0: ${ROW}) -> (${open}, ${ROW}) {
      if (less(%i, 5)) {
        let %new = add(take(%x, %i, axis=0), %s0);
        %loop(add(%i, 1), ${update.replaceAll('PLACE', `reshape(${place}, newshape=[1, 1])`)}, %new)
      } else { (%rows, %s0) }
    };
  %loop(0, ${from}, %h0)`;

const scattered = 'scatter_nd(%rows, PLACE, expand_dims(%new, axis=0))';
const OPEN = 'Tensor[(?, 2, 40), float32]';

const WRITTEN: typeof LOOPS = [
  ['rows in order', written('%i', scattered), [5]],
  ['rows from the last on', written('subtract(4, %i)', scattered), [5]],
  ['rows that count from the end', written('subtract(-1, %i)', scattered), [5]],
  ['one row again and again', written('multiply(%i, 0)', scattered), [5]],
  [
    'rows of a product',
    written('%i', 'scatter_nd(%rows, PLACE, expand_dims(nn.dense(%new, %w), axis=0))'),
    [5],
  ],
  [
    'rows that are added',
    written(
      '%i',
      'concatenate((%rows, expand_dims(%new, axis=0)))',
      OPEN,
      'strided_slice(%x, begin=[0], end=[0], axes=[0])',
    ),
    [5],
  ],
  [
    'rows behind others',
    written('%i', 'concatenate((%rows, expand_dims(%new, axis=0)))', OPEN),
    [5],
  ],
];

const turnsIn = (text: string): ReadonlyArray<number> => {
  const lowered = orThrow(loweredText(parse(text), { level: 'simd' }));
  return [...lowered.matchAll(/^(\d+) times$/gm)].map(([, turns]) => Number(turns));
};

const SETTINGS = {
  default: {},
  simd: { level: 'simd' },
  groups: { fusion: 'groups' },
  checked: { checks: checked },
} as const;

describe('loops with code', () => {
  it.each([...LOOPS, ...WRITTEN])('%s', (_, body, turns) => {
    const text = program(body);
    expect(turnsIn(text)).toEqual(turns);
    expect(disagreements(text, { settings: SETTINGS })).toEqual([]);
    expect(makeWasm().prepare(parse(text))).toMatchObject({ right: { warnings: [] } });
  });
});

it('an ES module has loops and functions of Math', async () => {
  const state = 'add(cos(cast(take(%x, %i, axis=0), dtype="float64")), cast(%s0, dtype="float64"))';
  const text = program(`{ ${counted(1, [`cast(${state}, dtype="float32")`])} }.1`);
  expect(await moduleDisagreement(text)).toBeUndefined();
});

/** Programs whose loops the interpreter runs. */
const INTERPRETED: ReadonlyArray<readonly [string, string]> = [
  [
    'a condition on elements',
    counted(1, ['subtract(%s0, 1f)'], { goesOn: 'greater(max(%s0), 0f)' }),
  ],
  ['an operator without code', counted(1, ['sort(%s0)'])],
  [
    'rows at places of elements',
    written('cast(sum(%s0, axis=[0, 1], keepdims=False), dtype="int32")', scattered),
  ],
  ['rows outside', written('add(%i, 3)', scattered)],
  [
    'rows that are read',
    written('%i', 'scatter_nd(%rows, PLACE, take(%rows, reshape(%i, newshape=[1]), axis=0))'),
  ],
];

it.each(INTERPRETED)('the interpreter runs %s', (_, body) => {
  expect(disagreements(program(body), { settings: SETTINGS })).toEqual([]);
});

it('loops of open length have code at each length', () => {
  const m = orThrow(
    inferTypes(
      parse(`def @main(%x: Tensor[(n, 2, 40), float32], %h0: ${ROW}) {
        let %count = take(shape_of(%x, dtype="int32"), 0);
        let %loop: fn (${I}, ${ROW}) -> ${ROW} = fn (%i: ${I}, %s: ${ROW}) -> ${ROW} {
          if (less(%i, %count)) { %loop(add(%i, 1), add(take(%x, %i, axis=0), multiply(%s, 2f))) } else { %s }
        };
        %loop(0, %h0)
      }`),
    ),
  );
  const prepared = orThrow(wasm.prepare(m));
  const state = Array.from({ length: 80 }, (_, i) => i % 7);
  for (const length of [3, 1, 8, 3]) {
    const rows = Array.from({ length: length * 80 }, (_, i) => (i * 5) % 11);
    const nested = (flat: ReadonlyArray<number>, shape: ReadonlyArray<number>): unknown =>
      shape.length === 1
        ? flat
        : Array.from({ length: shape[0] as number }, (_, i) => {
            const size = flat.length / (shape[0] as number);
            return nested(flat.slice(i * size, (i + 1) * size), shape.slice(1));
          });
    const args = [nested(rows, [length, 2, 40]), nested(state, [2, 40])] as never;
    expect(outcome(prepared.run(args))).toEqual(
      outcome(evaluate(m, args, { executor: interpreter })),
    );
  }
  expect(prepared.warnings).toEqual([]);
});

it.each([...LOOPS, ...WRITTEN])('the fuel of %s is that of the interpreter', (_, body) => {
  const m = orThrow(inferTypes(parse(program(body))));
  const zeros = (...shape: ReadonlyArray<number>): never => {
    const filled = (axis: number): unknown =>
      axis === shape.length
        ? 0
        : Array.from({ length: shape[axis] as number }, () => filled(axis + 1));
    return filled(0) as never;
  };
  const args = [zeros(5, 2, 40), zeros(40, 40), zeros(2, 40), zeros(2, 40), zeros(2, 40)];
  const isEnough = (executor: typeof wasm, fuel: number): boolean =>
    codes(evaluate(m, args, { executor, fuel })).length === 0;
  let [least, most] = [0, 4096];
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (isEnough(interpreter, middle)) most = middle;
    else least = middle;
  }
  expect([isEnough(wasm, most), isEnough(wasm, least)]).toEqual([true, false]);
});
