import { expandGradients } from '@baton/autodiff';
import { isLeft, orThrow } from '@baton/base';
import { evaluate, interpreter, oracle, printValue } from '@baton/executor';
import { type IRModule, inferTypes, postOrderExprs, typeOf } from '@baton/ir';
import { isCallOf, standardOps } from '@baton/ops';
import { runPass, sequential } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { fromNumbers, type Tensor } from '@baton/tensor';
import { checkGradient } from '@baton/testing';
import { parseModule, printType } from '@baton/text';
import { describe, expect, test } from 'vitest';

const T = 'Tensor[(2), float32]';
const MODES = ['higher_order', 'first_order'] as const;
const x = (...numbers: ReadonlyArray<number>): Tensor =>
  fromNumbers(numbers, [numbers.length], 'float32');

const parse = (text: string): IRModule =>
  orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));

/** The value of `main` for the arguments, which all executors find. */
function value(text: string, ...args: ReadonlyArray<Tensor>): string {
  const found = [interpreter, oracle].map((executor) =>
    printValue(orThrow(evaluate(parse(text), args, { executor }))),
  );
  expect(found[1]).toBe(found[0]);
  return found[0] ?? '';
}

const errors = (text: string): ReadonlyArray<string> => {
  const expanded = expandGradients(parse(text));
  return isLeft(expanded) ? expanded.left.map(({ code, message }) => `${code}: ${message}`) : [];
};

const ITERATE = `type nat { zero, succ(nat) }
def @iterate[A](%f: fn (A) -> A, %n: nat) -> fn (A) -> A {
  match (%n) {
    zero => fn (%y: A) -> A { %y },
    succ(%m) => fn (%y: A) -> A { %f(@iterate(%f, %m)(%y)) }
  }
}
`;

/** `main` as the gradient of `@f` of one parameter. */
const ofF = (f: string, mode: string = 'higher_order', type: string = T): string =>
  `${f}\ndef @main(%x: ${type}) { gradient(@f, mode="${mode}")(%x) }`;

describe.each(MODES)('%s', (mode) => {
  test('C292: of the identity the gradient is ones', () => {
    const text = ofF(`def @f(%x: ${T}) { %x }`, mode);
    expect(value(text, x(3, 4))).toBe('([3, 4], ([1, 1],))');
    const m = orThrow(inferTypes(orThrow(expandGradients(parse(text)))));
    const main = m.functions.get('main');
    const type = main && typeOf(m, main);
    expect(type && printType(type)).toBe(`fn (${T}) -> (${T}, (${T},))`);
  });

  test.each([
    ['%x + %x', '([6, 8], ([2, 2],))'],
    ['%x - %x', '([0, 0], ([0, 0],))'],
  ])('C293: linear combinations: %s', (body, expected) => {
    expect(value(ofF(`def @f(%x: ${T}) { ${body} }`, mode), x(3, 4))).toBe(expected);
  });

  test('C295: of fields of a tuple', () => {
    const text = `def @f(%x: ${T}, %y: ${T}, %z: ${T}) { %0 = (%x, %y, %z); %0.0 + %0.1 - %0.2 }
def @main(%x: ${T}) { gradient(@f, mode="${mode}")(%x, %x, %x) }`;
    expect(value(text, x(3, 4))).toBe('([3, 4], ([1, 1], [1, 1], [-1, -1]))');
  });

  test('C301: of a tuple the first field is differentiated', () => {
    const text = ofF(`def @f(%x: ${T}) { %0 = add(%x, %x); (add(%0, %0), %0) }`, mode);
    expect(value(text, x(3, 4))).toBe('(([12, 16], [6, 8]), ([4, 4],))');
  });

  test('C304: an operator without a gradient is an error that names it', () => {
    expect(errors(ofF(`def @f(%x: ${T}) { floor(%x) }`, mode))).toEqual([
      'GRADIENT_MISSING: operator `floor` has no gradient',
    ]);
  });

  test('C305: the chain rule agrees with differences', () => {
    const m = parse(`def @main(%x: Tensor[(2, 3), float64], %w: Tensor[(4, 3), float64]) {
  sum(nn.softmax(nn.dense(%x, %w)) * nn.log_softmax(nn.dense(%x, %w)))
}`);
    const options = { mode, directions: 8, tolerance: 1e-7 };
    expect(checkGradient(orThrow(inferTypes(m)), options)).toEqual({ _tag: 'Agrees' });
  });

  test('a shared product is computed once forward and twice backward', () => {
    const text = ofF(
      `def @f(%x: Tensor[(2, 2), float32]) { %0 = nn.dense(%x, %x); %0 + %0 * %0 }`,
      mode,
      'Tensor[(2, 2), float32]',
    );
    const m = orThrow(expandGradients(parse(text)));
    const made = [...m.functions].filter(([name]) => name !== 'f').map(([, f]) => f);
    const dense = postOrderExprs(made).filter((node) => isCallOf(node, 'nn.dense'));
    expect(dense).toHaveLength(3);
  });
});

