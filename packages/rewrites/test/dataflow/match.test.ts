import { type Expr, orThrow, tensorType } from '@baton/ir';
import { fusionColumn } from '@baton/ops';
import { dataflow, parsePattern } from '@baton/rewrites';
import { describe, expect, it, test } from 'vitest';
import { expr, fn } from './support.ts';

const { builderOf, functionPattern, isConstant, isExpr, isIf, isLet, isOp, isTuple } = dataflow;
const { isTupleGetItem, isVar, match, recursive, wildcard } = dataflow;
type PatternInput = dataflow.PatternInput;

const matches = (p: PatternInput, e: Expr): boolean => match(p, e) !== undefined;
const text = (pattern: string): PatternInput => orThrow(parsePattern(pattern));

/** A title, a pattern, expressions that it matches, and expressions that it does not match. */
type Case = readonly [
  title: string,
  pattern: PatternInput,
  yes: ReadonlyArray<string>,
  no: ReadonlyArray<string>,
];

const PARAMS = '%x %y %z %c:bool';
const [w, v] = [wildcard(), wildcard()];
const shared = wildcard();
const relu = isOp('nn.relu');

const CASES: ReadonlyArray<Case> = [
  ['a wildcard', wildcard(), ['%x', 'add(%x, %y)', '1f'], []],
  ['a variable', isVar(), ['%x', '%c'], ['1f', '(%x, %y)']],
  ['a variable by name', isVar('y'), ['%y'], ['%x']],
  ['a constant', isConstant(), ['1f', 'Constant(2, (3), float32)'], ['%x', 'add(1f, 1f)']],
  ['an expression', isExpr(expr(PARAMS, 'exp(1f)')), ['exp(1f)'], ['exp(2f)', 'exp(1i32)']],
  [
    'C344 an operator call',
    isOp('add')(isOp('subtract')(w, v), wildcard()),
    ['add(%x - %y, %z)'],
    ['%x - %y', 'add(%x, %y)'],
  ],
  ['another operator', relu(w), ['nn.relu(%x)'], ['exp(%x)', '%x']],
  ['another number of arguments', isOp('add')(w), [], ['%x + %y']],
  [
    'C346 a call with any arguments',
    isOp('concatenate')(null),
    ['concatenate((%x, %y))'],
    ['(%x, %y)'],
  ],
  ['C346 a tuple of any fields', isTuple(), ['(%x, %y)', '()', '(%x,)'], ['%x']],
  [
    'a tuple of these fields',
    isTuple([isVar('x'), w]),
    ['(%x, %y)'],
    ['(%y, %x)', '(%x,)', '(%x, %y, %z)'],
  ],
  ['a field', isTupleGetItem(w, 1), ['(%x, %y).1'], ['(%x, %y).0']],
  ['any field', isTupleGetItem(isTuple()), ['(%x, %y).1', '(%x, %y).0'], ['%x']],
  [
    'an if',
    isIf(isVar('c'), isOp('add')(w, v), wildcard()),
    ['if (%c) { %x + %y } else { %z }'],
    ['if (%c) { %x - %y } else { %z }'],
  ],
  [
    'a let',
    isLet(isVar('a'), relu(w), wildcard()),
    ['let %a = nn.relu(%x); %a'],
    ['let %b = nn.relu(%x); %b', 'let %a = %x; %a'],
  ],
  [
    'C361 a function of two parameters',
    functionPattern([w, v], isOp('add')(w, v)),
    ['fn (%a: float32, %b: float32) { %a + %b }'],
    ['fn (%a: float32) { %a + %a }', 'fn (%a: float32, %b: float32) { %a - %b }', '%x + %y'],
  ],
  [
    'a function of any parameters',
    functionPattern(null, isOp('add')(w, v)),
    ['fn (%a: float32) { %a + 1f }', 'fn () { 1f + 2f }'],
    ['fn () { 1f }'],
  ],
  [
    'an alternative',
    isOp('add')(w, v).or(isOp('subtract')(w, v)),
    ['%x + %y', '%x - %y'],
    ['%x * %y'],
  ],
  [
    'C347 an option',
    isOp('exp')(w).optional((p) => relu(p)),
    ['exp(%x)', 'nn.relu(exp(%x))'],
    ['nn.relu(%x)'],
  ],
  [
    'a commutative operator',
    isOp('add')(isOp('exp')(w), v),
    ['exp(%x) + %y', '%x + exp(%y)'],
    ['%x + %y'],
  ],
  [
    'an operator that does not commute',
    isOp('subtract')(isOp('exp')(w), v),
    ['exp(%x) - %y'],
    ['%x - exp(%y)'],
  ],
  [
    'sums and products by methods',
    isVar('x').add(isVar('y')).multiply(isVar('z')),
    ['(%x + %y) * %z', '%z * (%y + %x)'],
    ['%x + %y * %z'],
  ],
  [
    'differences and quotients by methods',
    isVar('x').subtract(isVar('y')).divide(isVar('z')),
    ['(%x - %y) / %z'],
    ['(%y - %x) / %z'],
  ],
  [
    'a quotient of a product',
    isVar('x').multiply(isVar('y')).divide(isVar('z')),
    ['(%x * %y) / %z', '%x * (%y / %z)', '(%x / %z) * %y'],
    ['(%x / %y) * %z'],
  ],
  [
    'a product of a quotient',
    isVar('x').divide(isVar('y')).multiply(isVar('z')),
    ['(%x / %y) * %z', '(%x * %z) / %y', '%z * (%x / %y)'],
    ['(%x * %y) / %z'],
  ],
  [
    'one pattern for one node',
    isOp('subtract')(shared, shared),
    ['%x - %x', '%0 = exp(%x); %0 - %0'],
    ['%x - %y', 'exp(%x) - exp(%x)'],
  ],
  ['an operator that occurs twice', relu(relu(w)), ['nn.relu(nn.relu(%x))'], ['nn.relu(exp(%x))']],
  [
    'attributes of a call',
    isOp('nn.softmax')(w).hasAttr({ axis: 0 }),
    ['nn.softmax(%x, axis=0)'],
    ['nn.softmax(%x)', 'nn.relu(%x)'],
  ],
  [
    'attributes among others',
    isOp('sum')(w).hasAttr({ keepdims: true }),
    ['sum(%x, axis=[1], keepdims=True)'],
    ['sum(%x, axis=[1])'],
  ],
  [
    'a dtype as an attribute',
    isOp('cast')(w).hasAttr({ dtype: 'float16' }),
    ['cast(%x, dtype="float16")'],
    ['cast(%x, dtype="int32")'],
  ],
  [
    'an attribute that there is not',
    isOp('cast')(w).hasAttr({ axis: 1 }),
    [],
    ['cast(%x, dtype="int32")'],
  ],
  [
    'attributes of a function',
    functionPattern(null, w).hasAttr({ Composite: 'a' }),
    ['fn (%a: float32, Composite="a") { %a }'],
    ['fn (%a: float32) { %a }', 'fn (%a: float32, Composite="b") { %a }'],
  ],
  [
    'an attribute of operators',
    wildcard().hasAttr({ TOpPattern: 'elemwise' })(w),
    ['nn.relu(%x)', 'exp(%x)'],
    ['nn.softmax(%x)'],
  ],
  [
    'operators with effects',
    wildcard().hasAttr({ TOpIsStateful: true })(null),
    [],
    ['nn.relu(%x)'],
  ],
  [
    'a fact of operators',
    wildcard().hasFact(fusionColumn, 'broadcast')(w, v),
    ['%x + %y'],
    ['nn.dense(%x, %y)'],
  ],
  [
    'C349 a type',
    wildcard().hasType(tensorType([2, 2], 'float32')),
    ['%x', '%x + %y', 'nn.relu(%x + 1f)'],
    ['1f', '%c', '(%x, %y)'],
  ],
  ['C349 a dtype', wildcard().hasDtype('float16'), ['cast(%x, dtype="float16")'], ['%x']],
  [
    'C349 a shape',
    wildcard().hasShape([2, 2]),
    ['%x', 'cast(%x, dtype="float16")'],
    ['sum(%x)', '(%x, %y)'],
  ],
  ['the text of a pattern', text('nn.relu(?a + ?b)'), ['nn.relu(%x + %y)'], ['nn.relu(%x - %y)']],
  ['a number in text, in either order', text('?a + 0'), ['%x + 0f', '0f + %x'], ['%x + 1f']],
  ['a hole twice', text('?a - ?a'), ['%x - %x'], ['%x - %y']],
  [
    'default attributes in text',
    text('nn.softmax(?a)'),
    ['nn.softmax(%x)'],
    ['nn.softmax(%x, axis=0)'],
  ],
  [
    'a hole for attributes',
    text('nn.softmax(nn.softmax(?a, axis=?i), axis=?i)'),
    ['nn.softmax(nn.softmax(%x, axis=0), axis=0)'],
    ['nn.softmax(nn.softmax(%x), axis=0)'],
  ],
  ['a hole for an operator', text('?f(?f(?a))'), ['exp(exp(%x))'], ['exp(log(%x))']],
  [
    'text inside of a builder',
    relu(builderOf(orThrow(parsePattern('?a + ?b')))),
    ['nn.relu(%x + %y)'],
    ['nn.relu(%x)'],
  ],
  [
    'a pattern that contains itself',
    recursive((self) => isOp('cast')(self.or(isOp('exp')(w)))),
    ['cast(cast(exp(%x), dtype="int32"), dtype="float32")', 'cast(exp(%x), dtype="int8")'],
    ['cast(%x, dtype="int8")', 'exp(%x)'],
  ],
];

