/** Programs with `let` optimize like graphs: the values, the order of effects, and the kernels. */
import { orThrow } from '@baton/base';
import { checkEquivalent, describeDifference } from '@baton/equivalence';
import {
  type Expr,
  func,
  type IRModule,
  inferTypes,
  irModule,
  letIn,
  postOrderExprs,
  tensorType,
  variable,
} from '@baton/ir';
import { callOp, countNodes, measureModule, standardOps } from '@baton/ops';
import { type Pass, runPass, sequential } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { GROUPS, type Group, NORMAL_SEED, subjectOf } from '@baton/testing';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';

const read = (text: string): IRModule => {
  const source = `#[version = "0.0.5"] ${text}`;
  return orThrow(inferTypes(orThrow(parseModule(source, { ops: standardOps, source: 'text' }))));
};
const after = (pass: Pass, m: IRModule): IRModule => orThrow(runPass(pass, { level: 9 })(m)).module;
const level3 = optimize({ level: 3 });
const kernelsOf = (m: IRModule): number =>
  measureModule(after(sequential([level3, passes.fuseOps]), m)).kernels;
const letsOf = (m: IRModule): ReadonlyArray<string> =>
  postOrderExprs([...m.functions.values()]).flatMap((node) =>
    node._tag === 'Let' ? [node.variable.nameHint] : [],
  );

const IMAGE = 'Tensor[(1, 3, 8, 8), float32]';
const W = 'Constant(0.125, (3, 3, 3, 3), float32)';
const S = 'Constant(0.5, (3,), float32)';
const LAYER = `let %c = nn.conv2d(%x, ${W}, padding=[1, 1]);
  let %n = nn.batch_norm(%c, ${S}, ${S}, ${S}, ${S});
  let %b = %n.0;
  let %r = nn.relu(%b);
  %r`;

/** A program with its number of kernels, and the names of the lets that stay. */
const PROGRAMS: ReadonlyArray<readonly [string, string, number, ReadonlyArray<string>]> = [
  ['a layer', `def @main(%x: ${IMAGE}) { ${LAYER} }`, 1, []],
  [
    'a layer with a bias',
    `def @main(%x: ${IMAGE}, %w: Tensor[(3, 3, 3, 3), float32], %s: Tensor[(3,), float32]) {
      let %c = nn.conv2d(%x, %w, padding=[1, 1]); let %b = nn.bias_add(%c, %s); nn.relu(%b)
    }`,
    1,
    [],
  ],
  [
    'a layer in an operand',
    `def @main(%x: ${IMAGE}) { tanh((${LAYER.replace('%r\n', '%r')})) }`,
    1,
    [],
  ],
  [
    'a layer in a branch',
    `def @main(%if: bool, %x: ${IMAGE}) { if (%if) { ${LAYER} } else { let %t = tanh(%x); %t } }`,
    2,
    [],
  ],
  [
    'a layer in a match arm',
    `type Option[A] { None, Some(A) }
    def @main(%if: bool, %x: ${IMAGE}) -> ${IMAGE} {
      let %o = if (%if) { Some(%x) } else { None };
      match (%o) { Some(%x) => ${LAYER}, None => Constant(0, (1, 3, 8, 8), float32) }
    }`,
    1,
    [],
  ],
  [
    'a layer in a function',
    `def @layer(%x: ${IMAGE}) -> ${IMAGE} { ${LAYER} }
    def @main(%x: ${IMAGE}) { let %y = @layer(%x); let %z = @layer(%y); %z }`,
    1,
    [],
  ],
  [
    'a layer in a local function',
    `def @main(%x: ${IMAGE}) { let %f = fn (%x: ${IMAGE}) { ${LAYER} }; %f(%f(%x)) }`,
    1,
    [],
  ],
  [
    'a layer in a recursive function',
    `def @main(%x: ${IMAGE}, %i: int32) {
      let %f = fn (%k: int32, %x: ${IMAGE}) -> ${IMAGE} {
        if (%k <= 0) { %x } else { let %c = nn.conv2d(%x, ${W}, padding=[1, 1]); let %r = nn.relu(%c); %f(%k - 1, %r) }
      };
      let %y = %f(mod(%i, 4), %x); nn.relu(%y)
    }`,
    5,
    ['f'],
  ],
  [
    'a layer whose weight is read, then written',
    `def @main(%x: ${IMAGE}, %v: Tensor[(3, 3, 3, 3), float32]) {
      let %ref = ref(%v);
      let %w = ref_read(%ref);
      let %c = nn.conv2d(%x, %w, padding=[1, 1]);
      let %u = ref_write(%ref, %w + %w);
      let %b = nn.bias_add(%c, ${S});
      (nn.relu(%b), ref_read(%ref))
    }`,
    2,
    ['ref', 'u', 'w'],
  ],
  [
    'a layer with the read inside',
    `def @main(%x: ${IMAGE}, %v: Tensor[(3, 3, 3, 3), float32]) {
      let %ref = ref(%v);
      let %c = nn.conv2d(%x, ref_read(%ref), padding=[1, 1]);
      let %u = ref_write(%ref, Constant(0, (3, 3, 3, 3), float32));
      let %b = nn.bias_add(%c, ${S});
      (nn.relu(%b), ref_read(%ref))
    }`,
    1,
    ['ref', 'u', 'v', 'v'],
  ],
  [
    'a layer around calls with effects',
    `def @tick(%r: ref(int32)) -> int32 {
      let %old = ref_read(%r); let %u = ref_write(%r, %old + 1); %old
    }
    def @main(%x: ${IMAGE}) {
      let %r = ref(7);
      let %c = nn.conv2d(%x, ${W}, padding=[1, 1]);
      let %first = @tick(%r);
      let %b = nn.bias_add(%c, ${S});
      let %second = @tick(%r);
      (nn.relu(%b), %first - %second, ref_read(%r))
    }`,
    3,
    ['first', 'old', 'r', 'second', 'u'],
  ],
  [
    'a value that only a local function uses, which would compute it twice',
    `def @main(%x: ${IMAGE}) {
      let %a = exp(%x); let %f = fn (%y: ${IMAGE}) { let %z = %y + %a; nn.relu(%z) }; %f(%f(%x))
    }`,
    2,
    ['a'],
  ],
];

