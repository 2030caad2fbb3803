import { type Expr, type IRModule, postOrderExprs, typeOf } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { dataflow } from '@baton/rewrites';
import { describe, expect, it, test } from 'vitest';
import { expr, fn, shown } from './support.ts';

const { functionPattern, isConstant, isIf, isLet, isOp, isTuple } = dataflow;
const { isTupleGetItem, isVar, partition, wildcard } = dataflow;
type PatternInput = dataflow.PatternInput;

const any = wildcard;
const conv = () => isOp('nn.conv2d')(any(), any());
const relu = (p: PatternInput) => isOp('nn.relu')(p);
const add = () => isOp('add')(any(), any());

const IMAGE = '%x:Tensor[(1,2,4,4),float32] %w:Tensor[(2,2,1,1),float32] %b:Tensor[(2),float32]';

/** The part of a text from the first function on, and what functions are made of. */
const partitioned = (p: PatternInput, params: string, body: string): string =>
  shown(partition(p, expr(params, body)));

/** A title, a pattern, parameters, a body, and the body with functions. */
type Case = readonly [string, PatternInput, string, string, string];

const CASES: ReadonlyArray<Case> = [
  [
    'C355 a convolution, its bias and an activation',
    relu(isOp('nn.bias_add')(conv(), any())),
    IMAGE,
    'nn.relu(nn.bias_add(nn.conv2d(%x, %w), %b))',
    '%2 = fn (%FunctionVar_0_0, %FunctionVar_0_1, %FunctionVar_0_2, PartitionedFromPattern="nn.conv2d_nn.bias_add_nn.relu_") { %0 = nn.conv2d(%FunctionVar_0_0, %FunctionVar_0_1); %1 = nn.bias_add(%0, %FunctionVar_0_2); nn.relu(%1) }; %2(%x, %w, %b)',
  ],
  [
    'a constant that the pattern asks for goes in',
    isOp('add')(isConstant(), relu(any())),
    '%x',
    'nn.relu(%x) + 1f',
    '%1 = fn (%FunctionVar_0_0, PartitionedFromPattern="nn.relu_add_") { %0 = nn.relu(%FunctionVar_0_0); add(%0, 1f) }; %1(%x)',
  ],
  [
    'a constant that is only anything stays outside',
    isOp('add')(any(), relu(any())),
    '%x',
    'nn.relu(%x) + 1f',
    '%1 = fn (%FunctionVar_0_0: float32, %FunctionVar_0_1, PartitionedFromPattern="nn.relu_add_") { %0 = nn.relu(%FunctionVar_0_1); add(%0, %FunctionVar_0_0) }; %1(1f, %x)',
  ],
  [
    'the fields of any tuple, each once',
    isOp('concatenate')(isTuple()),
    '%x %y',
    'concatenate((%x, %y, %x))',
    '%1 = fn (%FunctionVar_0_0, %FunctionVar_0_1, PartitionedFromPattern="Tuple_concatenate_") { %0 = (%FunctionVar_0_0, %FunctionVar_0_1, %FunctionVar_0_0); concatenate(%0) }; %1(%x, %y)',
  ],
  [
    'the arguments of a call with any, constants among them',
    relu(isOp('add')(null)),
    '%x',
    'nn.relu(%x + 1f)',
    '%1 = fn (%FunctionVar_0_0, %FunctionVar_0_1: float32, PartitionedFromPattern="add_nn.relu_") { %0 = add(%FunctionVar_0_0, %FunctionVar_0_1); nn.relu(%0) }; %1(%x, 1f)',
  ],
  [
    'a field of a tuple',
    relu(isTupleGetItem(isOp('split')(any()), 1)),
    '%x',
    'nn.relu(split(%x, indices_or_sections=2).1)',
    '%2 = fn (%FunctionVar_0_0, PartitionedFromPattern="split_TupleGetItem1_nn.relu_") { %0 = split(%FunctionVar_0_0, indices_or_sections=2); %1 = %0.1; nn.relu(%1) }; %2(%x)',
  ],
  [
    'an if with its branches',
    isIf(any(), add(), isOp('subtract')(any(), any())),
    '%c:bool %x %y',
    'if (%c) { %x + %y } else { %x - %y }',
    '%0 = fn (%FunctionVar_0_0: bool, %FunctionVar_0_1, %FunctionVar_0_2, PartitionedFromPattern="add_subtract_If_") { if (%FunctionVar_0_0) { add(%FunctionVar_0_1, %FunctionVar_0_2) } else { subtract(%FunctionVar_0_1, %FunctionVar_0_2) } }; %0(%c, %x, %y)',
  ],
  [
    'a call of a function that has a pattern',
    functionPattern([any(), any()], conv())(any(), any()).add(any()),
    '%x:Tensor[(1,2,4,4),float32] %w:Tensor[(2,2,1,1),float32] %y:Tensor[(1,2,4,4),float32]',
    '%0 = fn (%a: Tensor[(1,2,4,4),float32], %c: Tensor[(2,2,1,1),float32]) { nn.conv2d(%a, %c) }; %0(%x, %w) + %y',
    '%2 = fn (%FunctionVar_0_0, %FunctionVar_0_1, %FunctionVar_0_2, PartitionedFromPattern="nn.conv2d_FunctionCall_add_") { %0 = fn (%a, %c) { nn.conv2d(%a, %c) }; %1 = %0(%FunctionVar_0_0, %FunctionVar_0_1); add(%1, %FunctionVar_0_2) }; %2(%x, %w, %y)',
  ],
  [
    'what is used before the root, too, is computed twice',
    isOp('multiply')(isOp('add')(conv(), any()), any()),
    '%x:Tensor[(1,2,4,4),float32] %w:Tensor[(2,2,1,1),float32] %y:Tensor[(1,2,4,4),float32]',
    '%0 = nn.conv2d(%x, %w) + %y; %0 * nn.relu(sigmoid(%0))',
    '%0 = nn.conv2d(%x, %w); %1 = add(%0, %y); %2 = sigmoid(%1); %3 = nn.relu(%2); %6 = fn (%FunctionVar_0_0, %FunctionVar_0_1, %FunctionVar_0_2, %FunctionVar_0_3, PartitionedFromPattern="nn.conv2d_add_multiply_") { %4 = nn.conv2d(%FunctionVar_0_0, %FunctionVar_0_1); %5 = add(%4, %FunctionVar_0_2); multiply(%5, %FunctionVar_0_3) }; %6(%x, %w, %y, %3)',
  ],
  [
    'what is used after the root, too, stays',
    relu(conv()),
    IMAGE,
    '%0 = nn.conv2d(%x, %w); nn.relu(%0) + %0',
    '%0 = nn.conv2d(%x, %w); %1 = nn.relu(%0); add(%1, %0)',
  ],
  [
    'a diamond below its dominator',
    conv().dominates(add(), isOp('nn.relu').or(isOp('exp'))(any())),
    IMAGE,
    '%0 = nn.conv2d(%x, %w); nn.relu(exp(%0)) + exp(%0)',
    '%4 = fn (%FunctionVar_0_0, %FunctionVar_0_1, PartitionedFromPattern="nn.conv2d_exp_nn.relu_exp_add_") { %0 = nn.conv2d(%FunctionVar_0_0, %FunctionVar_0_1); %1 = exp(%0); %2 = nn.relu(%1); %3 = exp(%0); add(%2, %3) }; %4(%x, %w)',
  ],
  [
    'a function by itself is no part',
    functionPattern(null, any()),
    '%x',
    'fn () { %x }',
    'fn () { %x }',
  ],
  ['anything is no part', any(), '%x', 'nn.relu(%x)', 'nn.relu(%x)'],
];

