/** Two graphs drawn with common positions: they move together, and twins are selected together. */
import type { RowAt, Twins } from '@baton/drawing';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Aligned } from '../protocol.ts';
import { Graph } from './graph.tsx';
import { makeSharedView } from './graph-canvas.ts';
import { keyOf } from './graph-model.ts';

export interface PairProps {
  readonly graphs: Aligned;
  readonly titles: readonly [string, string];
  /** The error of each row relative to the largest, from 0 to 1. */
  readonly heat?: readonly [ReadonlyMap<string, number>, ReadonlyMap<string, number>];
  /** A row of the second graph to show. */
  readonly wanted?: RowAt | undefined;
}

export function Pair({ graphs, titles, heat, wanted }: PairProps) {
  const { a, b, twins, gone, come, changed } = graphs;
  const view = useMemo(makeSharedView, [graphs]);
  const [chosen, setChosen] = useState<readonly [RowAt | undefined, RowAt | undefined]>([
    undefined,
    undefined,
  ]);
  const [toSecond, toFirst] = useMemo(() => [twinsOf(twins, 0), twinsOf(twins, 1)], [twins]);
  const choose = (side: 0 | 1, row: RowAt | undefined): void => {
    const twin = row && (side === 0 ? toSecond : toFirst).get(keyOf(row));
    setChosen(side === 0 ? [row, twin] : [twin, row]);
  };
  useEffect(() => choose(1, wanted), [wanted, graphs]);
  const colours = (side: 0 | 1, own: ReadonlyArray<RowAt>, colour: string) =>
    new Map([
      ...changed.map((pair) => [keyOf(pair[side]), 'pool'] as const),
      ...own.map((row) => [keyOf(row), colour] as const),
    ]);
  const marks = useMemo(
    () => [colours(0, gone, 'bad'), colours(1, come, 'good')] as const,
    [graphs],
  );
  return (
    <>
      <p class="legend" data-differences={`${gone.length} ${come.length} ${changed.length}`}>
        <span class="bad">{gone.length} only in the first</span>,{' '}
        <span class="good">{come.length} only in the second</span>,{' '}
        <span class="pool">{changed.length} changed</span>. Both graphs move together.
      </p>
      <div class="pair">
        <Graph
          title={titles[0]}
          picture={a}
          marks={{ colours: marks[0], ...(heat === undefined ? {} : { heat: heat[0] }) }}
          selected={chosen[0]}
          onSelect={(row) => choose(0, row)}
          view={view}
        />
        <Graph
          title={titles[1]}
          picture={b}
          marks={{ colours: marks[1], ...(heat === undefined ? {} : { heat: heat[1] }) }}
          selected={chosen[1]}
          onSelect={(row) => choose(1, row)}
          centre={wanted}
          view={view}
        />
      </div>
    </>
  );
}

/** The counterpart of each row of one side. */
const twinsOf = (twins: Twins, side: 0 | 1): ReadonlyMap<string, RowAt> =>
  new Map(twins.map((pair) => [keyOf(pair[side]), pair[side === 0 ? 1 : 0]] as const));
