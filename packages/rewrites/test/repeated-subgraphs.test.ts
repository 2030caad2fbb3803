import { orThrow } from '@baton/base';
import {
  constant,
  type Expr,
  type Func,
  func,
  type IRModule,
  inferTypes,
  moduleFromExpr,
  postOrderExprs,
  tensorType,
  variable,
} from '@baton/ir';
import { callOp, isOpCall, standardOps } from '@baton/ops';
import { isPrimitive, passesRun, runPass } from '@baton/pass-manager';
import { arithmetic, movement, operatorCount, saturate } from '@baton/rewrites';
import { scalar, tensor } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlined } from '../src/saturate/repeated-subgraphs.ts';
import { type RepeatOptions, repeatsIn } from '../src/saturate/repeats.ts';

const options = { leastPeriod: 2, maxPeriod: 10, mayEnd: () => true, endsWell: () => true };

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

  it('begin where a subgraph ends well', () => {
    expect(found('xabcabcabcab', { endsWell: (i) => 'xabcabcabcab'[i] === 'a' })).toBe('bcax3');
  });

  it('are as many as fit between places where they may end', () => {
    const text = 'abcabcabcabca';
    expect(found(text, { mayEnd: (i) => text[i] === 'b' })).toBe('cabx3');
    expect(found(text, { mayEnd: (i) => text[i] === 'b' && i !== 1 })).toBe('cabx2');
    // As many fit wherever the first one begins.
    const ends = (i: number): boolean => text[i] === 'b' || text[i] === 'c';
    expect(found(text, { mayEnd: ends, endsWell: (i) => text[i] === 'b' })).toBe('abcx4');
  });

  it('are equal, and do not overlap', () => {
    const lists = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 60 });
    const mayEnd = (i: number): boolean => i % 3 > 0;
    fc.assert(
      fc.property(lists, (list) => {
        let end = 0;
        for (const { start, period, count } of repeatsIn(list, { ...options, mayEnd })) {
          for (let k = 0; k <= count; k++) {
            const at = start + k * period;
            expect(at === 0 || mayEnd(at - 1)).toBe(true);
          }
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

describe('repeated subgraphs of a function', () => {
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
  const input = variable('x', tensorType([2, width], 'float32'));
  const network = (layers: number, x: Expr = input, mask?: Expr) => {
    let body = x;
    for (let i = 0; i < layers; i++) {
      body = layer(body, i);
      if (mask !== undefined) body = op('multiply', body, mask);
    }
    return moduleFromExpr(func([input], body), { ops: standardOps });
  };
  const mainOf = (m: IRModule): Func => m.functions.get('main') as Func;
  const pass = saturate([arithmetic, movement], { cost: operatorCount });
  const run = (layers: number) => {
    const { module, report } = orThrow(runPass(pass)(network(layers)));
    const nodes = postOrderExprs([mainOf(module).body]);
    const uses = passesRun(report).find(({ name }) => name === pass.name)?.counts['x * 1'];
    return { nodes, uses, calls: nodes.filter(isOpCall).length };
  };

  it('are searched once, and stand in all their places', () => {
    const [few, many] = [run(2), run(60)];
    // Two layers are too few to be cut.
    expect(few.uses).toBe(2);
    expect(many.calls).toBe(30 * few.calls);
    expect(many.uses).toBe(1);
    expect(many.nodes.some(({ _tag }) => _tag === 'Function')).toBe(false);
  });

  /** The subgraphs that are searched, and the nodes of what is left outside. */
  const cut = (network: IRModule): { readonly kernels: number; readonly outside: number } => {
    const m = orThrow(inferTypes(network));
    const { outer, subgraphs } = outlined(mainOf(m), m);
    const outside = postOrderExprs([outer.body], isPrimitive).filter(({ _tag }) => _tag === 'Call');
    return { kernels: subgraphs.length, outside: outside.length };
  };

  it.each([34, 68])('are one for all of %i layers', (layers) => {
    expect(cut(network(layers))).toEqual({ kernels: 1, outside: layers });
  });

  it('are one subgraph if other nodes stand between them', () => {
    const between = op('nn.softmax', op('tanh', mainOf(network(30)).body));
    expect(cut(network(30, between))).toEqual({ kernels: 1, outside: 62 });
  });

  it('take what all of them use as an argument', () => {
    const mask = op('sigmoid', op('negative', input));
    expect(cut(network(80, input, mask))).toEqual({ kernels: 1, outside: 82 });
  });

  it('end only where nothing inside is used from afar', () => {
    const first = mainOf(network(80)).body;
    const inside = postOrderExprs([first]).find((node) => isOpCall(node) && node.op.name === 'exp');
    const last = op('subtract', op('sum', first), op('sum', inside as Expr));
    const m = moduleFromExpr(func([input], last), { ops: standardOps });
    expect(cut(m).kernels).toBe(1);
  });
});
