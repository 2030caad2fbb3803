/**
 * Quotients that leave a function, or its dataflow, before an operator with steps reads them: as an
 * argument, a result, a field of data or the value of a reference. On ties the last bit decides.
 */
import { describe, expect, it } from 'vitest';
import { expectKept, WAYS } from './values.ts';

const T = 'Tensor[(40), float32]';
const SCALES = [0.3, 0.007, 0.0123];
const halves = (scale: number): ReadonlyArray<number> =>
  Array.from({ length: 40 }, (_, i) => Math.fround(Math.fround(scale) * (i - 20 + 0.5)));

const main = (body: string): string => `def @main(%x: ${T}) { ${body} }`;
const other = (name: string, body: string, more = ''): string =>
  `def @${name}(%u: ${T}${more}) -> ${T} { ${body} }`;

const PROGRAMS: Readonly<Record<string, string>> = {
  'of a function': other('r', 'round(%u)') + main('@r(%x / S)'),
  'of a closure': main(`let %f = fn (%u: ${T}) { round(%u) }; %f(%x / S)`),
  'of a clause': main('match ((%x / S, %x)) { (%q, _) => round(%q) }'),
  'of a clause for data': `type L { C(${T}) } ${main('match (C(%x / S)) { C(%q) => round(%q) }')}`,
  'of a reader': main('let %r = ref(%x / S); round(ref_read(%r))'),
  'of a closure that captures it': main(
    'let %q = %x / S; let %f = fn (%u: float32) { round(%q) }; %f(1f)',
  ),
  'of the caller': other('r', '%u / S') + main('round(@r(%x))'),
  'of the caller of a closure': main(`let %f = fn (%u: ${T}) { %u / S }; round(%f(%x))`),
  'after a function that returns it': other('id', '%u') + main('round(@id(%x / S))'),
  'of a recursion':
    other('r', 'if (less(%n, 1)) { round(%u) } else { @r(%u, %n - 1) }', ', %n: int32') +
    main('@r(%x / S, 2)'),
  'of a recursion that divides':
    other('r', 'if (less(%n, 1)) { %u / S } else { round(@r(%u, %n - 1)) }', ', %n: int32') +
    main('@r(%x, 1)'),
};

describe.each(['greedy', 'saturate', 'divToMul'])('%s keeps the ties', (way) => {
  it.each(Object.entries(PROGRAMS))('W9: %s', (_, text) => {
    for (const scale of SCALES) {
      expectKept(text.replaceAll('S', `${scale}f`), halves(scale), WAYS[way] ?? expect.fail(way));
    }
  });
});
