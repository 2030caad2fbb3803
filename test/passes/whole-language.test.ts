/** Passes keep what random programs of the whole language compute. */
import { mulberry32, orThrow } from '@baton/base';
import { evaluate, type Value, valuesAgree } from '@baton/executor';
import { type IRModule, printModule } from '@baton/ir';
import { type Pass, runPass, sequential, withContext } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { allClose, type DType, fromNumbers, isFloat, type Tensor } from '@baton/tensor';
import { programOf } from '@baton/testing';
import { describe, expect, test } from 'vitest';

const FIRST_SEED = 20_261_121;
const PROGRAMS = 60;
const SEQUENCES = 200;
const LONGEST_SEQUENCE = 5;
const EVERY_LEVEL = 9;
const TOLERANCE = { rtol: 1e-4, atol: 1e-4 };

const PASSES: ReadonlyArray<readonly [string, Pass]> = [
  ...Object.entries(passes),
  ['deadCodeElimination, inlining', passes.deadCodeElimination({ inlineOnce: true })],
  ...([0, 1, 2, 3] as const).map((level) => [`level ${level}`, optimize({ level })] as const),
];

interface Subject {
  readonly seed: number;
  readonly m: IRModule;
  readonly args: ReadonlyArray<Tensor>;
  readonly expected: Value;
}

function subject(seed: number): Subject {
  const { module: m } = programOf(seed, { language: 'whole', numerics: 'exact' });
  const args = inputsOf(m, seed);
  return { seed, m, args, expected: orThrow(evaluate(m, args)) };
}

/** Multiples of 1/8, and small whole numbers. */
function inputsOf(m: IRModule, seed: number): ReadonlyArray<Tensor> {
  const random = mulberry32(seed);
  return (m.functions.get('main')?.params ?? []).map(({ typeAnnotation: type }) => {
    if (type?._tag !== 'TensorType' || '_tag' in type.shape) throw new Error('a static parameter');
    const shape = type.shape.map(Number);
    const dtype = type.dtype as DType;
    const size = shape.reduce((n, d) => n * d, 1);
    const step = (): number => Math.floor(random() * 17) - 8;
    const draw = (): number =>
      isFloat(dtype) ? step() / 8 : Math.floor(random() * (dtype === 'bool' ? 2 : 4));
    return fromNumbers(Array.from({ length: size }, draw), shape, dtype);
  });
}

function check(name: string, pass: Pass, { seed, m, args, expected }: Subject): void {
  const pipeline = withContext({ level: EVERY_LEVEL }, sequential([pass]));
  const { module } = orThrow(runPass(pipeline)(m));
  if (module === m) return;
  const found = orThrow(evaluate(module, args));
  const agree = valuesAgree(found, expected, (a, b) => allClose(a, b, TOLERANCE));
  expect(agree, `${name}, seed ${seed}:\n${printModule(m)}\n=>\n${printModule(module)}`).toBe(true);
}

describe('random programs of the whole language keep their values under', () => {
  const subjects = Array.from({ length: PROGRAMS }, (_, i) => subject(FIRST_SEED + i));

  test.each(PASSES)('%s', (name, pass) => {
    for (const program of subjects) check(name, pass, program);
  });

  test('sequences of passes', () => {
    const random = mulberry32(FIRST_SEED);
    const below = (bound: number): number => Math.floor(random() * bound);
    for (let i = 0; i < SEQUENCES; i++) {
      const length = 2 + below(LONGEST_SEQUENCE - 1);
      const chosen = Array.from({ length }, () => PASSES[below(PASSES.length)] ?? PASSES[0]);
      const list = chosen.filter((entry) => entry !== undefined);
      const program = subject(FIRST_SEED + PROGRAMS + i);
      check(list.map(([name]) => name).join(', '), sequential(list.map(([, p]) => p)), program);
    }
  });
});
