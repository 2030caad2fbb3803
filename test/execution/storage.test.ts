import { orThrow } from '@baton/base';
import { type Executor, evaluate as evaluateOn, oracle, toData } from '@baton/executor';
import { type IRModule, inferTypes } from '@baton/ir';
import { densenet121, lstm, mlp, mobilenetV2, resnet50, squeezenet } from '@baton/models';
import { standardOps as ops } from '@baton/ops';
import { fromNumbers, type Tensor } from '@baton/tensor';
import { checkExecutors, type ExecutorCount, GENERATORS } from '@baton/testing';
import { printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { makeExecutor } from '../../packages/executor/src/executor.ts';
import { makeProgram } from '../../packages/executor/src/interpreter.ts';
import { Meter } from '../../packages/executor/src/limits.ts';
import { makePool, type Pool } from '../../packages/executor/src/run/pool.ts';
import { amount } from '../tier.ts';
import { outcome, parse, withPrelude } from './support.ts';

/** The number of random programs. */
const PROGRAMS = amount(150, { quick: 40 });

/** A pool that fills storage with rubbish as soon as nothing holds it. */
const spoiledPool = (): Pool => makePool((block) => new Uint8Array(block).fill(0xa5));

/** The interpreter: what reads storage that is free again reads rubbish. */
const spoiling: Executor = makeExecutor('interpreter', (m) => makeProgram(m, spoiledPool()));

const ramp = (shape: ReadonlyArray<number>): Tensor => {
  const count = shape.reduce((n, dim) => n * dim, 1);
  return fromNumbers(
    Float64Array.from({ length: count }, (_, i) => Math.sin(i)),
    shape,
    'float32',
  );
};

describe('the storage of intermediates', () => {
  const x = 'ones(shape=[2, 3], dtype="float32")';
  it.each([
    [
      'a view outlives its tensor',
      `let %a = exp(${x}); let %b = reshape(%a, newshape=[3, 2]);
      let %c = exp(${x}); (%b, %c, add(%b, reshape(%c, newshape=[3, 2])))`,
    ],
    [
      'a tensor is in a tuple that is taken apart',
      `let %t = (exp(${x}), negative(${x}));
      let %a = %t.0; let %c = exp(exp(${x})); (%a, %c, add(%a, %c))`,
    ],
    [
      'parts of a split are used one by one',
      `let %s = split(exp(${x}), indices_or_sections=3, axis=1);
      let %a = exp(%s.0); let %b = exp(%s.2); (%a, %b, %s.1)`,
    ],
    [
      'a tuple is in a tuple',
      `let %t = ((exp(${x}), 1), negative(${x})); let %u = %t.0;
      let %c = exp(exp(${x})); (%u.0, %c, %t.1)`,
    ],
    [
      'a function captures a tensor',
      `let %a = exp(${x}); let %f = fn (%y: Tensor[(2, 3), float32]) { add(%a, %y) };
      let %b = %f(exp(${x})); let %c = exp(%b); (%f(%c), %f(%b))`,
    ],
    [
      'a function gives back what it is given',
      `let %f = fn (%y: Tensor[(2, 3), float32]) { %y };
      let %a = exp(${x}); let %b = %f(%a); let %c = exp(%a); (%b, %c, add(%b, %c))`,
    ],
    [
      'a cell holds a tensor',
      `let %r = ref(exp(${x})); let %c = exp(exp(${x}));
      let %old = ref_read(%r); let %u = ref_write(%r, %c); let %d = exp(%c); (%old, ref_read(%r), %d)`,
    ],
    [
      'one branch reads a tensor',
      `let %a = exp(${x}); let %b = if (True) { exp(%a) } else { %a };
      let %c = exp(exp(%b)); (%a, %b, %c)`,
    ],
    [
      'a shared node is demanded in branches',
      `let %a = if (True) { exp(%s) } else { %s };
      let %b = exp(%a); (add(%b, %s), %a)`.replaceAll('%s', `exp(${x})`),
    ],
    [
      'a list holds tensors',
      `let %l = Cons(exp(${x}), Cons(negative(${x}), Nil)); let %c = exp(exp(${x}));
      match (%l) { Cons(%h, Cons(%i, _)) => (%h, %i, %c), _ => (%c, %c, %c) }`,
    ],
    [
      'a tensor is given twice',
      `let %a = exp(${x}); let %b = concatenate((%a, %a)); let %c = exp(%b); (%c, %b)`,
    ],
    [
      'a broadcast repeats what was computed',
      `let %a = exp(ones(shape=[3], dtype="float32"));
      let %b = broadcast_to(%a, shape=[2, 3]); let %c = exp(%a); (exp(%b), %c, %b)`,
    ],
  ])('%s', (_, body) => {
    const m = orThrow(inferTypes(withPrelude(`def @main() { ${body} }`)));
    const wanted = outcome(evaluateOn(m, [], { executor: oracle }));
    const program = orThrow(spoiling.prepare(m));
    const first = orThrow(program.run());
    expect([outcome(program.run()), outcome(program.run())]).toEqual([wanted, wanted]);
    expect(toData(first)).toEqual(toData(orThrow(evaluateOn(m, [], { executor: oracle }))));
  });

  it('is not that of arguments, constants or results', () => {
    const m =
      parse(`def @main(%x: Tensor[(4), float32]) -> (Tensor[(4), float32], Tensor[(2, 2), float32]) {
      let %a = copy(%x); let %b = exp(%a); (%a, reshape(%b, newshape=[2, 2])) }`);
    const program = orThrow(spoiling.prepare(m));
    const inputs = [ramp([4]), fromNumbers([1, 2, 3, 4], [4], 'float32')];
    const before = inputs.map((t) => [...t.data]);
    const results = inputs.map((t) => orThrow(program.run([t])));
    const again = inputs.map((t) => orThrow(program.run([t])));
    expect(inputs.map((t) => [...t.data])).toEqual(before);
    expect(results.map(toData)).toEqual(again.map(toData));
  });

  it('is what a function holds that a run returned', () => {
    const m =
      parse(`def @main(%x: Tensor[(4), float32]) -> fn (Tensor[(4), float32]) -> Tensor[(4), float32] {
        let %a = exp(%x); fn (%y: Tensor[(4), float32]) -> Tensor[(4), float32] { add(%a, %y) } }
      def @apply(%f: fn (Tensor[(4), float32]) -> Tensor[(4), float32], %y: Tensor[(4), float32]) -> Tensor[(4), float32] { %f(%y) }`);
    const program = orThrow(spoiling.prepare(m));
    const [x, y] = [ramp([4]), fromNumbers([0, 0, 0, 0], [4], 'float32')];
    const f = orThrow(program.run([x]));
    orThrow(program.run([y]));
    const value = orThrow(program.run([f, y], { entry: 'apply' })) as Tensor;
    expect([...value.data]).toEqual([...x.data].map((v) => Math.fround(Math.exp(Number(v)))));
  });

  it.each(GENERATORS)(
    'of programs of the generator $name is free when nothing reads it',
    (generator) => {
      const count: ExecutorCount = { programs: 0, values: 0 };
      for (let seed = 7_000; seed < 7_000 + PROGRAMS; seed++) {
        expect(checkExecutors(generator, seed, count, spoiling)).toBeUndefined();
      }
    },
  );
});

describe('the second run of a model', () => {
  const small = { ops, imageSize: 32 };
  const sizes: ReadonlyArray<readonly [string, IRModule]> = [
    ['resnet50', resnet50({ ...small, width: 8 })],
    ['mobilenet_v2', mobilenetV2(small)],
    ['squeezenet', squeezenet({ ...small, imageSize: 64 })],
    ['densenet121', densenet121({ ...small, growth: 4 })],
    ['mlp', mlp({ ops })],
    ['lstm', lstm({ ops })],
  ];
  it.each(sizes)('takes no storage: %s', (_, module) => {
    const m = orThrow(inferTypes(module));
    const pool = spoiledPool();
    const program = makeProgram(m, pool);
    const main = m.functions.get('main');
    if (main === undefined) throw new Error('no main');
    const args = main.params.map(({ typeAnnotation: type }) => {
      if (type?._tag !== 'TensorType' || '_tag' in type.shape) throw new Error(printModule(m));
      return ramp(type.shape.map(Number));
    });
    const first = program.call(main, args, new Meter({}));
    const made = pool.madeBytes();
    const second = program.call(main, args, new Meter({}));
    expect(made).toBeGreaterThan(0);
    expect(pool.madeBytes()).toBe(made);
    expect(toData(second)).toEqual(toData(first));
  });
});