test.each(CASES)('%s', (_title, pattern, params, body, after) => {
  expect(partitioned(pattern, params, body)).toBe(after);
});

/** The names of the functions that a partition makes, in order. */
const names = (e: Expr): ReadonlyArray<unknown> =>
  postOrderExprs([e]).flatMap((node) =>
    node._tag === 'Function' ? (node.attrs.PartitionedFromPattern ?? []) : [],
  );

/** A normalization, spelled out. */
const norm = (x: PatternInput) =>
  any().multiply(isOp('subtract')(x, any())).divide(isOp('sqrt')(add())).add(any());
const NORM = '%x %g %m %v %e %b';
const normOf = (x: string) => `%g * (${x} - %m) / sqrt(%v + %e) + %b`;

describe('partitions', () => {
  it('find a normalization in each order of its operands', () => {
    const body = '%b + ((%x - %m) * %g) / sqrt(%e + %v)';
    expect(names(partition(norm(any()), expr(NORM, body)))).toEqual([
      'subtract_multiply_add_sqrt_divide_add_',
    ]);
    const other = '%b + %g * ((%x - %m) / sqrt(%e + %v))';
    expect(names(partition(norm(any()), expr(NORM, other)))).toHaveLength(1);
  });

  it('find two, one after the other', () => {
    const two = expr(NORM, `%0 = ${normOf('%x')}; ${normOf('%0')}`);
    expect(names(partition(norm(any()), two))).toHaveLength(2);
  });

  it('C356 have no node in common', () => {
    const three = expr(NORM, `%0 = ${normOf('%x')}; %1 = ${normOf('%0')}; ${normOf('%1')}`);
    const made = partition(norm(norm(any())), three);
    expect(names(made)).toHaveLength(1);
    expect(names(partition(norm(any()), three))).toHaveLength(3);
  });

  it('take parallel branches with one input apart', () => {
    const branches = expr(
      IMAGE,
      '%0 = exp(%x); nn.relu(nn.conv2d(%0, %w)) + nn.relu(nn.conv2d(%0, %w))',
    );
    expect(names(partition(relu(conv()), branches))).toHaveLength(2);
  });

  it('take a chain of dominated parts apart', () => {
    const layer = (x: string, i: number): string =>
      `%${i} = nn.conv2d(${x}, %w); %${i + 1} = nn.relu(%${i}) + exp(%${i});`;
    const body = `${layer('%x', 0)} ${layer('%1', 2)} ${layer('%3', 4)} ${layer('%5', 6)} %7`;
    const p = conv().dominates(add(), isOp('nn.relu').or(isOp('exp'))(any()));
    expect(names(partition(p, expr(IMAGE, body)))).toHaveLength(4);
  });

  it('take what is optional', () => {
    const p = () =>
      conv()
        .optional((c) => isOp('nn.bias_add')(c, any()))
        .optional(relu);
    const named = (body: string) => names(partition(p(), expr(IMAGE, body)));
    expect(named('nn.conv2d(%x, %w)')).toEqual(['nn.conv2d_']);
    expect(named('nn.bias_add(nn.conv2d(%x, %w), %b)')).toEqual(['nn.conv2d_nn.bias_add_']);
    expect(named('nn.relu(nn.bias_add(nn.conv2d(%x, %w), %b))')).toEqual([
      'nn.conv2d_nn.bias_add_nn.relu_',
    ]);
  });

  it('are not taken apart again', () => {
    const once = partition(relu(conv()), expr(IMAGE, 'nn.relu(nn.conv2d(%x, %w))'));
    expect(partition(relu(conv()), once)).toBe(once);
    expect(partition(conv(), once)).toBe(once);
  });

  it('keep what a check rejects', () => {
    const e = expr(IMAGE, 'nn.relu(nn.conv2d(%x, %w))');
    const isSmall = (matched: Expr, m: IRModule): boolean => {
      const type = typeOf(m, matched);
      return type?._tag === 'TensorType' && Array.isArray(type.shape) && type.shape[0] === 1;
    };
    const check = (holds: typeof isSmall) => names(partition(relu(conv()), e, { check: holds }));
    expect(check(isSmall)).toHaveLength(1);
    expect(check((matched, m) => !isSmall(matched, m))).toEqual([]);
  });
});

