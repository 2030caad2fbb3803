/** The counters of FuseOps. */
import {
  BROADCAST,
  COMM_REDUCE,
  ELEMWISE,
  INJECTIVE,
  OUT_ELEMWISE_FUSABLE,
  type PatternRank,
  TUPLE,
} from './pattern.ts';

/** The fused patterns; then the reasons against fusion; then the results of groups. */
export const COUNTERS = [
  'out-fusable into elemwise',
  'out-fusable into broadcast',
  'out-fusable into injective',
  'out-fusable into tuple',
  'elemwise into elemwise',
  'elemwise into broadcast',
  'elemwise into injective',
  'elemwise into reduction',
  'elemwise into out-fusable',
  'injective into elemwise',
  'injective into broadcast',
  'injective into injective',
  'injective into tuple',
  'elemwise into tuple',
  'tuple into injective',
  'kept: too deep',
  'kept: harder path',
  'kept: tuple of results',
  'kernel',
  'kernel of reshapes',
  'constant argument',
  'stop_fusion',
  'kept: stateful operator',
] as const;

export type Counter = (typeof COUNTERS)[number];

/** The counter for fusing one pattern into another; no counter if that is impossible. */
export function fusionCounter(source: PatternRank, sink: PatternRank): Counter | undefined {
  // One rule holds for all elementwise computations.
  const from = NAMES.get(source === BROADCAST ? ELEMWISE : source);
  const into = NAMES.get(sink);
  return FUSIONS.get(`${from} into ${into}`);
}

const NAMES: ReadonlyMap<PatternRank, string> = new Map([
  [ELEMWISE, 'elemwise'],
  [BROADCAST, 'broadcast'],
  [INJECTIVE, 'injective'],
  [COMM_REDUCE, 'reduction'],
  [OUT_ELEMWISE_FUSABLE, 'out-fusable'],
  [TUPLE, 'tuple'],
]);

const FUSIONS: ReadonlyMap<string, Counter> = new Map(
  COUNTERS.map((counter) => [counter, counter]),
);
