import { isLeft } from '@baton/base';
import { type Expr, orThrow, tensorType } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { dataflow, parsePattern } from '@baton/rewrites';
import { describe, expect, it, test } from 'vitest';
import { program } from '../support.ts';
import { expr, fn, shown } from './support.ts';

const { isConstant, isExpr, isOp, recursive, rewrite, wildcard } = dataflow;
type PatternCallback = dataflow.PatternCallback;

const op = (name: string, ...args: ReadonlyArray<Expr>): Expr => callOp(standardOps, name, args);
const rewritten = (callbacks: dataflow.PatternCallbacks, params: string, body: string): string =>
  shown(orThrow(rewrite(callbacks, expr(params, body))));

const x = wildcard();
const zero = isExpr(expr('%x', '0f'));
const one = isExpr(expr('%x', '1f'));
const becomesX = (pattern: dataflow.PatternInput): PatternCallback => ({
  pattern,
  callback: (_pre, _post, nodes) => nodes.one(x),
});
const becomesZero = (pattern: dataflow.PatternInput): PatternCallback => ({
  pattern,
  callback: (_pre, _post, nodes) => op('zeros_like', nodes.one(x)),
});

/** The identities of arithmetic, in TVM's way. */
const SIMPLER: ReadonlyArray<PatternCallback> = [
  becomesX(isOp('add')(x, zero)),
  becomesX(isOp('subtract')(x, zero)),
  becomesX(isOp('multiply')(x, one)),
  becomesX(isOp('divide')(x, one)),
  becomesZero(isOp('multiply')(x, zero)),
  becomesZero(isOp('divide')(zero, x)),
];

describe('C352 identities, until none is left', () => {
  test.each([
    ['%x + 0f', '%x'],
    ['0f + %x', '%x'],
    ['%x - 0f', '%x'],
    ['%x * 1f', '%x'],
    ['1f * %x', '%x'],
    ['%x / 1f', '%x'],
    ['0f / %x', 'zeros_like(%x)'],
    ['((%x + 0f) * 1f) + (0f * 0f)', '%0 = zeros_like(0f); add(%x, %0)'],
    ['((((%x + 0f) - 0f) * 1f) / 1f)', '%x'],
    ['%x + 1f', 'add(%x, 1f)'],
    ['0f - %x', 'subtract(0f, %x)'],
  ])('%s', (body, after) => {
    expect(rewritten(SIMPLER, '%x %y', body)).toBe(after);
  });
});