describe.each(CASES)('%s', (_title, pattern, yes, no) => {
  test.each(yes.map((body) => [body]))('matches %s', (body) => {
    expect(matches(pattern, expr(PARAMS, body))).toBe(true);
  });
  test.each(no.map((body) => [body]))('does not match %s', (body) => {
    expect(matches(pattern, expr(PARAMS, body))).toBe(false);
  });
});

describe('C350 diamonds', () => {
  const conv = isOp('nn.conv2d')(w, v);
  const diamond = isOp('add')(relu(conv), isOp('nn.leaky_relu')(conv));
  const one = '%0 = nn.conv2d(%x, %y); nn.relu(%0) + nn.leaky_relu(%0)';
  const two = 'nn.relu(nn.conv2d(%x, %y)) + nn.leaky_relu(nn.conv2d(%x, %y))';

  it('match where they come from one node', () => {
    expect(matches(diamond, expr('%x %y', one))).toBe(true);
    expect(matches(diamond, expr('%x %y', two))).toBe(false);
  });
});

describe('dominators', () => {
  const conv = isOp('nn.conv2d')(wildcard(), wildcard());
  const unary = wildcard().hasAttr({ TOpPattern: 'elemwise' })(wildcard());
  const binary = wildcard().hasAttr({ TOpPattern: 'broadcast' })(wildcard(), wildcard());
  const dominated = conv.dominates(binary, unary);
  const at = (body: string) => matches(dominated, expr('%x %y', body));

  test.each([
    ['a diamond', '%0 = nn.conv2d(%x, %y); nn.relu(%0) + nn.leaky_relu(%0)'],
    ['a longer diamond', '%0 = nn.conv2d(%x, %y); nn.relu(exp(nn.relu(%0))) + nn.leaky_relu(%0)'],
    ['a path of no nodes', '%0 = nn.conv2d(%x, %y); %0 + exp(%0)'],
  ])('%s', (_title, body) => {
    expect(at(body)).toBe(true);
  });

  test.each([
    ['no path', '%x + %y'],
    ['a path to a variable', 'nn.relu(nn.conv2d(%x, %y)) + %x'],
    ['a variable first', '%x + nn.relu(nn.conv2d(%x, %y))'],
    ['two parents', 'nn.relu(nn.conv2d(%x, %y)) + nn.relu(nn.conv2d(%x, %y))'],
    ['a call on the way that is no path', '%0 = nn.conv2d(%x, %y); nn.relu(%0) + nn.softmax(%0)'],
  ])('not %s', (_title, body) => {
    expect(at(body)).toBe(false);
  });

  it('not what is used beside the path', () => {
    const pattern = isOp('exp')(dominated);
    const inside = '%0 = nn.conv2d(%x, %y); exp(nn.relu(%0) + nn.leaky_relu(%0))';
    expect(matches(pattern, expr('%x %y', inside))).toBe(true);
    const outside = '%0 = nn.conv2d(%x, %y); (exp(nn.relu(%0) + nn.leaky_relu(%0)), %0)';
    expect(matches(isTuple([pattern, wildcard()]), expr('%x %y', outside))).toBe(false);
  });

  it('with a type on the way', () => {
    const typed = unary.hasShape([1, 2, 2, 2]);
    const body = '%0 = nn.conv2d(%x, %y); nn.relu(%0) + exp(%0)';
    const params = '%x:Tensor[(1,2,2,2),float32] %y:Tensor[(2,2,1,1),float32]';
    expect(matches(conv.dominates(binary, typed), expr(params, body))).toBe(true);
    const other = unary.hasShape([1, 2, 2, 3]);
    expect(matches(conv.dominates(binary, other), expr(params, body))).toBe(false);
  });

  it('may end in constants where the path takes them', () => {
    const body = '%0 = nn.conv2d(%x, %y); (nn.relu(%0) + 1f) + exp(%0)';
    const path = unary.or(binary);
    expect(matches(conv.dominates(binary, path), expr('%x %y', body))).toBe(false);
    expect(matches(conv.dominates(binary, path.or(isConstant())), expr('%x %y', body))).toBe(true);
  });

  it('nest', () => {
    const input = wildcard();
    const around = (parent: PatternInput) =>
      builderOf(dataflow.patternOf(parent)).dominates(
        isOp('add')(wildcard(), wildcard()),
        isOp('nn.relu').or(isOp('exp'))(wildcard()),
      );
    const first = around(isOp('nn.conv2d')(wildcard(), input));
    const second = around(isOp('nn.conv2d')(first, wildcard()));
    const body = `%0 = nn.conv2d(%x, %y); %1 = nn.relu(%0) + exp(%0);
      %2 = nn.conv2d(%1, %y); nn.relu(%2) + exp(%2)`;
    expect(match(second, expr('%x %y', body))?.all(input)).toHaveLength(1);
    const open = body.replace('nn.relu(%2)', 'nn.relu(%1)');
    expect(matches(second, expr('%x %y', open))).toBe(false);
  });

  it('collect the nodes on the way', () => {
    const body = '%0 = nn.conv2d(%x, %y); nn.relu(exp(%0)) + nn.leaky_relu(%0)';
    const found = match(dominated, expr('%x %y', body));
    expect(found?.all(unary)).toHaveLength(3);
    expect(found?.all(conv)).toHaveLength(1);
  });
});

