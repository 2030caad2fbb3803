import { orThrow } from '@baton/base';
import {
  constant,
  type Expr,
  func,
  moduleFromExpr,
  postOrderExprs,
  tensorType,
  variable,
} from '@baton/ir';
import { callOp, isOpCall, standardOps } from '@baton/ops';
import { passesRun, runPass } from '@baton/pass-manager';
import { arithmetic, movement, operatorCount, saturate } from '@baton/rewrites';
import { scalar, tensor } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RepeatOptions, repeatsIn } from '../src/saturate/repeats.ts';

const options = { sizeOf: () => 1, leastSize: 2, maxPeriod: 10, endsWell: () => true };

describe('repeats of a list', () => {
  const found = (text: string, own: Partial<RepeatOptions> = {}): string =>
    repeatsIn(
      Array.from(text, (c) => c.charCodeAt(0)),
      { ...options, ...own },
    )
      .map(({ start, period, count }) => `${text.slice(start, start + period)}x${count}`)
      .join(' ');

  it.each([
    ['abababx', 'abx3'],
    ['abcabcabcdede', 'abcx3 dex2'],
    ['xaaaa', 'aax2'],
    ['abcdef', ''],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(found(text)).toBe(expected);
  });

  it('begin where a stretch ends well', () => {
    expect(found('xabcabcabcab', { endsWell: (i) => 'xabcabcabcab'[i] === 'a' })).toBe('bcax3');
  });

  it('are equal, and do not overlap', () => {
    const lists = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 60 });
    fc.assert(
      fc.property(lists, (list) => {
        let end = 0;
        for (const { start, period, count } of repeatsIn(list, options)) {
          expect(start).toBeGreaterThanOrEqual(end);
          end = start + period * count;
          expect(end).toBeLessThanOrEqual(list.length);
          for (let i = start; i + period < end; i++) expect(list[i]).toBe(list[i + period]);
        }
      }),
      { seed: 13, numRuns: 300 },
    );
  });
});

describe('repeated stretches of a function', () => {
  const width = 5;
  const weight = (i: number): Expr =>
    constant(tensor(new Float32Array(width * width * 4).fill(i), [4 * width, width], 'float32'));
  const op = (name: string, ...args: ReadonlyArray<Expr>): Expr => callOp(standardOps, name, args);
  const layer = (x: Expr, i: number): Expr => {
    const products = op('nn.dense', x, weight(i));
    const half = op(
      'multiply',
      constant(scalar(0.5, 'float32')),
      op('add', products, constant(scalar(0, 'float32'))),
    );
    const down = op('nn.dense', op('exp', half), op('transpose', weight(i)));
    return op('add', op('multiply', op('sqrt', down), constant(scalar(1, 'float32'))), x);
  };
  const network = (layers: number) => {
    const x = variable('x', tensorType([2, width], 'float32'));
    let body: Expr = x;
    for (let i = 0; i < layers; i++) body = layer(body, i);
    return moduleFromExpr(func([x], body), { ops: standardOps });
  };
  const pass = saturate([arithmetic, movement], { cost: operatorCount });
  const run = (layers: number) => {
    const { module, report } = orThrow(runPass(pass)(network(layers)));
    const main = module.functions.get('main');
    const nodes = postOrderExprs(main === undefined ? [] : [main.body]);
    const uses = passesRun(report).find(({ name }) => name === pass.name)?.counts['x * 1'];
    return { nodes, uses, calls: nodes.filter(isOpCall).length };
  };

  it('are searched once, and stand in all their places', () => {
    const [few, many] = [run(2), run(60)];
    // Two layers are too few to be cut.
    expect(few.uses).toBe(2);
    expect(many.calls).toBe(30 * few.calls);
    // The input of the first layer is a variable, which is no place to cut.
    expect(many.uses).toBe(2);
    expect(many.nodes.some(({ _tag }) => _tag === 'Function')).toBe(false);
  });
});
