/** The parts of a program that the interpreter runs are named in warnings and in refusals. */
import { isLeft, orThrow } from '@baton/base';
import { type IRModule, inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { optimize } from '@baton/passes';
import { tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { compileToModule, makeWasm } from '@baton/wasm';
import { describe, expect, test } from 'vitest';

const read = (text: string): IRModule => {
  const source = `#[version = "0.0.5"] ${text}`;
  return orThrow(inferTypes(orThrow(parseModule(source, { ops: standardOps, source: 'text' }))));
};

const T = 'Tensor[(16, 16), float32]';
const OPEN = 'Tensor[(?, 16), float32]';
const NOT_COMPILED = 'only dataflow on tensors is compiled';
const OPEN_SIZES = 'the sizes are not known before the run';
const EFFECT = 'a call that may fail or has an effect is not compiled';
const NO_CODE = 'no compiled code for these types and attributes: the reference kernel runs';

/** A program, and what its warnings say. */
const PROGRAMS: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
  ['plain dataflow', `def @main(%x: ${T}) { let %y = exp(%x); nn.relu(%y) }`, []],
  ['small dataflow', 'def @main(%x: Tensor[(2,), float32]) { nn.relu(%x) }', []],
  ['a kernel', `def @main(%x: ${T}) { fn (%p: ${T}, Primitive=1) { exp(%p) }(%x) }`, []],
  [
    'conditions',
    `def @main(%c: bool, %x: ${T}) { if (%c) { exp(%x) } else { if (%c) { %x } else { tanh(%x) } } }`,
    [`the interpreter runs if × 2 in @main: ${NOT_COMPILED}`],
  ],
  [
    'references',
    `def @main(%x: ${T}) { let %r = ref(%x); let %u = ref_write(%r, exp(%x)); nn.relu(ref_read(%r)) }`,
    [`the interpreter runs ref, ref_write, ref_read in @main: ${NOT_COMPILED}`],
  ],
  [
    'a call of a compiled function',
    `def @layer(%x: ${T}) -> ${T} { nn.relu(%x) } def @main(%x: ${T}) { @layer(@layer(%x)) }`,
    [`the interpreter runs call of @layer × 2 in @main: ${NOT_COMPILED}`],
  ],
  [
    'recursion and data',
    `type Pair[A] { Both(A, A) }
    def @loop(%i: int32, %p: Pair[${T}]) -> ${T} {
      match (%p) { Both(%a, %b) => if (%i == 0) { %a } else { @loop(%i - 1, Both(%b, exp(%a))) } }
    }
    def @main(%i: int32, %x: ${T}) { @loop(%i, Both(%x, %x)) }`,
    [
      `the interpreter runs call of @loop, Both in @main: ${NOT_COMPILED}`,
      `the interpreter runs match, if, call of @loop, Both in @loop: ${NOT_COMPILED}`,
    ],
  ],
  [
    'a local function',
    `def @main(%x: ${T}) { let %f = fn (%y: ${T}) { exp(%y) }; %f(%x) }`,
    [`the interpreter runs fn, call of %f in @main: ${NOT_COMPILED}`],
  ],
  ['open sizes', `def @main(%x: ${OPEN}, %w: ${T}) { nn.relu(nn.dense(%x, %w)) + 1f }`, []],
  [
    'open sizes in a kernel',
    `def @main(%x: ${OPEN}) { fn (%p: ${OPEN}, Primitive=1) { exp(tanh(%p)) }(%x) }`,
    [],
  ],
  ['a part of open size', `def @main(%x: ${T}, %y: ${OPEN}) { (exp(%x), tanh(%y)) }`, []],
  [
    'open sizes beside control flow',
    `def @main(%c: bool, %x: ${OPEN}) { if (%c) { exp(%x) } else { tanh(%x) } }`,
    [
      `the interpreter runs exp, tanh in @main: ${OPEN_SIZES}`,
      `the interpreter runs if in @main: ${NOT_COMPILED}`,
    ],
  ],
  [
    'an operator with an effect',
    `def @main(%x: ${T}) { nn.relu(debug(exp(%x))) }`,
    [`the interpreter runs debug in @main: ${EFFECT}`],
  ],
  [
    'an unused function',
    `def @other(%c: bool) { if (%c) { 1 } else { 2 } } def @main(%x: ${T}) { exp(%x) }`,
    [],
  ],
];

/** The order in which a walk meets the parts does not matter. */
const sorted = (message: string): string => {
  const [, names = '', rest = ''] = /^the interpreter runs (.*?) in (@.*)$/.exec(message) ?? [];
  return `${names.split(', ').sort().join(', ')} in ${rest}`;
};

describe('the warnings of compiled code name what the interpreter runs', () => {
  test.each(PROGRAMS)('%s', (_title, text, wanted) => {
    const program = orThrow(makeWasm().prepare(read(text)));
    const codes = new Set(program.warnings.map(({ code }) => code));
    expect([...codes]).toEqual(wanted.length > 0 ? ['WASM_INTERPRETED'] : []);
    expect(program.warnings.map(({ message }) => sorted(message))).toEqual(wanted.map(sorted));
    expect(program.warnings.every(({ severity, span }) => severity === 'warning' && span)).toBe(
      true,
    );
  });

  test.each(PROGRAMS.filter(([, , wanted]) => wanted.length > 0))(
    'a module of its own is refused by the same names: %s',
    (_title, text, wanted) => {
      const made = compileToModule(read(text), { name: 'model' });
      const [problem] = isLeft(made) ? made.left : [];
      expect(problem?.code).toBe('WASM_NO_DATAFLOW');
      for (const message of wanted) {
        const [, names = '', of = ''] = /^the interpreter runs (.*?) in (@\w+)/.exec(message) ?? [];
        for (const name of names.split(', ')) expect(problem?.message).toContain(name);
        expect(problem?.message).toContain(of);
      }
    },
  );
});

test('a program whose sizes depend on elements is named once it has run', () => {
  const m = read(`def @main(%x: ${OPEN}) { argwhere(%x) }`);
  const program = orThrow(makeWasm().prepare(m));
  expect(program.warnings).toEqual([]);
  orThrow(program.run([tensor(new Float32Array(64).fill(1), [4, 16], 'float32')]));
  expect(program.warnings.map(({ message }) => message)).toEqual([
    `the interpreter runs argwhere in @main: ${OPEN_SIZES}`,
  ]);
});

test('operators without compiled code are named with their reference kernels', () => {
  const m = read(`def @main(%x: ${T}, %y: Tensor[(4,), float32]) {
    (sort(sort(%x), axis=0), topk(%x, k=2).0, nn.relu(%x), sort(%y))
  }`);
  const { warnings } = orThrow(makeWasm().prepare(m));
  expect(warnings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    `WASM_REFERENCE_KERNEL: sort × 2 have ${NO_CODE}`,
    `WASM_REFERENCE_KERNEL: topk has ${NO_CODE}`,
  ]);
});

test('bound by let, a layer needs no interpreter once it is optimized', () => {
  const m = read(`def @main(%x: ${T}, %w: ${T}) {
    let %f = nn.dense(%x, %w); let %r = ref(%f); let %g = nn.relu(%f); %g
  }`);
  const optimized = orThrow(runPass(optimize({ level: 3 }))(m)).module;
  expect(orThrow(makeWasm().prepare(m)).warnings).toHaveLength(1);
  expect(orThrow(makeWasm().prepare(optimized)).warnings).toEqual([]);
});