describe('a callback', () => {
  const pattern = isOp('add')(wildcard(), wildcard());
  const wraps = (rewriteOnce: boolean): PatternCallback => ({
    pattern,
    callback: (_pre, post) => op('add', post, post),
    rewriteOnce,
  });

  it('C353 rests once it has changed something, if asked to', () => {
    expect(rewritten(wraps(true), '%x %y', '%x + %y')).toBe('%0 = add(%x, %y); add(%0, %0)');
  });

  it('C353 ends with an error where it never would', () => {
    const found = rewrite(
      { ...wraps(false), callback: (_pre, post) => op('add', post, zeroNode) },
      expr('%x %y', '%x + %y'),
    );
    expect(isLeft(found) ? found.left.map((d) => d.code) : []).toEqual(['PATTERN_ENDLESS']);
  });

  it('gets the expression before and after', () => {
    const seen: string[] = [];
    const a = wildcard();
    const spy: PatternCallback = {
      pattern: isOp('nn.relu')(a),
      callback: (pre, post, nodes) => {
        seen.push(`${shown(pre)} | ${shown(post)} | ${shown(nodes.one(a))}`);
        return pre === post ? op('exp', nodes.one(a)) : post;
      },
      rewriteOnce: true,
    };
    expect(rewritten(spy, '%x', 'nn.relu(nn.relu(%x))')).toBe('%0 = exp(%x); nn.relu(%0)');
    expect(seen).toEqual([
      'nn.relu(%x) | nn.relu(%x) | %x',
      '%0 = nn.relu(%x); nn.relu(%0) | %0 = exp(%x); nn.relu(%0) | exp(%x)',
    ]);
  });

  it('gives what another callback matches again', () => {
    const log: PatternCallback = {
      pattern: isOp('log')(x),
      callback: (_p, _q, nodes) => op('exp', nodes.one(x)),
    };
    const exp: PatternCallback = {
      pattern: isOp('exp')(x),
      callback: (_p, _q, nodes) => op('sqrt', nodes.one(x)),
    };
    expect(rewritten([exp, log], '%x', 'log(log(%x))')).toBe('%0 = sqrt(%x); sqrt(%0)');
  });

  it('that gives back what it got changes nothing', () => {
    const e = expr('%x %y', '%x + %y');
    expect(orThrow(rewrite({ pattern, callback: (_pre, post) => post }, e))).toBe(e);
  });

  it('that gives an equal expression has changed nothing', () => {
    const copies: PatternCallback = {
      pattern: isOp('nn.relu')(x),
      callback: (_p, _q, nodes) => op('nn.relu', nodes.one(x)),
    };
    expect(rewritten(copies, '%x', 'nn.relu(%x)')).toBe('nn.relu(%x)');
  });

  it('leaves what is used beside the match', () => {
    const both: PatternCallback = {
      pattern: isOp('nn.relu')(isOp('exp')(x)),
      callback: (_p, _q, nodes) => op('sqrt', nodes.one(x)),
    };
    expect(rewritten(both, '%x', '%0 = exp(%x); (nn.relu(%0), %0)')).toBe(
      '%0 = exp(%x); %1 = nn.relu(%0); (%1, %0)',
    );
  });

  it('reads a pattern as text, with its holes', () => {
    const double: PatternCallback = {
      pattern: orThrow(parsePattern('?a + ?a')),
      callback: (_p, _q, nodes) => op('multiply', nodes.one('a'), twoNode),
    };
    expect(rewritten(double, '%x', 'exp(%x + %x)')).toBe('%0 = multiply(%x, 2f); exp(%0)');
  });

  it('replaces calls of functions by their attributes', () => {
    const [a, b] = [wildcard(), wildcard()];
    const known: PatternCallback = {
      pattern: wildcard().hasAttr({ Composite: 'sum' })(a, b),
      callback: (_p, _q, nodes) => op('maximum', nodes.one(a), nodes.one(b)),
    };
    const body = '%0 = fn (%p: float32, %q: float32, Composite="sum") { %p + %q }; %0(1f, 2f)';
    expect(rewritten(known, '%x', body)).toBe('maximum(1f, 2f)');
  });

  it('goes through a pattern that contains itself as one match', () => {
    const casts = recursive((self) =>
      isOp('cast')(self.or(isOp('nn.dense')(wildcard(), wildcard()))),
    );
    const once: PatternCallback = {
      pattern: casts,
      callback: (_pre, post) => op('nn.relu', post),
      rewriteOnce: true,
    };
    const body = 'cast(cast(nn.dense(%x, %y), dtype="float32"), dtype="float32")';
    expect(rewritten(once, '%x %y', body)).toBe(
      '%0 = nn.dense(%x, %y); %1 = cast(%0, dtype="float32"); %2 = cast(%1, dtype="float32"); nn.relu(%2)',
    );
  });
});

const zeroNode = expr('%x', '0f');
const twoNode = expr('%x', '2f');

describe('a module', () => {
  it('is rewritten function by function, with types if a callback wants them', () => {
    const m = program('%x', 'nn.relu(%x + 1f)', ['def @other(%a: float32) { nn.relu(%a) }']);
    const types: unknown[] = [];
    const spy: PatternCallback = {
      pattern: isOp('nn.relu')(wildcard().hasType(tensorType([2, 3], 'float32'))),
      callback: (_pre, post) => op('exp', post),
      requireType: true,
      rewriteOnce: true,
    };
    const after = orThrow(rewrite(spy, m));
    for (const f of after.functions.values()) types.push(shown(f.body));
    expect(types).toEqual(['%0 = add(%x, 1f); %1 = nn.relu(%0); exp(%1)', 'nn.relu(%a)']);
  });

  it('without types fails as inference does', () => {
    const m = program('%x', 'nn.relu(%x, %x)'.replace(', %x)', ')'));
    const wrong = program('%x:Tensor[(2,3),float32] %y:Tensor[(5,7),float32]', '%x + %y');
    const idle: PatternCallback = {
      pattern: isConstant(),
      callback: (_p, post) => post,
      requireType: true,
    };
    expect(isLeft(rewrite(idle, m))).toBe(false);
    expect(isLeft(rewrite(idle, wrong))).toBe(true);
  });
});

test('a chain of 10,000 sums of nothing vanishes', () => {
  let e: Expr = fn('%x', '%x').body;
  for (let i = 0; i < 10_000; i++) e = op('add', e, zeroNode);
  expect(shown(orThrow(rewrite(SIMPLER, e)))).toBe('%x');
});