describe('let at the head of programs: level 3 fuses', () => {
  test.each(PROGRAMS)('%s', (_title, text, kernels, lets) => {
    const m = read(text);
    const made = after(level3, m);
    expect([...letsOf(made)].sort(), printModule(made)).toEqual(lets);
    expect(kernelsOf(m), printModule(made)).toBe(kernels);
    const same = orThrow(checkEquivalent(m, made));
    expect(same.verdict, describeDifference(same)).toMatch(/^(equal|equivalent)$/);
  });
});

const PURE = GROUPS.filter((group) => !group.isFullLanguage);
const PROGRAMS_PER_GROUP = amount(60, { quick: 4 });

test.each(PURE.map((group) => [group.name, group] as const))(
  'bound by let, random programs have the kernels and nodes of their graphs: %s',
  (_name, group: Group) => {
    for (let i = 0; i < PROGRAMS_PER_GROUP; i++) {
      const { module: m } = subjectOf(group, NORMAL_SEED, i);
      const bound = after(passes.toANormalForm, m);
      const [graph, lets] = [after(level3, m), after(level3, bound)];
      const shown = `program ${i}\n${printModule(m)}\n${printModule(lets)}`;
      expect(countNodes(lets), shown).toBe(countNodes(graph));
      expect(kernelsOf(bound), shown).toBe(kernelsOf(m));
    }
  },
);

const [LANGUAGE] = GROUPS.filter((group) => group.isFullLanguage);
const LANGUAGE_PROGRAMS = amount(400, { quick: 30 });

test('random programs with effects keep their values in graph form', () => {
  const form = passes.toGraphNormalForm({ keepsEffects: true });
  let changed = 0;
  for (let i = 0; i < LANGUAGE_PROGRAMS; i++) {
    const { module: m, seed } = subjectOf(LANGUAGE as Group, NORMAL_SEED + 1, i);
    const bound = after(passes.toANormalForm, m);
    const made = after(form, bound);
    if (made !== bound) changed++;
    const same = orThrow(checkEquivalent(bound, made, { seed }));
    expect(same.verdict, `program ${i}: ${describeDifference(same)}`).not.toBe('different');
  }
  expect(changed).toBeGreaterThan(LANGUAGE_PROGRAMS / 2);
});

test.each(['less', 'add', 'multiply', 'maximum'])('%s bound as a value is called', (name) => {
  const m = read(`def @main(%x: Tensor[(3), float32], %n: int32) {
    let %o = ${name};
    let %p = divide;
    let %f = fn (%y: Tensor[(3), float32]) { floor(%p(%y, 3f)) };
    (%o(%n, 1), %f(%x))
  }`);
  const made = after(level3, m);
  expect(letsOf(made)).toEqual([]);
  expect(orThrow(checkEquivalent(m, made, { seed: 5 })).verdict).not.toBe('different');
});

test('100,000 lets become a graph', () => {
  const x = variable('x', tensorType([4], 'float32'));
  const COUNT = 100_000;
  const variables = Array.from({ length: COUNT }, (_, i) => variable(`v${i}`));
  let body: Expr = variables[COUNT - 1] as Expr;
  for (let i = COUNT - 1; i >= 0; i--) {
    const value = callOp(standardOps, 'nn.relu', [variables[i - 1] ?? x]);
    body = letIn(variables[i] as (typeof variables)[number], value, body);
  }
  const m = irModule({ ops: standardOps, functions: new Map([['main', func([x], body)]]) });
  const made = after(passes.toGraphNormalForm({ keepsEffects: true }), orThrow(inferTypes(m)));
  expect(letsOf(made)).toEqual([]);
  expect(countNodes(made)).toBe(COUNT);
});
