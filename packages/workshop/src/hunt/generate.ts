/** A random model in the manner of exporters. */
import type { DType } from '@baton/tensor';
import { type Builder, type Dim, known, makeBuilder, type Val } from './builder.ts';
import { tamed } from './calls.ts';
import { type Draw, makeDraw } from './draw.ts';
import { attentionFragments } from './fragments/attention.ts';
import { convolutionFragments } from './fragments/convolutions.ts';
import { cornerFragments } from './fragments/corners.ts';
import { elementwiseFragments } from './fragments/elementwise.ts';
import type { Fragment } from './fragments/fragment.ts';
import { maskFragments } from './fragments/masks.ts';
import { normFragments } from './fragments/norms.ts';
import { quantizedFragments } from './fragments/quantized.ts';
import { recurrentFragments } from './fragments/recurrent.ts';
import { shapeFragments } from './fragments/shapes.ts';
import type { Case } from './model.ts';

const GROUPS: readonly [ReadonlyArray<Fragment>, ...ReadonlyArray<Fragment>[]] = [
  attentionFragments,
  convolutionFragments,
  cornerFragments,
  elementwiseFragments,
  maskFragments,
  normFragments,
  quantizedFragments,
  recurrentFragments,
  shapeFragments,
];

/** The fragments of a graph's own style are drawn this many times as often. */
const STYLE = 5;

/** The operator sets of models that users have, the usual ones more often. */
const OPSETS = [9, 11, 12, 13, 13, 14, 15, 17, 17, 18, 19, 20, 21, 10, 22] as const;

const FRAGMENTS_A_GRAPH = { least: 3, most: 12 } as const;

/** Nodes read no value with more elements than this. */
const MAX_ELEMENTS = 6000;

export function generate(seed: number, index: number): Case {
  const draw = makeDraw(seed, index);
  const b = makeBuilder(draw, draw.pick(OPSETS));
  const pool: Val[] = [...startsOf(b)];
  const read = new Set<string>();
  const drawFragment = drawFragments(draw);
  const wanted = draw.int(FRAGMENTS_A_GRAPH.least, FRAGMENTS_A_GRAPH.most);
  for (let done = 0, tries = 0; done < wanted && tries < 200; tries++) {
    const x = recent(draw, pool);
    if (x === undefined || !isSmall(x)) continue;
    const results = drawFragment().apply(b, x).filter(isSmall);
    if (results.length === 0) continue;
    read.add(x.name);
    pool.push(...results.map((value) => tamed(b, value)));
    done++;
  }
  return b.finish(outputsOf(draw, pool, read));
}

/** The last values are read more often: graphs are deep rather than wide. */
const recent = (draw: Draw, pool: ReadonlyArray<Val>): Val | undefined =>
  draw.chance(0.7) ? pool.at(-1) : pool[draw.int(0, pool.length - 1)];

const isSmall = ({ dims }: Val): boolean =>
  [0, 1].every((run) => {
    const count = dims.reduce((product, { sizes }) => product * (sizes[run] ?? 1), 1);
    return count <= MAX_ELEMENTS && (count > 0 || dims.some(({ isOpen }) => isOpen));
  });

/** The fragments of a graph by share: those of two groups, its style, are drawn more often. */
function drawFragments(draw: Draw): () => Fragment {
  const style = [draw.pick(GROUPS), draw.pick(GROUPS)];
  const shares = GROUPS.flatMap((group) =>
    group.map((one) => [one, one.share * (style.includes(group) ? STYLE : 1)] as const),
  );
  const sum = shares.reduce((total, [, share]) => total + share, 0);
  const [last] = shares.at(-1) ?? [];
  return () => {
    let at = draw.next() * sum;
    for (const [one, share] of shares) {
      at -= share;
      if (at < 0) return one;
    }
    return last as Fragment;
  };
}

function outputsOf(draw: Draw, pool: ReadonlyArray<Val>, read: ReadonlySet<string>) {
  const loose = pool.filter(
    (value) => value === pool.at(-1) || (!read.has(value.name) && draw.chance(0.8)),
  );
  const inside = pool.filter((value) => read.has(value.name) && draw.chance(0.08));
  return [...new Set([...loose, ...inside])];
}

type Start = (
  b: Builder,
  size: (usual: number, name: string) => Dim,
  dtype: DType,
) => ReadonlyArray<Val>;

const image = (b: Builder, size: (usual: number, name: string) => Dim): Val =>
  b.input('float32', [
    size(b.draw.int(1, 2), 'batch'),
    known(b.draw.pick([1, 3, 4, 8])),
    size(b.draw.int(3, 12), 'height'),
    size(b.draw.int(3, 12), 'width'),
  ]);

const STARTS: readonly [Start, ...Start[]] = [
  // Tokens with their features.
  (b, size, dtype) => [
    b.input(dtype, [
      size(b.draw.int(1, 2), 'batch'),
      size(b.draw.int(2, 7), 'seq'),
      known(b.draw.pick([4, 8, 12, 16, 33])),
    ]),
  ],
  // Ids.
  (b, size) => [
    b.input('int64', [size(b.draw.int(1, 2), 'batch'), size(b.draw.int(2, 9), 'seq')], {
      low: 0,
      high: 20,
    }),
  ],
  // An image, twice as often.
  (b, size) => [image(b, size)],
  (b, size) => [image(b, size)],
  // An image of bytes.
  (b, size) => [
    b.input('uint8', [
      size(1, 'batch'),
      known(3),
      known(b.draw.int(3, 8)),
      known(b.draw.int(3, 8)),
    ]),
  ],
  // Rows of features.
  (b, size, dtype) => [
    b.input(dtype, [size(b.draw.int(1, 40), 'batch'), known(b.draw.int(2, 20))]),
  ],
  // Two inputs of one type.
  (b, size, dtype) => {
    const dims = [size(b.draw.int(1, 3), 'batch'), known(b.draw.pick([4, 6, 16]))];
    const other = b.draw.chance(0.3) ? dims.map((dim) => b.aliasOf(dim)) : dims;
    return [b.input(dtype, dims), b.input(dtype, other)];
  },
  // Something of rank 5, or one long row.
  (b, size, dtype) =>
    b.draw.chance(0.5)
      ? [b.input(dtype, [known(1), known(2), size(3, 'depth'), known(3), known(4)])]
      : [b.input(dtype, [size(b.draw.int(60, 300), 'length')])],
];

/** The inputs that a graph begins with; some graphs have open sizes. */
function startsOf(b: Builder): ReadonlyArray<Val> {
  const { draw } = b;
  const openness = draw.pick([0, 0, 0.5, 1]);
  const dtype = draw.chance(0.12) ? 'float16' : draw.chance(0.02) ? 'float64' : 'float32';
  const size = (usual: number, name: string): Dim => {
    if (!draw.chance(openness)) return known(usual);
    const isNamed = draw.chance(0.85);
    return {
      sizes: [usual, usual + draw.int(1, 3)],
      isOpen: true,
      name: isNamed ? name : undefined,
    };
  };
  return draw.pick(STARTS)(b, size, dtype);
}