describe('the nodes of a match', () => {
  it('are those of its patterns and holes', () => {
    const [a, b] = [wildcard(), wildcard()];
    const e = expr('%x %y', '%x - exp(%y)');
    const found = match(isOp('subtract')(a, isOp('exp')(b)), e);
    expect(found?.one(a)).toBe(e._tag === 'Call' ? e.args[0] : undefined);
    expect(found?.all(b)).toHaveLength(1);
    const named = match(text('?p - ?f(?q)'), e);
    expect(named?.one('p')).toBe(found?.one(a));
    expect(named?.attr('f')).toBe('exp');
  });

  it('are none of an alternative that failed', () => {
    const [a, b, c] = [wildcard(), wildcard(), wildcard()];
    const p = isOp('subtract')(isOp('exp')(a), isOp('log')(b)).or(isOp('subtract')(c, b));
    const e = expr('%x %y', 'exp(%x) - %y');
    const found = match(p, e);
    expect(found?.all(a)).toEqual([]);
    expect(found?.all(b)).toHaveLength(1);
    expect(found?.one(c)).toBe(e._tag === 'Call' ? e.args[0] : undefined);
    expect(() => found?.one(a)).toThrow('the pattern has no node here');
    expect(() => found?.one('q')).toThrow('the match has no ?q');
  });
});

test('a pattern that contains itself matches a deep program', () => {
  const f = fn('%x', '%x');
  const chain = recursive((self) => isOp('nn.relu')(self.or(isVar())));
  const step = expr('%x', 'nn.relu(%x)');
  if (step._tag !== 'Call') throw new Error('a call');
  let e: Expr = f.body;
  for (let i = 0; i < 50_000; i++) e = { ...step, args: [e], hash: i };
  expect(matches(chain, e)).toBe(true);
});
