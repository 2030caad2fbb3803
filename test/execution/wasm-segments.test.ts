/** Segments of functions with control flow on the compiled executor, compared with the oracle. */
import { isLeft, orThrow } from '@baton/base';
import {
  type Arguments,
  type EvaluateOptions,
  type Executor,
  evaluate,
  oracle,
  type Segment,
} from '@baton/executor';
import {
  call,
  type Expr,
  func,
  type IRModule,
  ifElse,
  inferTypes,
  irModule,
  opRef,
  tensorType,
  type Var,
  variable,
} from '@baton/ir';
import { regionOf } from '@baton/lower';
import { standardOps } from '@baton/ops';
import { scalar, shapeSize, type Tensor, tensor } from '@baton/tensor';
import { checkExecutors, checkLimits, GENERATORS, SEGMENTS } from '@baton/testing';
import { makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { outcome, withPrelude } from './support.ts';

const SEED = 75_001;
const PROGRAMS = 40;

/** An executor that keeps every bit, and the names of the operators in each of its segments. */
function watched(leastElements = 0) {
  const segments: string[] = [];
  const onStretch = ({ nodes }: Segment): void => {
    const names = nodes.flatMap((node) =>
      node._tag === 'Call' && node.op._tag === 'Op' ? [node.op.name] : [node._tag],
    );
    segments.push(names.join(' '));
  };
  return { executor: makeWasm({ isExact: true, leastElements, onStretch }), segments };
}

const filled = (shape: ReadonlyArray<number>, i: number): Tensor =>
  shape.length === 0
    ? scalar(i + 1, 'int32')
    : tensor(
        Float32Array.from({ length: shapeSize(shape) }, (_, at) => Math.sin(7 * i + at + 1)),
        shape,
        'float32',
      );

const T = 'Tensor[(2, 64), float32]';

const W = 'Tensor[(64, 64), float32]';

/** A program, the shapes of its arguments, and the segments that are compiled of it. */
const CASES: ReadonlyArray<
  readonly [string, string, ReadonlyArray<ReadonlyArray<number>>, ReadonlyArray<string>]
> = [
  [
    'a recursive network',
    `def @loop(%n: int32, %h: ${T}, %w: ${W}) -> ${T} {
       if (equal(%n, 0)) { %h } else {
         let %a = nn.dense(%h, %w);
         let %b = add(%a, %h);
         @loop(subtract(%n, 1), tanh(%b), %w)
       }
     }
     def @main(%h: ${T}, %w: ${W}) { @loop(5, %h, %w) }`,
    [
      [2, 64],
      [64, 64],
    ],
    // The next number is computed between the sum and `tanh`, and used by another.
    ['nn.dense add', 'tanh'],
  ],
  [
    'a network with an if in the middle',
    `def @main(%x: ${T}, %y: ${T}) {
       let %a = nn.relu(add(%x, %y));
       let %b = if (greater(sum(%a), 1f)) { exp(negative(%a)) } else { tanh(multiply(%a, %a)) };
       add(%b, sqrt(abs(%x)))
     }`,
    [
      [2, 64],
      [2, 64],
    ],
    ['abs sqrt add', 'add nn.relu', 'multiply tanh', 'negative exp', 'sum greater'],
  ],
  [
    'a match on a list',
    `def @total(%l: List[${T}], %s: ${T}) -> ${T} {
       match (%l) {
         Cons(%x, %rest) => @total(%rest, add(%s, exp(negative(multiply(%x, %x))))),
         Nil => sqrt(nn.relu(%s)),
       }
     }
     def @main(%x: ${T}, %y: ${T}) { @total(Cons(%x, Cons(%y, Cons(%x, Nil))), %y) }`,
    [
      [2, 64],
      [2, 64],
    ],
    ['multiply negative exp add', 'nn.relu sqrt'],
  ],
  [
    'a closure with free variables',
    `def @main(%x: ${T}, %y: ${T}) {
       let %scale = exp(negative(%y));
       let %f = fn (%z: ${T}) -> ${T} { add(multiply(%z, %scale), %x) };
       %f(%f(%x))
     }`,
    [
      [2, 64],
      [2, 64],
    ],
    ['multiply add', 'negative exp'],
  ],
  [
    'references',
    `def @main(%x: ${T}, %y: ${T}) {
       let %r = ref(add(%x, multiply(%y, %y)));
       let %u = ref_write(%r, tanh(add(ref_read(%r), %x)));
       (ref_read(%r), subtract(exp(%x), ref_read(%r)))
     }`,
    [
      [2, 64],
      [2, 64],
    ],
    ['add tanh', 'exp', 'multiply add', 'subtract'],
  ],
  [
    'a function of plain dataflow beside an if',
    `def @step(%h: ${T}, %x: ${T}) -> (${T}, ${T}) {
       %0 = add(%h, %x);
       %1 = split(%0, indices_or_sections=2, axis=1);
       %2 = tanh(concatenate((%1.1, %1.0), axis=1));
       (%2, multiply(%2, %x))
     }
     def @main(%n: int32, %x: ${T}) {
       let %a = if (greater(%n, 0)) { @step(%x, %x) } else { (%x, %x) };
       @step(%a.0, %a.1)
     }`,
    [[], [2, 64]],
    [],
  ],
];

/** What comes of a program, with all its limits. */
const outcomeOn = (
  executor: Executor,
  m: IRModule,
  args: Arguments,
  limits: EvaluateOptions = {},
) => outcome(evaluate(m, args, { ...limits, executor }));

describe.each(CASES)('%s', (_, text, shapes, wanted) => {
  const m = withPrelude(text);
  const args = shapes.map(filled);

  it('is compiled in segments, and comes to the same', () => {
    const { executor, segments } = watched(64);
    expect(outcomeOn(executor, m, args)).toEqual(outcomeOn(oracle, m, args));
    expect(segments.sort()).toEqual(wanted);
  });

  it('stops at the same place as on the oracle, for any fuel', () => {
    const { executor } = watched(64);
    const prepared = orThrow(executor.prepare(m));
    const reference = orThrow(oracle.prepare(m));
    let isDone = false;
    for (let fuel = 0; !isDone; fuel++) {
      const found = prepared.run(args, { fuel });
      expect(outcome(found)).toEqual(outcome(reference.run(args, { fuel })));
      isDone = !isLeft(found);
    }
  });

  it('stops at the same place as on the oracle, for any limit of bytes and depth', () => {
    const { executor } = watched(64);
    for (const limits of [{ maxBytes: 4 }, { maxBytes: 511 }, { maxDepth: 0 }, { maxDepth: 1 }]) {
      expect(outcomeOn(executor, m, args, limits)).toEqual(outcomeOn(oracle, m, args, limits));
    }
  });
});

/** The generators of whole-language programs; a third of late ones is of the full language. */
it.each([
  ['whole', PROGRAMS],
  ['late types', PROGRAMS / 4],
])('segments are compiled in programs of %s', (name, least) => {
  const { executor, segments } = watched();
  const generator = GENERATORS.find((one) => one.name === name) as (typeof GENERATORS)[number];
  const count = { programs: 0, values: 0 };
  const problems: string[] = [];
  for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
    const problem = checkExecutors(generator, seed, count, executor);
    if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
  }
  expect(problems).toEqual([]);
  expect(segments.length).toBeGreaterThan(least);
  expect(segments.filter((names) => names.includes(' ')).length).toBeGreaterThan(least / 2);
});

