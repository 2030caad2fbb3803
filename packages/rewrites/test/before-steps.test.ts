/** Which quotients an operator with steps reads: only these keep their rounding. */
import { postOrderExprs } from '@baton/ir';
import { isCallOf } from '@baton/ops';
import { describe, expect, it } from 'vitest';
import { beforeSteps, dividesBeforeSteps } from '../src/match/before-steps.ts';
import { program } from './support.ts';

const Q = '(%x / %y)';
const T = 'Tensor[(2, 3), float32]';
const ROUNDS = `def @rounds(%u: ${T}) -> ${T} { round(@main(%u, %u)) }`;
const ADDS = `def @adds(%u: ${T}) -> ${T} { @main(%u, %u) + %u }`;
const OVER = `def @over(%u: ${T}) -> ${T} { @apart(%u) * %u }`;
const APART = `def @apart(%u: ${T}) -> ${T} { round(%u) }`;

describe('a quotient', () => {
  it.each<[string, ReadonlyArray<string>?]>([
    [`round(${Q})`],
    [`floor(${Q} + %x)`],
    [`less(${Q}, %x)`],
    [`cast(${Q}, dtype="int32")`],
    [`cast(cast(${Q}, dtype="float16"), dtype="int8")`],
    [`argmax(${Q}, axis=[0])`],
    [`round(transpose(${Q}))`],
    [`round(where(less(%x, 0f), ${Q}, %x))`],
    [`where(less(%x, 0f), round(${Q}), %x)`],
    [`let %q = ${Q}; round(%q)`],
    [`round((%x, ${Q}).1)`],
    [`round(if (True) { %x } else { ${Q} })`],
    [`round(fn (%u: ${T}) { ${Q} }(%x))`],
    [`round(fn (%u: ${T}) { %u }(${Q}))`],
    [`match ((${Q}, %x)) { (%q, _) => round(%q) }`],
    [`@apart(${Q})`, [APART]],
    [`@over(${Q})`, [APART, OVER]],
    [`let %f = fn (%u: ${T}) { round(%u) }; %f(${Q})`],
    [`let %f = fn (%u: float32) { ${Q} }; round(%f(1f))`],
    [`let %r = ref(${Q}); round(ref_read(%r))`],
    [`let %r = ref(%x); let %n = ref_write(%r, ${Q}); round(ref_read(%r))`],
    [`match (C(${Q})) { C(%q) => round(%q) }`, ['type L[A] { C(A) }']],
    [`if (less(0f, 1f)) { ${Q} } else { round(@main(%x, %y)) }`],
    [Q, [ROUNDS]],
    [`%x * ${Q}`, [ROUNDS]],
    [`(%x, if (True) { ${Q} } else { %x }).1`, [ROUNDS]],
  ])('is read by steps: %s', (body, others = []) => {
    const m = program('%x %y', body, others);
    const main = m.functions.get('main') ?? expect.fail('main');
    expect(dividesBeforeSteps(main, m)).toBe(true);
    const quotients = postOrderExprs([main]).filter((node) => isCallOf(node, 'divide'));
    const found = beforeSteps(main, m);
    expect(quotients.map((node) => found.has(node))).toEqual([true]);
  });

  it.each<[string, ReadonlyArray<string>?]>([
    [Q],
    [`exp(${Q})`],
    [`round(%x) / %y`],
    [`round(sum(${Q}, axis=[0]))`],
    [`cast(${Q}, dtype="float16")`],
    [`where(less(%x, 0f), ${Q}, %x)`],
    [`(round(%x), ${Q})`],
    [`let %q = ${Q}; let %r = round(%x); %q + %r`],
    [`@plain(${Q}) + round(%x)`, [`def @plain(%u: ${T}) -> ${T} { exp(%u) }`]],
    [`fn (%u: ${T}) { %u }(${Q}) + round(%x)`],
    [Q, [ADDS]],
    [Q, [APART]],
    [Q, [ADDS.replace('@main(%u, %u)', '@apart(%u)'), APART]],
  ])('is not read by steps: %s', (body, others = []) => {
    const m = program('%x %y', body, others);
    const main = m.functions.get('main') ?? expect.fail('main');
    expect(dividesBeforeSteps(main, m)).toBe(false);
  });

  it('is read by steps of a function that may take in the body of the one that divides', () => {
    const m = program('%x %y', 'round(@half(%x))', [`def @half(%u: ${T}) -> ${T} { %u / 3f }`]);
    const main = m.functions.get('main') ?? expect.fail('main');
    expect([...beforeSteps(main, m)].some((node) => isCallOf(node, 'divide'))).toBe(false);
    expect(dividesBeforeSteps(main, m)).toBe(true);
  });
});
