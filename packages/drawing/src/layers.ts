/**
 * The layers of a drawing: the row of each card, and the order of the cards in a row. An edge has a
 * waypoint in each row that it crosses; the edges of one card share their waypoints.
 *
 * **Source** Sugiyama, Tagawa, Toda, Methods for visual understanding of hierarchical system
 * structures, 1981: layers by longest path, order by barycentres.
 */

/** The number of a card or a waypoint: cards are first, in the given order. */
export type Item = number;

export interface Layers {
  /** Items from left to right, from the top layer to the lowest. */
  readonly order: ReadonlyArray<ReadonlyArray<Item>>;
  readonly layerOf: ReadonlyArray<number>;
  /** The neighbours of each item, one layer above and one below. */
  readonly above: ReadonlyArray<ReadonlyArray<Item>>;
  readonly below: ReadonlyArray<ReadonlyArray<Item>>;
  /** The waypoints of each link. */
  readonly ways: ReadonlyArray<ReadonlyArray<Item>>;
}

/** The most waypoints: beyond this, edges are drawn straight. */
const MAX_WAYPOINTS = 40_000;

const SWEEPS = 12;

/**
 * The layers of `count` cards. Links go from a card to one with a higher number.
 *
 * **Complexity** near-linear in cards, links and waypoints.
 */
export function layersOf(count: number, links: ReadonlyArray<readonly [number, number]>): Layers {
  const layerOf = longestPaths(count, links);
  const above: Item[][] = Array.from({ length: count }, () => []);
  const below: Item[][] = Array.from({ length: count }, () => []);
  const join = (from: Item, to: Item): void => {
    below[from]?.push(to);
    above[to]?.push(from);
  };
  // The waypoints of each card's edges, from the next layer down.
  const lanes = new Map<number, Item[]>();
  const ways = links.map(([from, to]) => {
    const lane = lanes.get(from) ?? [];
    lanes.set(from, lane);
    const length = (layerOf[to] ?? 0) - (layerOf[from] ?? 0) - 1;
    if (layerOf.length + length - lane.length > count + MAX_WAYPOINTS) return [];
    while (lane.length < length) {
      const next = layerOf.length;
      layerOf.push((layerOf[from] ?? 0) + lane.length + 1);
      above.push([]);
      below.push([]);
      join(lane[lane.length - 1] ?? from, next);
      lane.push(next);
    }
    const way = lane.slice(0, length);
    join(way[way.length - 1] ?? from, to);
    return way;
  });
  const order = ordered(layerOf, above, below);
  return { order, layerOf, above, below, ways };
}

/**
 * Places each card below all of its sources. A card fed only by loose ends, such as a constant's
 * reshape, is placed just above the first card that it feeds.
 */
function longestPaths(count: number, links: ReadonlyArray<readonly [number, number]>): number[] {
  const layerOf: number[] = new Array(count).fill(0);
  const isLoose: boolean[] = new Array(count).fill(true);
  const incoming: number[][] = Array.from({ length: count }, () => []);
  const outgoing: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of links) {
    incoming[to]?.push(from);
    outgoing[from]?.push(to);
  }
  for (let card = 0; card < count; card++) {
    const feeds = incoming[card] ?? [];
    for (const from of feeds)
      layerOf[card] = Math.max(layerOf[card] ?? 0, (layerOf[from] ?? 0) + 1);
    // A card with several loose sources begins the graph.
    isLoose[card] = feeds.length <= 1 && feeds.every((from) => isLoose[from] === true);
  }
  for (let card = count - 1; card >= 0; card--) {
    const fed = outgoing[card] ?? [];
    if (isLoose[card] !== true || fed.length === 0) continue;
    layerOf[card] = Math.min(...fed.map((to) => layerOf[to] ?? 0)) - 1;
  }
  return layerOf;
}

/** Sorts layers by the mean position of neighbours, so that connected items are close. */
function ordered(
  layerOf: ReadonlyArray<number>,
  above: ReadonlyArray<ReadonlyArray<Item>>,
  below: ReadonlyArray<ReadonlyArray<Item>>,
): Item[][] {
  const depth = layerOf.reduce((most, layer) => Math.max(most, layer + 1), 0);
  const layers: Item[][] = Array.from({ length: depth }, () => []);
  layerOf.forEach((layer, item) => {
    layers[layer]?.push(item);
  });
  const place: number[] = new Array(layerOf.length).fill(0);
  const note = (layer: ReadonlyArray<Item>): void => {
    layer.forEach((item, at) => {
      // Positions relative to the middle make layers of different sizes comparable.
      place[item] = at - (layer.length - 1) / 2;
    });
  };
  for (const layer of layers) note(layer);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    const neighbours = isDown ? above : below;
    const mean = new Map<Item, number>();
    for (const layer of isDown ? layers : [...layers].reverse()) {
      for (const item of layer) {
        const around = neighbours[item] ?? [];
        const sum = around.reduce((total, other) => total + (place[other] ?? 0), 0);
        mean.set(item, around.length === 0 ? (place[item] ?? 0) : sum / around.length);
      }
      layer.sort((a, b) => (mean.get(a) ?? 0) - (mean.get(b) ?? 0));
      note(layer);
    }
  }
  return layers;
}