test.each([
  ['%x + %y', '([[6, 7], [7, 8]], ([2, 2], [[2], [2]]))'],
  ['%x - %y', '([[0, 1], [-1, 0]], ([2, 2], [[-2], [-2]]))'],
])('operands that broadcast get sums: %s', (body, expected) => {
  const text = `def @f(%x: ${T}, %y: Tensor[(2, 1), float32]) { ${body} }
def @main(%x: ${T}, %y: Tensor[(2, 1), float32]) { gradient(@f)(%x, %y) }`;
  expect(value(text, x(3, 4), fromNumbers([3, 4], [2, 1], 'float32'))).toBe(expected);
});

test('C293: linear combinations by let', () => {
  const f = `def @f(%x: ${T}) { let %y = %x + %x; %y + %y }`;
  expect(value(ofF(f), x(3, 4))).toBe('([12, 16], ([4, 4],))');
});

test('C296: a parameter that is a tuple, in first order alone', () => {
  const text = (mode: string) => `def @f(%t: (${T}, ${T}, ${T})) { %t.0 + %t.1 + %t.2 }
def @main(%x: ${T}) { gradient(@f, mode="${mode}")((%x, %x, %x)) }`;
  expect(value(text('first_order'), x(3, 4))).toBe('([9, 12], (([1, 1], [1, 1], [1, 1]),))');
  expect(errors(text('higher_order'))).toEqual([
    `GRADIENT_PARAMETER: expected a tensor as \`%t\`, found (${T}, ${T}, ${T})`,
  ]);
});

test('C298: through references', () => {
  const f = `def @f(%x: ${T}) {
  let %r = ref(%x); let %u = ref_write(%r, ref_read(%r) + ref_read(%r)); ref_read(%r)
}`;
  expect(value(ofF(f), x(3, 4))).toBe('([6, 8], ([2, 2],))');
});

test('C299: second order', () => {
  const text = `def @f(%x: ${T}) { %x * %x }
def @g(%y: ${T}) { gradient(@f)(%y).1.0 }
def @main(%x: ${T}) { gradient(@g)(%x) }`;
  expect(value(text, x(3, 4))).toBe('([6, 8], ([2, 2],))');
});

test('C302: through global functions', () => {
  const text = `def @double(%x: ${T}) { %x + %x }
def @q(%y: ${T}) { @double(@double(%y)) }
def @main(%x: ${T}) { gradient(@q)(%x) }`;
  expect(value(text, x(3, 4))).toBe('([12, 16], ([4, 4],))');
});

test('a polymorphic function is differentiated at the types of its use', () => {
  const text = `def @double(%x) { %x + %x }
def @q(%y) { @double(@double(%y)) }
def @main(%x: ${T}, %y: float64) { (gradient(@q)(%x), gradient(@q)(%y)) }`;
  expect(value(text, x(3, 4), fromNumbers([5], [], 'float64'))).toBe(
    '(([12, 16], ([4, 4],)), (20, (4,)))',
  );
});

test.each([
  ['a closure', 'let %g = fn (%z: T) { %z * %x }; %g(%g(%x))', '([8, 27], ([12, 27],))'],
  ['a literal without annotations', 'let %g = fn (%z) { %z * %z }; %g(%x)', '([4, 9], ([4, 6],))'],
  [
    'recursion',
    `let %p = fn (%y: T, %n: int32) -> T {
      if (%n == 0) { ones_like(%y) } else { %y * %p(%y, %n - 1) }
    };
    %p(%x, 3)`,
    '([8, 27], ([12, 27],))',
  ],
  ['a gradient', '%x * gradient(fn (%z: T) { %z * %z * %z })(%x).1.0', '([24, 81], ([36, 81],))'],
  ['an activation', 'nn.relu(%x - full_like(%x, 2.5f))', '([0, 0.5], ([0, 1],))'],
  [
    'a condition',
    'if (less(sum(%x), 4f)) { log(%x) } else { %x * log(%x) - %x * log(%x) + %x * %x }',
    '([4, 9], ([4, 6],))',
  ],
  ['a concatenation', 'sum(concatenate((%x, %x * %x)))', '(18, ([5, 7],))'],
  [
    'a function that is iterated as often as data says',
    'let %d = fn (%y: T) -> T { %y + %y }; @iterate(%d, succ(succ(succ(zero))))(%x)',
    '([16, 24], ([8, 8],))',
  ],
])('the gradient goes through %s', (_, body, expected) => {
  const text = `${ITERATE}def @f(%x: T) { ${body} }`.replaceAll(/\bT\b/g, T);
  expect(value(ofF(text), x(2, 3))).toBe(expected);
});

