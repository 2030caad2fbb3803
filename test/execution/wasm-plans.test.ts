/**
 * What lowering makes of a program, as text, and the memory that it needs. Values alone do not show that
 * a chain is no longer fused, computed one element at a time, or copied once too often.
 */
import { type IRModule, orThrow } from '@baton/ir';
import { anyWindow, apply, isDataflow, load, printLowered, regionOf } from '@baton/lower';
import { NODES, type NodeName, type Scalar, standardOps } from '@baton/ops';
import { inferType, runPass } from '@baton/pass-manager';
import type { DType } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { compileRegion, type Target } from '../../packages/wasm/src/compile.ts';
import { isSingleElement, isSingleFold } from '../../packages/wasm/src/generate/single.ts';
import {
  isExactElement,
  isExactFold,
  isVectorElement,
  isVectorFold,
} from '../../packages/wasm/src/generate/vector.ts';
import { hostWebAssembly } from '../../packages/wasm/src/web-assembly.ts';
import { expectFile, testCases } from '../blessed.ts';

function moduleOf(text: string): IRModule {
  const parsed = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
  return orThrow(runPass(inferType)(parsed)).module;
}

function planText(written: string, target: Target): string {
  const m = moduleOf(written);
  const main = m.functions.get('main');
  const region = main && regionOf(main, m);
  if (region === undefined) return 'no region';
  const compiled = compileRegion(region, m, target);
  const { lowered, plan, placed, threads, code } = compiled;
  if (code !== undefined) expect(hostWebAssembly()?.validate(code)).toBe(true);
  const constants = placed.map(({ bytes, dtype }) => `${bytes} ${dtype}`).join(', ') || 'none';
  return [
    `${printLowered(lowered)}; arena ${plan.bytes} of ${plan.lowerBound}; constants ${constants}${threads > 1 ? `; ${threads} threads` : ''}`,
  ].join('\n');
}

describe('plans', () => {
  testCases(new URL('wasm-plans.txt', import.meta.url), (written) => {
    const [, first = '', rest = ''] = /^(?:\/\/ ([^\n]*)\n)?(.*)$/s.exec(written) ?? [];
    return planText(rest, {
      level: 'simd',
      isExact: first.includes('exact'),
      fusion: first.includes('groups') ? 'groups' : 'all',
      threads: first.includes('threads') ? 2 : 1,
      transforms: first.includes('transforms'),
    });
  });
});

const TYPES: ReadonlyArray<DType> = [
  ...(['bool', 'int8', 'uint8', 'int32', 'uint32', 'int64', 'uint64'] as const),
  ...(['float16', 'bfloat16', 'float32', 'float64'] as const),
];

const ARGUMENTS: ReadonlyArray<Scalar> = (['x', 'y', 'z'] as const).map((name) => ({
  _tag: 'Argument',
  name,
}));

/** In which way the code of a node of the scalar language computes elements of a type, and folds them. */
function nodeRow(name: NodeName): string {
  const { arity, truth } = { truth: undefined, ...NODES[name] };
  const step: Scalar = { _tag: 'Operation', name, args: ARGUMENTS.slice(0, arity) };
  const cells = TYPES.map((dtype) => {
    const args = [load(anyWindow(name === 'select' ? 'bool' : dtype))];
    while (args.length < arity) args.push(load(anyWindow(dtype)));
    const element = apply(step, truth === 'always' ? 'bool' : dtype, args, dtype);
    const fold = { start: 0, step };
    const folds = arity === 2 && isSingleFold(fold, dtype) ? ' folds' : '';
    const isFloat = dtype === 'float32' || dtype === 'float64';
    const isVectors = arity === 2 && isFloat && isVectorFold(fold, dtype);
    const vectorFolds = isVectors ? ` vector folds${isExactFold(fold) ? ' exactly' : ''}` : '';
    if (!isVectorElement(element)) return isSingleElement(element, true) ? `single${folds}` : '-';
    const exactly = isExactElement(element) ? ' exactly' : '';
    return `vectors${exactly}${isSingleElement(element, true) ? ', single' : ''}${folds}${vectorFolds}`;
  });
  return `| ${name} | ${cells.join(' | ')} |`;
}

describe('code', () => {
  it('is there for these nodes of these types', () => {
    const rows = Object.keys(NODES).map((name) => nodeRow(name as NodeName));
    const head = `| node | ${TYPES.join(' | ')} |`;
    expectFile(new URL('wasm-nodes.txt', import.meta.url), [head, ...rows, ''].join('\n'));
  });
});

const [X, Y] = ARGUMENTS as readonly [Scalar, Scalar];
const node = (name: NodeName, ...args: ReadonlyArray<Scalar>): Scalar => ({
  _tag: 'Operation',
  name,
  args,
});
const constant = (value: number): Scalar => ({ _tag: 'Constant', value });
const PRODUCT = node('mul', X, Y);

