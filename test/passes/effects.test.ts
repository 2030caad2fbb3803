/** Passes keep the results of programs of the full language, and the order of their effects. */
import { orThrow } from '@baton/base';
import { evaluate, printValue } from '@baton/executor';
import { type IRModule, inferTypes, wellFormed } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type Pass, runPass, sequential, withContext } from '@baton/pass-manager';
import { type CompositePattern, optimize, passes } from '@baton/passes';
import { dataflow } from '@baton/rewrites';
import { tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';

const SEED = 20261121;
const SEQUENCES = amount(300, { quick: 12 });
const EVERY_LEVEL = 9;

/** `@tick(r)` counts the evaluations in base 10, in order, so that its result shows the time. */
const PRELUDE = `
type Option[A] { None, Some(A) }
type List[A] { Nil, Cons(A, List[A]) }
def @id[A](%x: A) -> A { %x }
def @note(%r: ref(int32), %d: int32) -> int32 {
  let %u = ref_write(%r, ref_read(%r) * 10 + %d);
  %d
}
def @count(%n: int32, %r: ref(int32)) -> int32 {
  if (%n == 0) { 0 } else { let %u = @note(%r, %n); @count(%n - 1, %r) + 1 }
}
def @map[A, B](%f: fn (A) -> B, %xs: List[A]) -> List[B] {
  match (%xs) { Nil => Nil, Cons(%y, %ys) => Cons(%f(%y), @map(%f, %ys)) }
}
def @vector(%r: ref(int32), %d: int32) -> Tensor[(3,), float32] {
  broadcast_to(cast(@note(%r, %d), dtype="float32"), shape=[3])
}
def @image(%r: ref(int32), %d: int32) -> Tensor[(1, 3, 2, 2), float32] {
  broadcast_to(cast(@note(%r, %d), dtype="float32"), shape=[1, 3, 2, 2])
}
def @scale(%r: ref(int32), %d: int32) -> Tensor[(3, 1, 1), float32] {
  broadcast_to(cast(@note(%r, %d), dtype="float32"), shape=[3, 1, 1])
}
def @weight(%r: ref(int32), %d: int32) -> Tensor[(3, 3, 1, 1), float32] {
  broadcast_to(cast(@note(%r, %d), dtype="float32"), shape=[3, 3, 1, 1])
}
def @forever(%n: int32) -> int32 { @forever(%n + 1) }
`;

const PROGRAMS: ReadonlyArray<readonly [string, string]> = [
  ['arguments in order', `(@note(%r, 1) - @note(%r, 2) * @note(%r, 3), ref_read(%r))`],
  [
    'a read, kept over a write',
    `%0 = ref_read(%r); let %u = ref_write(%r, %0 + 1); (%0 + ref_read(%r), %0)`,
  ],
  [
    'reads that are not the same',
    `let %a = ref_read(%r) + 1; let %u = ref_write(%r, 5); let %b = ref_read(%r) + 1; %a * %b`,
  ],
  [
    'a binding that only writes',
    `let %dead = @note(%r, 7); let %alsoDead = %x + 1; let %f = fn () { @note(%r, 8) }; ref_read(%r)`,
  ],
  [
    'a field of a tuple that writes',
    `let %a = (@note(%r, 4), 3).1; let %b = ((ref_write(%r, 9), %x), 2).0.1; (%a, %b, ref_read(%r))`,
  ],
  [
    'values of which only the shape matters',
    `(zeros_like(@note(%r, 1)), ones_like(@note(%r, 2)) * %x, full_like(@note(%r, 3), @note(%r, 4)),
      shape_of(@note(%r, 5)), ref_read(%r))`,
  ],
  [
    'neutral operands',
    `(0 + @note(%r, 1), (@note(%r, 2) * 1) + 0, @note(%r, 3) - 0, ref_read(%r))`,
  ],
  [
    'a function that is left alone',
    `let %f = fn (%k: int32, SkipOptimization=1) { let %dead = %x; %k + @note(%r, 2) };
      (%f(1), %f(2), ref_read(%r))`,
  ],
  [
    'a value that only a function that is left alone mentions, in vain',
    `let %c = %x * 3; let %f = fn (%k: int32, SkipOptimization=1) { let %dead = %c + 1; %k }; %f(1)`,
  ],
  [
    'a recursive function that is left alone',
    `let %f = fn (%k: int32, SkipOptimization=1) -> int32 {
        if (%k == 0) { @note(%r, 1) } else { %f(%k - 1) } };
      (%f(2), ref_read(%r))`,
  ],
  [
    'what a function that is left alone shares with its surroundings',
    `%0 = @note(%r, 3) + (1 + 1); let %f = fn (SkipOptimization=1) { %0 * 2 };
      (%f(), %0 + (1 + 1), %f(), ref_read(%r))`,
  ],
  [
    'a reference that a function that is left alone shares with its surroundings',
    `%0 = ref(1 + 1); let %f = fn (%k: int32, SkipOptimization=1) { ref_write(%0, %k) };
      let %u = %f(5); (ref_read(%0), ref_read(%r))`,
  ],
  [
    'a condition that writes',
    `let %a = if (@note(%r, 1) == 1) { @note(%r, 2) } else { @note(%r, 3) }; (%a, ref_read(%r))`,
  ],
  [
    'a constant condition',
    `%0 = @note(%r, 1); let %a = if (True) { %x } else { %0 }; (%a, @note(%r, 2), %0, ref_read(%r))`,
  ],
  [
    'a shared write that both branches need',
    `%0 = @note(%r, 1); let %a = if (%x < 0) { %0 + @note(%r, 2) } else { @note(%r, 3) - %0 };
     (%a, ref_read(%r))`,
  ],
  [
    'a shared write that one branch and what follows need',
    `%0 = @note(%r, 1); let %a = if (%x < 0) { %0 } else { @note(%r, 3) };
     (%a, @note(%r, 2), %0, ref_read(%r))`,
  ],
  [
    'a closure that writes, called twice',
    `let %f = fn (%d: int32) { @note(%r, %d) + ref_read(%r) }; (%f(1), %f(2), %f(1))`,
  ],
  [
    'a closure that reads what changes',
    `let %f = fn () { ref_read(%r) }; let %a = %f(); let %u = ref_write(%r, 6); (%a, %f() + %a)`,
  ],
  [
    'a reference in a closure, new at each call',
    `let %f = fn () { let %s = ref(%x); let %u = ref_write(%s, ref_read(%s) + 1); %s };
     let %a = %f(); let %u = ref_write(%a, 9); (ref_read(%f()), ref_read(%a))`,
  ],
  [
    'references that are equal but not the same',
    `let %a = ref(%x); let %b = ref(%x); let %u = ref_write(%a, 1); (ref_read(%a), ref_read(%b))`,
  ],
  [
    'a reference under two names',
    `let %a = ref(%x); let %b = %a; let %t = (%a, %b); let %u = ref_write(%t.0, 1); ref_read(%t.1)`,
  ],
  [
    'recursion through a reference',
    `let %k = ref(fn (%n: int32) -> int32 { %n });
     let %u = ref_write(%k, fn (%n: int32) -> int32 {
       if (%n <= 0) { @note(%r, 9) } else { (ref_read(%k))(%n - 1) + %n } });
     ((ref_read(%k))(3), ref_read(%r))`,
  ],
  ['recursion that writes', `(@count(4, %r), ref_read(%r))`],
  [
    'a local recursive function that writes',
    `let %f = fn (%n: int32) -> int32 {
       if (%n == 0) { 0 } else { let %u = @note(%r, %n); %f(%n - 1) + %n } };
     (%f(3), ref_read(%r), %f(2), ref_read(%r))`,
  ],
  [
    'a match on what writes',
    `let %a = match ((Some(@note(%r, 1)), @note(%r, 2))) {
       (Some(%v), %w) => %v * 10 + %w + @note(%r, 3), (None, _) => @note(%r, 4) };
     (%a, ref_read(%r))`,
  ],
  [
    'clauses in order',
    `let %f = fn (%o: Option[int32]) { match (%o) { Some(_) => 1, None => 2 } };
     let %g = fn (%t: (int32, Option[int32])) {
       match (%t) { (_, None) => 3, (%v, Some(%w)) => %v - %w } };
     (%f(Some(%x)), %f(None), %g((%x, None)), %g((%x, Some(2))))`,
  ],
  [
    'a list that is mapped by a function that writes',
    `let %l = @map(fn (%v: int32) { @note(%r, %v) + %x }, Cons(1, Cons(2, Cons(3, Nil))));
     (%l, ref_read(%r))`,
  ],
  [
    'a call that never ends, in a branch that is not taken',
    `%0 = @forever(%x); let %a = if (%x == 12345) { %0 } else { 1 };
     let %b = if (%x == 54321) { %0 + 1 } else { 2 }; (%a, %b)`,
  ],
  [
    'a match that fails, in a branch that is not taken',
    `%0 = match? (Some(%x)) { None => 1 };
     (if (%x == 12345) { %0 } else { 1 }, if (%x == 12345) { %0 } else { 2 })`,
  ],
  [
    'equal calls in branches, and what they need',
    `let %a = if (%x < 0) { (%x + 1) * (%x + 1) } else { (%x + 1) * 2 };
     let %f = fn (%y: int32) { (%x + 1) * %y }; (%a, %f(@note(%r, 1)), %f(@note(%r, 2)), ref_read(%r))`,
  ],
  [
    'polymorphic functions at several types',
    `let %p = fn [A, B](%a: A, %b: B) -> (B, A) { (%b, %a) };
     (@id(%p)(%x, True), %p(%p(1, 2f), @note(%r, 1)), @id(@id)(%x), @map(@id, Cons(%x, Nil)))`,
  ],
  [
    'functions chosen by a condition',
    `let %f = if (%x < 0) { fn (%v: int32) { @note(%r, %v) } } else { fn (%v: int32) { %v + 1 } };
     (%f(1), %f(2), ref_read(%r))`,
  ],
  [
    'calls of what is not known, for nothing',
    `let %f = fn (%g: fn (int32) -> int32) { let %dead = %g(1); 2 };
     let %t = (fn (%v: int32) { @note(%r, %v) }, 1);
     let %o = Some(fn (%v: int32) { @note(%r, %v) });
     let %k = ref(fn (%v: int32) -> int32 { @note(%r, %v) });
     let %a = %f(fn (%v: int32) { @note(%r, %v + 1) });
     let %deadField = %t.0(3);
     let %deadMatch = match (%o) { Some(%h) => %h(4), None => 0 };
     let %deadRead = (ref_read(%k))(5);
     let %deadMap = @map(fn (%v: int32) { @note(%r, %v) }, Cons(6, Cons(7, Nil)));
     (%a, ref_read(%r))`,
  ],
  [
    'functions that give functions',
    `let %make = fn (%d: int32) { let %u = @note(%r, %d); fn (%v: int32) { @note(%r, %v) + %d } };
     let %f = %make(1); let %deadMake = %make(2); let %dead = %make(3)(4); (%f(5), %make(6)(7), ref_read(%r))`,
  ],
  [
    'operands of sums and products',
    `(multiply(add(@vector(%r, 1), exp(@vector(%r, 2))), @vector(%r, 3)),
      subtract(negative(@vector(%r, 4)), negative(abs(@vector(%r, 5)))), ref_read(%r))`,
  ],
  [
    'parameters of normalizations',
    `(nn.layer_norm(@vector(%r, 1), @vector(%r, 2), @vector(%r, 3), axis=0),
      nn.batch_norm(@image(%r, 4), @vector(%r, 5), @vector(%r, 6), @vector(%r, 7), @vector(%r, 8)).0,
      ref_read(%r))`,
  ],
  [
    'what a normalization does without',
    `(nn.layer_norm(@vector(%r, 1), @vector(%r, 2), @vector(%r, 3), axis=0, scale=False, center=False),
      nn.dropout(@vector(%r, 4)).0, ref_read(%r))`,
  ],
  [
    'scales on inputs',
    `(nn.conv2d(multiply(@image(%r, 1), Constant(2f, (3, 1, 1), float32)), @weight(%r, 2), kernel_size=[1, 1]),
      nn.conv2d(multiply(@image(%r, 3), @scale(%r, 4)), @weight(%r, 5), kernel_size=[1, 1]),
      nn.conv2d(nn.relu(add(Constant(2f, (3, 1, 1), float32) * @image(%r, 6), @scale(%r, 7))),
        @weight(%r, 8), kernel_size=[1, 1]), ref_read(%r))`,
  ],
  [
    'scales on results',
    `(nn.conv2d(@image(%r, 1), @weight(%r, 2), kernel_size=[1, 1]) * Constant(2f, (3, 1, 1), float32),
      nn.conv2d(@image(%r, 3), @weight(%r, 4), kernel_size=[1, 1]) * @scale(%r, 5),
      (@image(%r, 6) - nn.conv2d(@image(%r, 7), @weight(%r, 8), kernel_size=[1, 1])) * 2f, ref_read(%r))`,
  ],
  [
    'biases, pads and concatenations',
    `(nn.bias_add(@image(%r, 1), @vector(%r, 2)),
      nn.avg_pool2d(nn.pad(@image(%r, 3), 0f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]), pool_size=[2, 2]),
      concatenate((@vector(%r, 4), exp(@vector(%r, 5)), @vector(%r, 6))), ref_read(%r))`,
  ],
  [
    'kernels whose parameters stand in another order',
    `(fn (%p: int32, %q: int32, Primitive=1) { %q - %p * %p })(@note(%r, 1), @note(%r, 2)) +
     (fn (%p: int32, %q: int32, Primitive=1) { %q })(@note(%r, 3), @note(%r, 4)) + ref_read(%r)`,
  ],
  [
    'kernels that take variables from outside',
    `let %c = 1 + 2; let %d = @note(%r, 1) + %x; let %e = %c + %d; let %f = fn (%v: int32) { %v + %c };
     let %k = fn (%p: int32, Primitive=1) { %p * %c + (%d - %e) };
     (%k(%x), %k(@note(%r, 2)), (fn (%p: int32, Primitive=1) { %p - %c })(%e), %f(%c), ref_read(%r))`,
  ],
  [
    'shadowed names',
    `let %x1 = %x + 1; let %f = fn (%x1: int32) { let %x2 = %x1 * 2; let %x1 = %x2 + 1; %x1 };
     (%f(%x1), %x1, (let %q = %f(3); %q) + %f(%f(1)))`,
  ],
];

const VALUES = [-3, 4];

function read(body: string): IRModule {
  const main = `def @main(%x: int32) { let %r = ref(0); ${body} }`;
  const text = `#[version = "0.0.5"]\n${PRELUDE}${main}`;
  return orThrow(
    inferTypes(orThrow(parseModule(text, { ops: standardOps, source: 'program.ir' }))),
  );
}

const results = (m: IRModule): ReadonlyArray<string> =>
  VALUES.map((x) => printValue(orThrow(evaluate(m, [tensor([x], [], 'int32')]))));

const run = (pass: Pass, m: IRModule): IRModule =>
  orThrow(runPass(withContext({ level: EVERY_LEVEL }, sequential([pass])))(m)).module;

const { isIf, isLet, isOp, isVar, wildcard: any } = dataflow;

/** Calls, sums in either order, branches and bindings. */
const COMPOSITES: ReadonlyArray<CompositePattern> = [
  { name: 'sum', pattern: isOp('add')(isOp('multiply')(any(), any()), any()) },
  { name: 'choice', pattern: isIf(any(), any(), any()) },
  { name: 'bound', pattern: isLet(isVar(), any(), any()) },
  { name: 'call', pattern: any()(null) },
];

const PASSES: ReadonlyArray<readonly [string, Pass]> = [
  ...Object.entries(passes),
  ['deadCodeElimination, inlining', passes.deadCodeElimination({ inlineOnce: true })],
  ['mergeComposite, of calls and branches', passes.mergeComposite(COMPOSITES)],
  ...([0, 1, 2, 3] as const).map((level) => [`level ${level}`, optimize({ level })] as const),
];

const MODULES = PROGRAMS.map(([title, body]) => {
  const m = read(body);
  return { title, m, expected: results(m) };
});

function check(pass: Pass, { m, expected }: (typeof MODULES)[number]): void {
  const module = run(pass, m);
  expect(wellFormed(module)).toEqual([]);
  expect(results(module)).toEqual(expected);
}

describe('observed effects are kept by', () => {
  describe.each(PASSES)('%s', (_name, pass) => {
    test.each(MODULES.map((m) => [m.title, m] as const))('%s', (_title, m) => check(pass, m));
  });

  test('random sequences of passes', () => {
    const sequences = fc.array(fc.integer({ min: 0, max: PASSES.length - 1 }), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(sequences, fc.integer({ min: 0, max: MODULES.length - 1 }), (list, at) => {
        // A narrower type has other values, which are compared elsewhere.
        const chosen = list.flatMap((i) => {
          const pass = PASSES[i]?.[1];
          return pass === undefined || pass.needs.includes('narrow') ? [] : [pass];
        });
        const program = MODULES[at];
        if (program !== undefined) check(sequential(chosen), program);
      }),
      { seed: SEED, numRuns: SEQUENCES },
    );
  });
});
