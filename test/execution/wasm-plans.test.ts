/**
 * What compilation makes of a program, as text: the kernels, in which way each is computed, where it
 * reads and writes, and the memory that they need. Values alone do not show that a chain is no longer
 * fused, computed one element at a time, or copied once too often.
 *
 * `wasm-plans.txt` holds the programs; a window that is not a whole buffer states its shape, first element
 * and strides, and `p0` is the first parameter, `c0` the first constant.
 */
import { invariant } from '@baton/base';
import { type IRModule, orThrow } from '@baton/ir';
import { NODES, type NodeName, type OpValue, type Scalar, standardOps } from '@baton/ops';
import { inferType, runPass } from '@baton/pass-manager';
import { type DType, isTensor, type Tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { type Compiled, compileRegion, type Target } from '../../packages/wasm/src/compile.ts';
import { isSingleElement, isSingleFold } from '../../packages/wasm/src/generate/single.ts';
import {
  isExactElement,
  isExactFold,
  isVectorElement,
  isVectorFold,
} from '../../packages/wasm/src/generate/vector.ts';
import { apply, type Element, load } from '../../packages/wasm/src/plan/element.ts';
import type { Kernel } from '../../packages/wasm/src/plan/kernel.ts';
import { isRowMajor } from '../../packages/wasm/src/plan/lowering.ts';
import {
  blankTensor,
  isDataflow,
  leavesIn,
  regionOf,
} from '../../packages/wasm/src/plan/region.ts';
import { hostWebAssembly } from '../../packages/wasm/src/web-assembly.ts';
import { expectFile, testCases } from '../blessed.ts';

type Name = (window: Tensor) => string;

/** Names windows by their buffers. */
function namesOf({ lowered: { buffers, params, bufferOf } }: Compiled): Name {
  const inputs = params.flatMap(leavesIn).map(bufferOf);
  const constants = buffers.flatMap(({ isConstant }, i) => (isConstant ? [i] : []));
  const own = buffers.flatMap((_, i) => (inputs.includes(i) || constants.includes(i) ? [] : [i]));
  return (window) => {
    const at = bufferOf(window);
    const { whole } = buffers[at] ?? {};
    const numbers = [inputs, constants, own].map((list) => list.indexOf(at));
    const kind = numbers.findIndex((number) => number >= 0);
    const name = `${'pcb'[kind]}${numbers[kind]}`;
    const { dtype, shape, strides, offset } = window;
    const size = shape.reduce((product, dim) => product * dim, 1);
    if (offset === 0 && isRowMajor(window) && size === whole?.data.length) return name;
    return `${name}[${dtype} ${shape.join('×')} @${offset} /${strides.join(',')}]`;
  };
}

function scalarText(expr: Scalar, args: ReadonlyArray<string>): string {
  if (expr._tag === 'Argument') return args['xyz'.indexOf(expr.name)] ?? '?';
  if (expr._tag === 'Constant') return `${expr.value}`;
  if (expr._tag === 'Width') return 'width';
  return `${expr.name}(${expr.args.map((arg) => scalarText(arg, args)).join(', ')})`;
}

function elementText(element: Element, nameOf: Name): string {
  switch (element._tag) {
    case 'Load':
      return nameOf(element.window);
    case 'Literal':
      return `${element.value}`;
    case 'Product':
      return `${element.call.name}(${element.operands.map(nameOf).join(', ')})`;
    case 'Apply': {
      const { expr, of, dtype, args } = element;
      const text = scalarText(
        expr,
        args.map((arg) => elementText(arg, nameOf)),
      );
      return of === dtype ? text : `${dtype}(${text} in ${of})`;
    }
  }
}

const modeOf = (element: Element): string => {
  if (isVectorElement(element)) return 'vectors';
  return isSingleElement(element) ? 'singles' : 'no code';
};

const valueText = (value: OpValue, nameOf: Name): string =>
  isTensor(value) ? nameOf(value) : `(${value.map((part) => valueText(part, nameOf)).join(', ')})`;

function kernelText(kernel: Kernel, nameOf: Name): string {
  switch (kernel._tag) {
    case 'Map':
      return `${nameOf(kernel.out)} = ${elementText(kernel.element, nameOf)} in ${modeOf(kernel.element)}`;
    case 'Fold': {
      const { element, fold, of, mode, divisor, out } = kernel;
      const [step, by] = [scalarText(fold.step, ['state', 'x']), divisor ? ` / ${divisor}` : ''];
      return `${nameOf(out)} = fold ${step}${by} of ${elementText(element, nameOf)} in ${of} ${mode}`;
    }
    case 'Take': {
      const { data, indices, isWrapped, sizes, out } = kernel;
      const [batch, lead, dim, places, rest] = [
        sizes.batch,
        sizes.lead,
        sizes.dim,
        sizes.places,
        sizes.rest,
      ];
      const how = `${isWrapped ? 'wrapped' : 'clipped'} ${batch}×${lead}×${dim}×${rest} at ${places}`;
      return `${nameOf(out)} = take ${nameOf(data)}, ${nameOf(indices)} ${how}`;
    }
    case 'Product': {
      const { element, spreads, scratch, out } = kernel;
      const own = scratch === undefined ? '' : `, scratch of ${scratch.data.length} bytes`;
      return `${nameOf(out)} = ${elementText(element, nameOf)} by hand [${spreads.join(', ')}]${own}`;
    }
    case 'Reference': {
      const { call, args, results } = kernel;
      const [from, to] = [args, results].map((list) =>
        list.map((arg) => valueText(arg, nameOf)).join(', '),
      );
      return `${to} = reference ${call.name}(${from})`;
    }
  }
}

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
  const nameOf = namesOf(compiled);
  const parts = lowered.buffers.flatMap(({ whole, within }) => {
    if (within === undefined) return [];
    const owner = lowered.buffers[within.buffer];
    invariant(owner !== undefined, 'a part has an owner');
    return [`${nameOf(whole)} is part of ${nameOf(owner.whole)} @${within.offset}`];
  });
  const constants = placed.map(({ bytes, dtype }) => `${bytes} ${dtype}`).join(', ') || 'none';
  return [
    ...lowered.kernels.map((kernel) => kernelText(kernel, nameOf)),
    ...parts,
    `result ${valueText(lowered.result, nameOf)}; arena ${plan.bytes} of ${plan.lowerBound}; constants ${constants}${threads > 1 ? `; ${threads} threads` : ''}`,
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
    const args = [load(blankTensor(name === 'select' ? 'bool' : dtype, [1]))];
    while (args.length < arity) args.push(load(blankTensor(dtype, [1])));
    const element = apply(step, truth === 'always' ? 'bool' : dtype, args, dtype);
    const fold = { start: 0, step };
    const folds = arity === 2 && isSingleFold(fold, dtype) ? ' folds' : '';
    const isVectors = arity === 2 && dtype === 'float32' && isVectorFold(fold);
    const vectorFolds = isVectors ? ` vector folds${isExactFold(fold) ? ' exactly' : ''}` : '';
    if (!isVectorElement(element)) return isSingleElement(element) ? `single${folds}` : '-';
    const exactly = isExactElement(element) ? ' exactly' : '';
    return `vectors${exactly}${isSingleElement(element) ? ', single' : ''}${folds}${vectorFolds}`;
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
    const args = [load(blankTensor('int64', [1])), load(blankTensor('int64', [1]))];
    const result = expr._tag === 'Operation' && expr.name === 'less' ? 'bool' : 'int64';
    expect(isSingleElement(apply(expr, result, args, 'int64'))).toBe(hasCode);
  });
});

describe('a node that may belong to a stretch', () => {
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
