/** Reducer steps that shrink dimensions. */
import { postOrder } from '@baton/base';
import {
  type AttrValue,
  type IRModule,
  mappedTypes,
  postOrderExprs,
  type Shape,
  type Type,
  typeChildren,
} from '@baton/ir';
import { dense, sliceView, type Tensor } from '@baton/tensor';
import { retype } from '../retype.ts';
import type { Candidates } from './candidate.ts';

/** Shrinks a size in parameters, constants, and perhaps attributes. */
export function* dimensionCandidates(m: IRModule, _entry: string): Candidates {
  for (const size of sizesIn(m)) {
    for (const smaller of smallerThan(size)) {
      yield resized(m, size, smaller, true);
      yield resized(m, size, smaller, false);
    }
  }
}

const smallerThan = (size: number): ReadonlyArray<number> =>
  [1, 2, size >> 1, size - 1].filter((n, i, all) => n > 0 && n < size && all.indexOf(n) === i);

function sizesIn(m: IRModule): ReadonlyArray<number> {
  const sizes = new Set<number>();
  const add = (shape: ReadonlyArray<unknown>): void => {
    for (const dim of shape) if (typeof dim === 'number' && dim > 1) sizes.add(dim);
  };
  const addType = (type: Type): void => {
    for (const part of postOrder(typeChildren, [type])) {
      if (part._tag === 'TensorType' && !('_tag' in part.shape)) add(part.shape);
    }
  };
  for (const node of postOrderExprs([...m.functions.values()])) {
    if (node._tag === 'Constant') add(node.data.shape);
    if (node._tag !== 'Function') continue;
    for (const p of node.params) if (p.typeAnnotation !== undefined) addType(p.typeAnnotation);
  }
  return [...sizes].sort((a, b) => b - a);
}

function resized(m: IRModule, from: number, to: number, attributesToo: boolean): IRModule {
  const dim = <D>(d: D): D | number => (d === from ? to : d);
  const shapeOf = (shape: Shape): Shape =>
    '_tag' in shape || !shape.includes(from) ? shape : shape.map(dim);
  const types = mappedTypes({ shape: shapeOf });
  const attr = (value: AttrValue): AttrValue => {
    if (typeof value === 'number') return dim(value);
    if (!Array.isArray(value) || !value.includes(from)) return value;
    return value.map((item) => (typeof item === 'number' ? dim(item) : item));
  };
  return retype(m, {
    types,
    tensor: (t) => cut(t, from, to),
    attr: attributesToo ? attr : (value) => value,
    forgetDerived: true,
  });
}

/** The first `to` elements of each axis of length `from`. */
function cut(t: Tensor, from: number, to: number): Tensor {
  if (!t.shape.includes(from)) return t;
  const starts = t.shape.map(() => 0);
  const sizes = t.shape.map((d) => (d === from ? to : d));
  return dense(
    sliceView(
      t,
      starts,
      sizes,
      t.shape.map(() => 1),
    ),
  );
}
