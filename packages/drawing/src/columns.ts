/** Horizontal positions of the items of layers: near their neighbours. */
import type { Item, Layers } from './layers.ts';

const SWEEPS = 16;

/**
 * The strength with which two neighbours attract each other. Cards follow cards. Edges that pass
 * cards yield, or each branch would move the rest of the graph slightly to the side. Items at a
 * beginning, such as a constant's reshape, yield to all.
 */
const PULL = { beginning: 0.001, mixed: 0.002, cards: 1, waypoints: 0.05 } as const;

export interface Spacing {
  /** Items with numbers below this are cards. */
  readonly cards: number;
  readonly cardWidth: number;
  readonly waypointWidth: number;
  readonly gap: number;
}

/** The centre of each item. **Complexity** linear in items and joins. */
export function columnsOf(
  { order, layerOf, above, below }: Layers,
  spacing: Spacing,
): ReadonlyArray<number> {
  const x: number[] = new Array(layerOf.length).fill(0);
  const width = (item: Item): number =>
    item < spacing.cards ? spacing.cardWidth : spacing.waypointWidth;
  /** The strength with which `b` attracts `a`. */
  const pull = (a: Item, b: Item): number => {
    if (above[a]?.length === 0 || above[b]?.length === 0) return PULL.beginning;
    const waypoints = Number(a >= spacing.cards) + Number(b >= spacing.cards);
    return waypoints === 0 ? PULL.cards : waypoints === 1 ? PULL.mixed : PULL.waypoints;
  };
  /** Moves the items of a layer towards their neighbours on one side, or else on the other. */
  const settle = (layer: ReadonlyArray<Item>, near: Neighbours, far: Neighbours): void => {
    const wanted: number[] = [];
    const weights: number[] = [];
    for (const item of layer) {
      let [sum, weight] = [0, 0];
      const neighbours = near[item]?.length === 0 ? far[item] : near[item];
      for (const other of neighbours ?? []) {
        const force = pull(item, other);
        sum += force * (x[other] ?? 0);
        weight += force;
      }
      wanted.push(weight === 0 ? (x[item] ?? 0) : sum / weight);
      weights.push(weight === 0 ? WEAK : weight);
    }
    const distances = layer.map((item, at) =>
      at === 0 ? 0 : (width(item) + width(layer[at - 1] ?? item)) / 2 + spacing.gap,
    );
    nearest(wanted, weights, distances).forEach((place, at) => {
      x[layer[at] ?? 0] = place;
    });
  };
  for (const layer of order) settle(layer, above, below);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (sweep % 2 === 0) for (const layer of [...order].reverse()) settle(layer, below, above);
    else for (const layer of order) settle(layer, above, below);
  }
  return x;
}

type Neighbours = ReadonlyArray<ReadonlyArray<Item>>;

/** The weight of an item without neighbours. */
const WEAK = 0.001;

/**
 * The positions nearest to the wanted ones, by weighted squares, each at least its distance to the
 * right of the previous one: isotonic regression by pooling adjacent violators.
 */
export function nearest(
  wanted: ReadonlyArray<number>,
  weights: ReadonlyArray<number>,
  distances: ReadonlyArray<number>,
): ReadonlyArray<number> {
  const offsets: number[] = [];
  let offset = 0;
  for (const distance of distances) {
    offset += distance;
    offsets.push(offset);
  }
  // Pools of items that are as close as allowed.
  const pools: { mean: number; weight: number; count: number }[] = [];
  wanted.forEach((want, at) => {
    let pool = { mean: want - (offsets[at] ?? 0), weight: weights[at] ?? 1, count: 1 };
    for (
      let last = pools.at(-1);
      last !== undefined && last.mean > pool.mean;
      last = pools.at(-1)
    ) {
      const weight = last.weight + pool.weight;
      const mean = (last.mean * last.weight + pool.mean * pool.weight) / weight;
      pool = { mean, weight, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  });
  const means = pools.flatMap(({ mean, count }) => new Array<number>(count).fill(mean));
  return means.map((mean, at) => mean + (offsets[at] ?? 0));
}