describe('an expression of integers of 64 bits, which the reference computes without bounds', () => {
  it.each<[boolean, string, Scalar]>([
    [true, 'a product', PRODUCT],
    [true, 'a product of sums', node('mul', node('add', X, Y), node('sub', X, Y))],
    [true, 'the least of operands', node('min', X, Y)],
    [false, 'the least of a product and an operand', node('min', PRODUCT, Y)],
    [false, 'the least of an operand and a product', node('min', Y, PRODUCT)],
    [true, 'the least of a wrapped product', node('min', node('wrap', PRODUCT), Y)],
    [true, 'the least of the least', node('min', node('max', X, Y), Y)],
    [false, 'the least of the greatest of a product', node('min', node('max', PRODUCT, Y), Y)],
    [false, 'the least of the greatest with a product', node('min', node('max', Y, PRODUCT), Y)],
    [true, 'the least of bits of operands', node('min', node('and', X, Y), Y)],
    [false, 'the least of bits of a product', node('min', node('and', PRODUCT, Y), Y)],
    [false, 'the least of bits with a product', node('min', node('or', Y, PRODUCT), Y)],
    [false, 'a comparison of a sum', node('less', node('add', X, Y), Y)],
    [false, 'a comparison with a sum', node('less', X, node('add', X, Y))],
    [false, 'a quotient of a product', node('div', PRODUCT, Y)],
    [true, 'a quotient of operands', node('div', X, Y)],
    [false, 'the least of a quotient', node('min', node('div', X, Y), Y)],
    [true, 'a choice of products', node('select', node('less', X, Y), PRODUCT, Y)],
    [false, 'a choice by a product', node('select', PRODUCT, X, Y)],
    [
      false,
      'a choice by a comparison of a product',
      node('select', node('less', PRODUCT, X), X, Y),
    ],
    [false, 'the least of a choice of products', node('min', node('select', X, PRODUCT, Y), X)],
    [true, 'the least of a choice of operands', node('min', node('select', X, X, Y), X)],
    [true, 'a distance of few bits', node('shiftLeft', X, node('and', Y, constant(63)))],
    [false, 'a distance of many bits', node('shiftLeft', X, Y)],
    [true, 'a shift of an operand', node('shiftRight', X, constant(3))],
    [false, 'a shift of a product', node('shiftRight', PRODUCT, constant(3))],
    [false, 'a shift by an operand', node('shiftRight', X, Y)],
    [true, 'a bit of a product', node('and', X, node('not', Y))],
    [true, 'a whole constant', node('add', X, constant(5))],
    [false, 'a fraction', node('add', X, constant(0.5))],
    [false, 'a constant that no double holds exactly', node('add', X, constant(2 ** 60))],
  ])('has code: %s, for %s', (hasCode, _, expr) => {
    const args = [load(anyWindow('int64')), load(anyWindow('int64'))];
    const result = expr._tag === 'Operation' && expr.name === 'less' ? 'bool' : 'int64';
    expect(isSingleElement(apply(expr, result, args, 'int64'), true)).toBe(hasCode);
  });
});

describe('a node that may belong to a segment', () => {
  const T = 'Tensor[(2), float32]';
  it.each([
    [true, 'exp(%x)'],
    [true, '(%x, %y)'],
    [true, '(%x, %y).1'],
    [true, '%t.0'],
    [true, 'shape_of(%x)'],
    [true, 'concatenate((%x, %y))'],
    [true, 'concatenate((%x, %t.0))'],
    [false, 'exp(%o)'],
    [false, '(%x, %o)'],
    [false, '(%x, %o).0'],
    [false, 'concatenate((%x, %o))'],
    [false, '(%x, (%x, %y)).1'],
    [false, '%f(%x)'],
    [false, 'ref(%x)'],
    [false, 'ref_read(ref(%x))'],
    [false, 'if (True) { %x } else { %y }'],
    [false, 'let %a = %x; exp(%a)'],
    [false, 'fn (%a: float32) { %a }'],
    [false, '%x'],
  ])('%s: %s', (isTaken, body) => {
    const params = `%x: ${T}, %y: ${T}, %t: (${T}, ${T}), %o: Tensor[(?), float32], %f: fn (${T}) -> ${T}`;
    const m = moduleOf(`def @main(${params}) { ${body} }`);
    const node = m.functions.get('main')?.body ?? expect.fail('main');
    expect(isDataflow(node, m) === true).toBe(isTaken);
  });
});

describe('a call of a kernel waits for its function', () => {
  const K = 'fn (%p: Tensor[(2), float32], Primitive=1) { exp(%p) }';
  it.each([
    [`%0 = ${K}; %0(%x)`, [undefined]],
    [`%0 = ${K}; %0(%0(%x))`, [1, undefined]],
    [`%0 = ${K}; let %a = %0(%x); %0(%a)`, [1, undefined]],
    [`%0 = ${K}; let %a = %0(%x); %a`, [1]],
    [`%0 = ${K}; %1 = %0(%x); let %a = %1; %1`, [1]],
    [`%0 = ${K}; (%0(%x),)`, [1]],
  ])('unless it is the last step: %s', (body, depths) => {
    const m = moduleOf(`def @main(%x: Tensor[(2), float32]) { ${body} }`);
    const region = regionOf(m.functions.get('main') ?? expect.fail('main'), m);
    const kernels = region?.counted.filter(({ call }) => call === undefined);
    expect(kernels?.map(({ depth }) => depth)).toEqual(depths);
  });
});
