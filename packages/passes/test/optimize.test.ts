import { isLeft } from '@baton/base';
import { func, irModule, scalarType, variable } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { type OptimizationLevel, optimize } from '@baton/passes';
import { expect, test } from 'vitest';

const x = variable('x', scalarType('float32'));
const m = irModule({ ops: standardOps, functions: new Map([['main', func([x], x)]]) });

test.each([4, -1, 1.5, Number.NaN, '2'])('optimize refuses level %s', (level) => {
  const result = runPass(optimize({ level: level as OptimizationLevel }))(m);
  expect(isLeft(result) ? result.left.map((d) => `${d.code}: ${d.message}`) : []).toEqual([
    `OPTIMIZE_LEVEL: expected an optimization level from 0 to 3, found ${typeof level === 'string' ? `"${level}"` : level}`,
  ]);
});

test.each([undefined, 0, 1, 2, 3] as const)('optimize at level %s has one entry', (level) => {
  const result = runPass(optimize(level === undefined ? {} : { level }))(m);
  const [whole, ...others] = isLeft(result) ? [] : result.right.report.tree;
  expect(others).toEqual([]);
  expect(whole?.name).toBe(`optimize-${level ?? 2}`);
  expect(whole?.children.some((entry) => entry.name.startsWith('optimize'))).toBe(false);
});
