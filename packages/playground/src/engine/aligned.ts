/** Two programs drawn with common positions, and their differences. */
import {
  alignedDrawings,
  alignRows,
  graphOf,
  makeTextTable,
  type RowAt,
  type Twins,
} from '@baton/drawing';
import type { Expr, IRModule } from '@baton/ir';
import type { Aligned } from '../protocol.ts';
import { MAX_CARDS } from './programs.ts';

export interface AlignedNodes {
  readonly graphs: Aligned;
  readonly nodesA: ReadonlyArray<ReadonlyArray<Expr>>;
  readonly nodesB: ReadonlyArray<ReadonlyArray<Expr>>;
}

/** Aligns and draws two programs. `hasSharedOrigins` says that one was made from the other. */
export function aligned(a: IRModule, b: IRModule, hasSharedOrigins: boolean): AlignedNodes {
  const table = makeTextTable();
  const [first, second] = [graphOf(a, table), graphOf(b, table)];
  const twins = alignRows(first, second, { hasSharedOrigins });
  const texts = table.all();
  const drawings = alignedDrawings(first, second, twins, texts, { most: MAX_CARDS });
  const rowOf = (graph: typeof first, { card, row }: RowAt) => graph.cards[card]?.[row];
  const isChanged = ([from, to]: Twins[number]): boolean => {
    const [old, next] = [rowOf(first, from), rowOf(second, to)];
    return old?.op !== next?.op || old?.attrs !== next?.attrs || old?.type !== next?.type;
  };
  return {
    graphs: {
      a: { drawing: drawings.a, texts },
      b: { drawing: drawings.b, texts },
      twins,
      gone: callsWithout(first.cards, new Set(twins.map(([from]) => keyOf(from)))),
      come: callsWithout(second.cards, new Set(twins.map(([, to]) => keyOf(to)))),
      changed: twins.filter(isChanged),
    },
    nodesA: first.nodes,
    nodesB: second.nodes,
  };
}

const keyOf = ({ card, row }: RowAt): string => `${card}:${row}`;

const callsWithout = (
  cards: ReadonlyArray<ReadonlyArray<{ readonly call: boolean }>>,
  known: ReadonlySet<string>,
): ReadonlyArray<RowAt> =>
  cards.flatMap((rows, card) =>
    rows.flatMap(({ call }, row) =>
      call && !known.has(keyOf({ card, row })) ? [{ card, row }] : [],
    ),
  );
