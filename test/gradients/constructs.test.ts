/** Gradients of values, types, names and captures that few programs have, and what is refused. */
import { expandGradients } from '@baton/autodiff';
import { isLeft, orThrow } from '@baton/base';
import { evaluate, interpreter, oracle, printValue } from '@baton/executor';
import { type IRModule, inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { fromNumbers, type Tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';

const MODES = ['higher_order', 'first_order'] as const;

const x = (...numbers: ReadonlyArray<number>): Tensor =>
  fromNumbers(numbers, [numbers.length], 'float32');

/** A program in which `T` is a tensor of two numbers, and `S` one number. */
const parse = (text: string): IRModule =>
  orThrow(
    parseModule(
      `#[version = "0.0.5"]\n${text
        .replaceAll(/\bT\b/g, 'Tensor[(2), float32]')
        .replaceAll(/\bS\b/g, 'float32')}`,
      { ops: standardOps },
    ),
  );

/** The value of `main` for the arguments, which all executors find. */
function value(text: string, ...args: ReadonlyArray<Tensor>): string {
  const found = [interpreter, oracle].map((executor) =>
    printValue(orThrow(evaluate(parse(text), args, { executor }))),
  );
  expect(found[1]).toBe(found[0]);
  return found[0] ?? '';
}

const expanded = (text: string): IRModule =>
  orThrow(inferTypes(orThrow(expandGradients(parse(text)))));

/** The errors, each with the source text at its place. */
function errors(text: string): ReadonlyArray<string> {
  const found = expandGradients(parse(text));
  if (!isLeft(found)) return [];
  return found.left.map(({ message, span }) => {
    const at = span?._tag === 'TextSpan' ? `${span.line - 1}:${span.column}` : 'nowhere';
    return `${at}: ${message}`;
  });
}

describe.each(MODES)('%s', (mode) => {
  const gradientOf = (f: string, args = '%x', params = '%x: T') =>
    `${f}\ndef @main(${params}) { gradient(@f, mode="${mode}")(${args}) }`;

  test.each([
    [
      'a parameter that is not used',
      'def @f(%x: T, %y: T) { %y + %y }',
      '%x, %x',
      '([4, 6], ([0, 0], [2, 2]))',
    ],
    [
      'a result of several tensors',
      'def @f(%x: T) { split(%x * %x, indices_or_sections=2) }',
      '%x',
      '(([4], [9]), ([4, 0],))',
    ],
    [
      'a result of tuples in tuples',
      'def @f(%x: T) { ((%x * %x, %x), %x + %x) }',
      '%x',
      '((([4, 9], [2, 3]), [4, 6]), ([4, 6],))',
    ],
    [
      'a tuple as a whole and by fields',
      'def @f(%x: T) { %0 = (%x, %x * %x); concatenate(%0) * concatenate((%0.1, %0.0)) }',
      '%x',
      '([8, 27, 8, 27], ([24, 54],))',
    ],
    [
      'integers in between',
      'def @f(%x: T) { take(%x * %x, cast(argmax(%x), dtype="int32")) }',
      '%x',
      '(9, ([0, 6],))',
    ],
    [
      'a parameter of integers',
      'def @f(%x: T, %i: int32) { take(%x * %x, %i) }',
      '%x, 1',
      '(9, ([0, 6], 0))',
    ],
    [
      'a constant',
      'def @f(%x: T) { %x * Constant(5, (2), float32) }',
      '%x',
      '([10, 15], ([5, 5],))',
    ],
    [
      'a constant alone',
      'def @f(%x: T) { Constant(5, (2), float32) }',
      '%x',
      '([5, 5], ([0, 0],))',
    ],
  ])('%s', (_, f, args, expected) => {
    expect(value(gradientOf(f, args), x(2, 3))).toBe(expected);
  });

  test.each([
    [
      'a result without tensors',
      'def @f(%x: T) { () }',
      ['1:1: expected a result that begins with a tensor, found ()'],
    ],
    [
      'a result that does not begin with a tensor',
      'def @f(%x: T) { ((), %x) }',
      ['1:1: expected a result that begins with a tensor, found ((), Tensor[(2), float32])'],
    ],
  ])('an error: %s', (_, f, expected) => {
    expect(errors(gradientOf(f))).toEqual(expected);
  });
});

test.each([
  [
    'a function that a captured function calls',
    `def @main(%x: T) {
    let %a = fn (%y: T) -> T { %y * %x };
    let %b = fn (%y: T) -> T { %a(%a(%y)) };
    let %c = fn (%y: T) -> T { %a(%b(%y)) };
    gradient(fn (%z: T) { %c(%z) * %z })(%x) }`,
    '([32, 243], ([32, 162],))',
  ],
  [
    'patterns in patterns',
    `type Pair { Two((T, T)), One(T), None }
    def @both(%p: (Pair, Pair)) -> T {
      match (%p) {
        (Two((%a, %b)), One(%c)) => %a * %b * %c,
        (One(%a), _) => %a,
        (_, _) => Constant(0, (2), float32)
      }
    }
    def @f(%x: T) { @both((Two((%x, %x + %x)), One(%x))) + @both((One(%x), None)) + @both((None, One(%x))) }
    def @main(%x: T) { gradient(@f)(%x) }`,
    '([18, 57], ([25, 55],))',
  ],
  [
    'names that are taken',
    `type Net { Layer(T, Net), Last(T) }
    type Net_grad { Layer_grad(T), Last_grad }
    def @run(%n: Net, %x: T) -> T {
      match (%n) { Layer(%w, %rest) => @run(%rest, %w * %x), Last(%w) => %w * %x }
    }
    def @run_grad(%x: T) -> T { match (Layer_grad(%x)) { Layer_grad(%y) => %y + %y, Last_grad => %x } }
    def @f(%x: T) { @run(Layer(%x, Last(%x)), @run_grad(%x)) }
    def @main(%x: T) { gradient(@f)(%x) }`,
    '([16, 54], ([24, 54],))',
  ],
  [
    'data types inside data types',
    `type Box { Box(T) }
    type Crate[A] { Crate(Box, A) }
    def @f(%x: T) { match (Crate(Box(%x * %x), %x)) { Crate(Box(%a), %b) => %a * %b } }
    def @main(%x: T) { gradient(@f)(%x) }`,
    '([8, 27], ([12, 27],))',
  ],
  [
    'references to tuples',
    `def @f(%x: T) {
    let %r = ref((%x, %x * %x));
    let %u = ref_write(%r, (ref_read(%r).1, ref_read(%r).0));
    ref_read(%r).0 * ref_read(%r).1 }
    def @main(%x: T) { gradient(@f)(%x) }`,
    '([8, 27], ([12, 27],))',
  ],
  [
    'a constructor without fields as a value',
    `type Opt { Some(T), Nothing }
    def @or(%o: Opt, %x: T) -> T { match (%o) { Some(%y) => %y, Nothing => %x } }
    def @f(%x: T) { let %n = Nothing; @or(%n, %x * %x) }
    def @main(%x: T) { gradient(@f)(%x) }`,
    '([4, 9], ([4, 6],))',
  ],
  [
    'one function under two gradients',
    `def @g(%x: T) { %x * %x * %x }
    def @f(%x: T) { @g(%x) + %x }
    def @main(%x: T) { (gradient(@f)(%x), gradient(@g)(%x), gradient(@f)(%x + %x)) }`,
    '(([10, 30], ([13, 28],)), ([8, 27], ([12, 27],)), ([68, 222], ([49, 109],)))',
  ],
  [
    'a gradient through variables and fields',
    `def @f(%x: T) { %x * %x }
    def @main(%x: T) { let %t = (@f, fn (%y: T) { %y + %y }); let %g = %t.1; let %h = %t.0; (gradient(%g)(%x), gradient(%h)(%x)) }`,
    '(([4, 6], ([2, 2],)), ([4, 9], ([4, 6],)))',
  ],
  [
    'a polymorphic let at one type',
    `def @f(%x: T) { let %g = fn (%y, %z) { (%z, %y) }; %g(%x * %x, 1).1 }
    def @main(%x: T) { gradient(@f)(%x) }`,
    '([4, 9], ([4, 6],))',
  ],
  [
    'a polymorphic let at two types',
    `def @f(%x: T) { let %g = fn (%y) { %y }; %g(%x * %x) * %g((%x, %x)).0 }
    def @main(%x: T) { gradient(@f)(%x) }`,
    '([8, 27], ([12, 27],))',
  ],
  [
    'a tuple that two calls take, in first order',
    `def @f(%t: (T, T)) { sum(concatenate(%t) * concatenate(%t)) }
    def @main(%x: T) { gradient(@f, mode="first_order")((%x, %x + %x)) }`,
    '(65, (([4, 6], [8, 12]),))',
  ],
  [
    'a field of a tuple as the function',
    `def @f(%x: T) { %x * %x }
    def @main(%x: T) { gradient((fn (%y: T) { %y }, @f).1)(%x) }`,
    '([4, 9], ([4, 6],))',
  ],
  [
    'a function that calls one with a gradient inside',
    `def @f(%x: T) { %x * %x * %x }
    def @slope(%x: T) { gradient(@f)(%x).1.0 }
    def @g(%x: T) { @slope(%x) + %x }
    def @main(%x: T) { gradient(@g)(%x) }`,
    '([14, 30], ([13, 19],))',
  ],
  [
    'data types that state functions',
    `type Step { Step(fn (T) -> T, Step), Done }
    def @run(%s: Step, %x: T) -> T { match (%s) { Step(%f, %r) => @run(%r, %f(%x)), Done => %x } }
    def @f(%x: T) { @run(Step(fn (%y: T) -> T { %y * %x }, Step(fn (%y: T) -> T { %y + %y }, Done)), %x) }
    def @main(%x: T) { gradient(@f)(%x) }`,
    '([8, 18], ([8, 12],))',
  ],
  [
    'a let that calls itself at its own parameters',
    `def @f(%x: T) {
      let %g = fn (%y, %n: int32) { if (%n == 0) { %y } else { %g(%y, %n - 1) } };
      %g(%x * %x, 2)
    }
    def @main(%x: T) { gradient(@f)(%x) }`,
    '([4, 9], ([4, 6],))',
  ],
  [
    'a size that is not known',
    `def @f(%x: Tensor[(?), float32]) { mean(%x * %x) }
    def @main(%x: Tensor[(?), float32]) { gradient(@f)(%x) }`,
    '(6.5, ([2, 3],))',
  ],
  [
    'a branch that captures',
    `def @f(%x: T) { let %y = %x * %x; if (less(sum(%x), 0f)) { %y } else { let %g = fn (%n: int32) -> T { if (%n < 2) { %y * %x } else { %y } }; %g(1) } }
    def @main(%x: T) { gradient(@f)(%x) }`,
    '([8, 27], ([12, 27],))',
  ],
])('%s', (_, text, expected) => {
  expect(value(text, x(2, 3))).toBe(expected);
});

test.each([
  [
    'a captured list',
    `type List[A] { Cons(A, List[A]), Nil }
def @main(%x: T, %l: List[T]) {
  let %f = fn (%y: T) { match (%l) { Cons(%h, _) => %h * %y, Nil => %y } };
  gradient(%f)(%x)
}`,
    ['3:12: expected a tensor as `%l`, found List[Tensor[(2), float32]]'],
  ],
  [
    'a captured reference',
    `def @main(%x: T) {
  let %r = ref(%x);
  gradient(fn (%y: T) { %y * ref_read(%r) })(%x)
}`,
    ['3:12: expected a tensor as `%r`, found ref(Tensor[(2), float32])'],
  ],
  [
    'an operator as a value',
    `def @f(%x: T) {
  let %g = nn.relu;
  %g(%x)
}
def @main(%x: T) { gradient(@f)(%x) }`,
    ['2:12: operator `nn.relu` as a value cannot be differentiated'],
  ],
  [
    'a constructor as a value',
    `type Box { Box(T) }
def @apply(%f: fn (T) -> Box, %x: T) -> Box { %f(%x) }
def @f(%x: T) {
  match (@apply(Box, %x)) { Box(%y) => %y }
}
def @main(%x: T) { gradient(@f)(%x) }`,
    ['4:10: constructor Box as a value cannot be differentiated'],
  ],
  [
    'calls in first order',
    `def @g(%x: T) { %x }
def @f(%x: T) {
  @g(%x)
}
def @main(%x: T) { gradient(@f, mode="first_order")(%x) }`,
    ['3:3: in first order a global function cannot be differentiated'],
  ],
  [
    'branches and references in first order',
    `def @f(%x: T) {
  if (less(sum(%x), 4f)) { ref_read(ref(%x)) } else { %x }
}
def @main(%x: T) { gradient(@f, mode="first_order")(%x) }`,
    [
      '2:37: in first order a reference cannot be differentiated',
      '2:28: in first order a read reference cannot be differentiated',
      '2:3: in first order an `if` cannot be differentiated',
    ],
  ],
  [
    'a parameter that is a function',
    `def @f(%g: fn (T) -> T, %x: T) { %g(%x) }
def @main(%x: T) { gradient(@f)(fn (%y: T) { %y }, %x) }`,
    ['1:1: expected a tensor as `%g`, found fn (Tensor[(2), float32]) -> Tensor[(2), float32]'],
  ],
  [
    'functions at ever larger types',
    `def @g[A](%y: A, %n: int32) -> int32 { if (%n == 0) { 0 } else { @g((%y, %y), %n - 1) } }
def @f(%x: T) { %x * cast(@g(%x, 3), dtype="float32") }
def @main(%x: T) { gradient(@f)(%x) }`,
    ['1:1: @g is used at too many types'],
  ],
  [
    'gradients that need each other',
    `def @a(%x: T) -> T { gradient(@b)(%x).1.0 }
def @b(%x: T) -> T { gradient(@a)(%x).1.0 }`,
    ['1:60: the gradient of this function is needed to make it'],
  ],
  [
    'two errors',
    `def @f(%x: T) { floor(ceil(%x)) }
def @main(%x: T) { gradient(@f)(%x) }`,
    ['1:42: operator `ceil` has no gradient', '1:36: operator `floor` has no gradient'],
  ],
])('an error: %s', (_, text, expected) => {
  expect(errors(text)).toEqual(expected);
});

test('a data type that states no tensor stays, and gets other arguments', () => {
  const m = expanded(`type List[A] { Cons(A, List[A]), Nil }
type Box { Box(List[T]) }
def @f(%x: T) -> T { match (Box(Cons(%x, Nil))) { Box(%l) => match (%l) { Cons(%y, _) => %y, Nil => %x } } }
def @main(%x: T) { gradient(@f)(%x) }`);
  expect([...m.typeDefinitions.keys()]).toEqual(['List', 'Box', 'Box_grad']);
});

test('reversed data types get names that nothing has', () => {
  const m = expanded(`type Net { Layer(T, Net), Last(T) }
type Net_grad { Layer_grad(T), Last_grad }
def @f(%x: T) -> T { match (Layer(%x, Last(%x))) { Layer(%w, %rest) => %w, Last(%w) => %w } }
def @f_grad(%x: T) -> T { %x }
def @main(%x: T) { gradient(@f)(%x) }`);
  expect([...m.typeDefinitions.keys()]).toEqual(['Net', 'Net_grad', 'Net_grad1', 'Net_grad_grad']);
  expect([...m.functions.keys()]).toEqual(['f', 'f_grad', 'main', 'f_grad1']);
  const tags = [...m.constructors.values()].map(({ tag }) => tag);
  expect(new Set(tags).size).toBe(tags.length);
});