/** The generators with control flow, and programs of each. */
it.each([
  ['whole', 15],
  ['late types', 15],
  ['segments', 30],
])('programs of %s stop at the same step as on the oracle, within any limits', (name, programs) => {
  const { executor, segments } = watched();
  const generator = [...GENERATORS, SEGMENTS].find((one) => one.name === name) as typeof SEGMENTS;
  const problems: string[] = [];
  for (let seed = SEED; seed < SEED + programs; seed++) {
    const problem = checkLimits(generator, seed, executor);
    if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
  }
  expect(problems).toEqual([]);
  expect(segments.length).toBeGreaterThan(programs);
});

it('a check of sizes between two operators comes after the steps before it', () => {
  const m = withPrelude(`def @main(%x: ${T}, %y: Tensor[(?, 64), float32]) {
    let %a = exp(%x);
    let %c: ${T} = %y;
    (negative(%a), if (greater(sum(%c), 1f)) { %c } else { %x })
  }`);
  const { executor } = watched();
  const args = [filled([2, 64], 0), filled([3, 64], 1)];
  for (const fuel of [0, 1, 2]) {
    expect(outcomeOn(executor, m, args, { fuel })).toEqual(outcomeOn(oracle, m, args, { fuel }));
  }
});

it('a kernel that a compiled function calls last is no deeper than the function', () => {
  const m = withPrelude(`def @main(%x: ${T}) {
    let %a = exp(%x);
    fn (%p: ${T}, Primitive=1) -> ${T} { negative(exp(%p)) }(%a)
  }`);
  const { executor } = watched();
  for (const maxDepth of [0, 1]) {
    const [found, expected] = [executor, oracle].map((one) =>
      outcomeOn(one, m, [filled([2, 64], 0)], { maxDepth }),
    );
    expect(found).toEqual(expected);
  }
});

