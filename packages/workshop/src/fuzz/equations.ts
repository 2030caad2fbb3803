/** Random equations of `einsum`: the random calls of an operator repeat its examples. */
import { InvariantError, mulberry32, orThrow } from '@baton/base';
import { call, func, irModule, opRef, tensorType, tuple, variable } from '@baton/ir';
import type { Generator } from '@baton/testing';
import { standardOps } from 'batonjs';

/** The sizes of the labels; an axis of an ellipsis may have size 1 instead. */
const SIZES = [2, 3, 4];
const LABELS = 'ijkl';

/** Sums of products of one to three tensors, whose ellipses may have different ranks. */
export const EQUATIONS: Generator = {
  name: 'equations',
  program: (seed) => {
    const draw = drawing(seed);
    const sizes = new Map([...LABELS].map((label) => [label, draw.pick(SIZES)]));
    const batch = Array.from({ length: 3 }, () => draw.pick(SIZES));
    const operands = Array.from({ length: draw.int(1, 3) }, () => {
      const own = [...LABELS].filter(() => draw.chance(0.5));
      const labels = draw.chance(0.5) ? own : own.toReversed();
      const hasEllipsis = draw.chance(0.7);
      const rank = hasEllipsis ? draw.int(0, 3) : 0;
      const lead = batch.slice(batch.length - rank).map((size) => (draw.chance(0.3) ? 1 : size));
      const shape = [...lead, ...labels.map((label) => sizes.get(label) ?? 1)];
      return { text: `${hasEllipsis ? '...' : ''}${labels.join('')}`, labels, shape };
    });
    const hasEllipsis = operands.some(({ text }) => text.startsWith('.'));
    const all = [...new Set(operands.flatMap(({ labels }) => labels))];
    const kept = all.filter(() => draw.chance(0.6)).join('');
    const equation = `${operands.map(({ text }) => text).join(',')}->${hasEllipsis ? '...' : ''}${kept}`;
    const params = operands.map(({ shape }, i) => variable(`x${i}`, tensorType(shape, 'float32')));
    const attrs = orThrow(standardOps.get('einsum')?.attrs.decode({ equation }) ?? noEinsum());
    const body = call(opRef('einsum'), [tuple(params)], { attrs });
    const functions = new Map([['main', func(params, body)]]);
    const module = irModule({ ops: standardOps, functions });
    return { module, stated: module };
  },
};

const noEinsum = (): never => {
  throw new InvariantError('there is einsum');
};

function drawing(seed: number): {
  readonly int: (low: number, high: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: (list: ReadonlyArray<number>) => number;
} {
  const random = mulberry32(seed);
  const int = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  return {
    int,
    chance: (probability) => random() < probability,
    pick: (list) => list[int(0, list.length - 1)] ?? 1,
  };
}
