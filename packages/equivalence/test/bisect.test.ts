import { isLeft, isRight, orThrow } from '@baton/base';
import { bisect, optBisectLimit, verify } from '@baton/equivalence';
import type { IRModule } from '@baton/ir';
import { type Pass, runPass, sequential } from '@baton/pass-manager';
import { printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { onEvery, read, renaming } from './support.ts';

const m = read('def @main(%x: Tensor[(2, 3), float32]) { abs(negative(nn.relu(tanh(copy(%x))))) }');

const harmless = (from: string): Pass => renaming(from, from);
const PASSES = [
  ...['log', 'exp', 'sin', 'cos', 'tan'].map(harmless),
  renaming('copy', 'annotation.stop_fusion'),
  renaming('negative', 'copy'),
  renaming('tanh', 'sigmoid'),
  ...['floor', 'ceil', 'erf'].map(harmless),
];
const pipeline = sequential([sequential(PASSES.slice(0, 4)), ...PASSES.slice(4)]);

describe('bisect', () => {
  test('U.7 names the first pass at fault of those listed, with a logarithm of comparisons', () => {
    const found = orThrow(onEvery((executor) => bisect(pipeline, m, { executor })));
    expect(found.pass).toBe('tanh to sigmoid');
    expect(found.index).toBe(7);
    expect(isRight(found.after)).toBe(true);
    expect(found.judged).toBeLessThanOrEqual(Math.ceil(Math.log2(PASSES.length)) + 1);
  });

  test('names a pass that fails', () => {
    const broken = sequential([...PASSES.slice(0, 3), renaming('tanh', 'nn.dense'), ...PASSES]);
    const found = orThrow(bisect(broken, m));
    expect(found.pass).toBe('tanh to nn.dense');
    expect(isLeft(found.after)).toBe(true);
  });

  test('reports that no pass is at fault', () => {
    const found = bisect(sequential(PASSES.slice(0, 7)), m);
    expect(isLeft(found) && found.left[0].code).toBe('EQUIV_NO_FAULT');
  });

  test('takes another criterion for a bad result', () => {
    const isFused = (found: IRModule): boolean => printModule(found).includes('stop_fusion');
    const found = bisect(pipeline, m, { isBad: (r) => isRight(r) && isFused(r.right) });
    expect(orThrow(found).pass).toBe('copy to annotation.stop_fusion');
  });
});

describe('optBisectLimit', () => {
  test('lets so many passes run; pipelines do not count', () => {
    const limiter = optBisectLimit(6);
    const { report } = orThrow(runPass(pipeline, { instruments: [limiter] })(m));
    expect(limiter.seen()).toHaveLength(PASSES.length);
    const ran = report.tree.flatMap((p) => p.children).filter((p) => p.skipped === undefined);
    expect(ran.filter((p) => !p.isPipeline).length).toBe(2);
  });
});

describe('verify', () => {
  test.each(['each', 'end'] as const)('names the pass at fault: %s', (when) => {
    const found = onEvery((executor) =>
      runPass(pipeline, { instruments: [verify({ when, executor })] })(m),
    );
    expect(isLeft(found) && found.left[0].code).toBe('EQUIV_DIFFERENT');
    expect(isLeft(found) && found.left[0].message).toContain('pass tanh to sigmoid changed');
  });

  test('reports every comparison, and accepts equal results', () => {
    const seen: string[] = [];
    const good = sequential(PASSES.slice(0, 7));
    const instruments = [
      verify({ when: 'each', onVerdict: (name, e) => seen.push(`${name}: ${e.verdict}`) }),
    ];
    expect(isRight(runPass(good, { instruments })(m))).toBe(true);
    expect(seen).toEqual(['copy to annotation.stop_fusion: equal', 'negative to copy: equal']);
  });
});