describe('a match stays as it is', () => {
  const refused = (p: PatternInput, params: string, body: string): unknown => {
    const seen: unknown[] = [];
    const e = expr(params, body);
    expect(partition(p, e, { onMatch: (_, refusal) => seen.push(refusal) })).toBe(e);
    return seen;
  };

  it('if it takes in what only a branch computes', () => {
    const p = isIf(any(), relu(any()), any());
    expect(refused(p, '%c:bool %x', 'if (%c) { nn.relu(exp(%x)) } else { %x }')).toEqual(['scope']);
  });

  it('if it takes in what may fail, and only branches compute', () => {
    const body =
      '%0 = match? (%x) { (%a, %b) => %a }; if (%c) { %0 } else { if (%c) { %0 } else { 1f } }';
    const p = isIf(any(), any(), isIf(any(), any(), any()));
    expect(refused(p, '%c:bool %x:(float32,float32)', body)).toEqual(['scope']);
  });

  it('if it takes in what its own variable is bound for', () => {
    const p = isLet(isVar(), any(), relu(any()));
    expect(refused(p, '%x', 'let %a = exp(%x); nn.relu(exp(%a))')).toEqual(['scope']);
    expect(refused(p, '%x', 'let %a = exp(%x); nn.relu(%a)')).toEqual(['scope']);
  });

  it('if it does, or takes in another order, what others notice', () => {
    const p = any().subtract(any());
    const state = '%r:ref(float32) %s:ref(float32) %x';
    const read = '(ref_read(%r) + 1f)';
    const write = '(if (True) { let %u = ref_write(%r, 2f); 1f } else { 1f })';
    const one = expr(state, `${read} - exp(1f)`);
    expect(names(partition(p, one))).toHaveLength(1);
    expect(names(partition(p, expr(state, `${write} - ${read}`)))).toHaveLength(1);
    const apart = isOp('subtract')(isOp('exp')(any()), any());
    expect(names(partition(apart, expr(state, `exp(${write}) - ${read}`)))).toHaveLength(1);
    const [first, second] = [any(), any()];
    const turned = isOp('add')(first, isOp('exp')(second)).or(isOp('exp')(first));
    expect(names(partition(turned, expr(state, `${write} + exp(${read})`)))).toHaveLength(1);
    const reversed = isOp('multiply')(isConstant(), any()).or(
      isOp('add')(isOp('exp')(first), second),
    );
    expect(refused(reversed, state, `${write} + exp(${read})`)).toEqual(['effect']);
    const unknown = '%f:fn(float32)->float32';
    expect(refused(isOp('exp')(any()(any())), unknown, 'exp(%f(1f))')).toEqual(['effect']);
  });
});

test('a chain of 10,000 calls is taken apart', () => {
  let e: Expr = fn('%x', '%x').body;
  for (let i = 0; i < 10_000; i++) e = callOp(standardOps, 'nn.relu', [e]);
  const count = (p: PatternInput): number => names(partition(p, e)).length;
  expect(count(relu(relu(any())))).toBe(5_000);
  expect(count(isOp('exp')(any()).dominates(relu(any()), relu(any())))).toBe(0);
  expect(count(isVar().dominates(relu(any()), relu(any())))).toBe(1);
});