it('kernels in kernels are one compiled function, and as deep as on the oracle', () => {
  const m = withPrelude(`def @main(%x: ${T}) {
    let %a = fn (%p: ${T}, Primitive=1) -> ${T} {
      let %b = fn (%q: ${T}, Primitive=1, Composite="g") -> ${T} { negative(exp(%q)) }(tanh(%p));
      fn (%q: ${T}, Primitive=1, Composite="h") -> ${T} { exp(%q) * %q }(%b)
    }(%x);
    fn (%p: ${T}, Primitive=1) -> ${T} { negative(%p) }(%a)
  }`);
  const main = m.functions.get('main') ?? expect.fail('main');
  expect(regionOf(main, m)?.steps.map(({ group }) => group)).toEqual([0, 0, 0, 0, 0, 3]);
  const args = [filled([2, 64], 0)];
  for (const limits of [0, 1, 2, 3].flatMap((n) => [{ maxDepth: n }, { fuel: 2 * n }])) {
    expect(outcomeOn(makeWasm({ isExact: true }), m, args, limits)).toEqual(
      outcomeOn(oracle, m, args, limits),
    );
  }
});

it('functions many times in one another are interpreted, not read by recursion', () => {
  const x = variable('x', tensorType([2], 'float32'));
  const inner = (depth: number): Expr => {
    let made: Expr = variable('p', tensorType([2], 'float32'));
    let param = made;
    for (let i = 0; i < depth; i++) {
      const outer = variable('p', tensorType([2], 'float32'));
      made = call(func([param as Var], made), [outer]);
      param = outer;
    }
    return call(func([param as Var], made), [x]);
  };
  const main = (depth: number) => {
    const f = func([x], inner(depth), { retType: tensorType([2], 'float32') });
    const m = orThrow(
      inferTypes(irModule({ ops: standardOps, functions: new Map([['main', f]]) })),
    );
    return regionOf(m.functions.get('main') ?? expect.fail('main'), m);
  };
  expect([main(3) === undefined, main(2_000) === undefined]).toEqual([false, true]);
});

it.each([1_000, 5_000])(
  'a chain of %i operators in a branch is one segment, and small ones are left alone',
  (length) => {
    const size = tensorType([2], 'float32');
    const x = variable('x', size);
    const n = variable('n', tensorType([], 'bool'));
    let chain: Expr = x;
    for (let i = 0; i < length; i++) chain = call(opRef('negative'), [chain]);
    const main = func([n, x], ifElse(n, chain, x), { retType: size });
    const m = orThrow(
      inferTypes(irModule({ ops: standardOps, functions: new Map([['main', main]]) })),
    );
    const { executor, segments } = watched(4 * length);
    const args = [scalar(1, 'bool'), tensor(Float32Array.of(1, 2), [2], 'float32')];
    expect(outcomeOn(executor, m, args)).toEqual(outcomeOn(oracle, m, args));
    expect(segments).toEqual([]);
    const { executor: all, segments: compiled } = watched(0);
    expect(outcomeOn(all, m, args)).toEqual(outcomeOn(oracle, m, args));
    expect(compiled.map((names) => names.split(' ').length)).toEqual([length]);
  },
);