test('what a differentiated closure captures is a constant to it', () => {
  const text = `def @main(%x: ${T}) { let %f = fn (%y: ${T}) { %x * %y * %y }; gradient(%f)(%x) }`;
  expect(value(text, x(2, 3))).toBe('([8, 27], ([8, 18],))');
});

test('the gradient of a gradient that captures', () => {
  const text = `def @main(%x: ${T}) {
  let %f = fn (%a: ${T}) { let %g = fn (%b: ${T}) { %a * %a * %b }; gradient(%g)(%a).1.0 };
  gradient(%f)(%x)
}`;
  expect(value(text, x(2, 3))).toBe('([4, 9], ([4, 6],))');
});

test('data types whose constructors state tensors', () => {
  const text = `type Net { Layer(T, Net), Last(T) }
def @run(%n: Net, %x: T) -> T {
  match (%n) { Layer(%w, %rest) => @run(%rest, %w * %x), Last(%w) => %w * %x }
}
def @f(%w: T, %x: T) { @run(Layer(%w, Last(%w)), %x) }
def @main(%w: T, %x: T) { gradient(@f)(%w, %x) }`.replaceAll(/\bT\b/g, T);
  expect(value(text, x(2, 3), x(5, 7))).toBe('([20, 63], ([20, 42], [4, 9]))');
});

test('lists, and functions of functions', () => {
  const text = `type List[A] { Cons(A, List[A]), Nil }
def @map[A, B](%f: fn (A) -> B, %xs: List[A]) -> List[B] {
  match (%xs) { Cons(%x, %rest) => Cons(%f(%x), @map(%f, %rest)), Nil => Nil }
}
def @sum(%xs: List[${T}]) -> ${T} {
  match (%xs) { Cons(%x, %rest) => %x + @sum(%rest), Nil => Constant(0, (2), float32) }
}
def @f(%x: ${T}) { @sum(@map(fn (%y: ${T}) { %y * %y }, Cons(%x, Cons(%x, Nil)))) }
def @main(%x: ${T}) { gradient(@f)(%x) }`;
  expect(value(text, x(2, 3))).toBe('([8, 18], ([8, 12],))');
});

test.each([
  [
    'a parameter as the function',
    `def @main(%f: fn (${T}) -> ${T}) { gradient(%f) }`,
    'GRADIENT_FUNCTION',
  ],
  [
    'a polymorphic gradient that is not called',
    'def @f(%x) { %x * %x }\ndef @main() { gradient(@f) }',
    'GRADIENT_POLYMORPHIC',
  ],
  [
    'a result without tensors',
    `def @f(%x: ${T}) { () }\ndef @main(%x: ${T}) { gradient(@f)(%x) }`,
    'GRADIENT_RESULT',
  ],
  ['its own gradient', `def @f(%x: ${T}) -> ${T} { gradient(@f)(%x).1.0 }`, 'GRADIENT_CIRCULAR'],
  [
    'a let in first order',
    ofF(`def @f(%x: ${T}) { let %y = %x; %y }`, 'first_order'),
    'GRADIENT_CONSTRUCT',
  ],
])('an error: %s', (_, text, code) => {
  expect(errors(text).map((error) => error.split(':')[0])).toEqual([code]);
});

test('C343: after PartialEvaluate and LazyGradientInit the values are those of the gradient', () => {
  const text = `def @f(%x: ${T}, %y: ${T}) { %x * %y }
def @main(%x: ${T}, %y: ${T}) { gradient(@f)(%x, %y) }`;
  const pipeline = sequential([
    passes.expandGradient,
    passes.toANormalForm,
    passes.partialEvaluate,
    passes.deadCodeElimination,
    passes.lazyGradientInit,
  ]);
  const { module } = orThrow(runPass(pipeline, { level: 9 })(parse(text)));
  const found = orThrow(evaluate(module, [x(2, 3), x(5, 7)]));
  expect(printValue(found)).toBe(value(text, x(2, 3), x(5, 7)));
});
