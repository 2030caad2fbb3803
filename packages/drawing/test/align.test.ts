/** The alignment of two graphs, and their drawings with common positions. */
import { type IRModule, inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { alignRows } from '../src/align.ts';
import { alignedDrawings } from '../src/aligned.ts';
import { graphOf } from '../src/graph.ts';
import { makeTextTable } from '../src/text-table.ts';

function moduleOf(body: string, params = '%x: Tensor[(2, 3), float32]'): IRModule {
  const text = `#[version = "0.0.5"]\ndef @main(${params}) {\n${body}\n}`;
  const parsed = parseModule(text, { ops: standardOps, source: 'text' });
  const typed = parsed._tag === 'Right' ? inferTypes(parsed.right) : parsed;
  if (typed._tag === 'Left') throw new Error(typed.left.map(({ message }) => message).join());
  return typed.right;
}

/** Two programs by the names of the aligned operators, and both drawings. */
function aligned(a: IRModule, b: IRModule, hasSharedOrigins = false) {
  const texts = makeTextTable();
  const [first, second] = [graphOf(a, texts), graphOf(b, texts)];
  const twins = alignRows(first, second, { hasSharedOrigins });
  const all = texts.all();
  const names = twins.map(([from, to]) => {
    const [old, next] = [first.cards[from.card]?.[from.row], second.cards[to.card]?.[to.row]];
    return `${all[old?.op ?? 0]} ${all[next?.op ?? 0]}`;
  });
  return { names, twins, drawings: alignedDrawings(first, second, twins, all) };
}

describe('an alignment', () => {
  it.each([
    [
      'of a program with itself has all',
      'nn.relu(exp(%x))',
      'nn.relu(exp(%x))',
      ['exp exp', 'nn.relu nn.relu'],
    ],
    [
      'leads through an exchanged operator',
      'nn.relu(exp(%x))',
      'nn.relu(tanh(%x))',
      ['exp tanh', 'nn.relu nn.relu'],
    ],
    [
      'passes over an operator that came',
      'nn.relu(exp(%x))',
      'nn.relu(negative(exp(%x)))',
      ['exp exp', 'nn.relu nn.relu'],
    ],
    [
      'passes over an operator that went',
      'nn.relu(negative(exp(%x)))',
      'nn.relu(exp(%x))',
      ['exp exp', 'nn.relu nn.relu'],
    ],
    ['takes the last operator by the output', 'exp(%x)', 'tanh(%x)', ['exp tanh']],
    [
      'tells branches apart by what they read',
      'add(exp(%x), tanh(%x))',
      'subtract(exp(%x), tanh(%x))',
      ['exp exp', 'tanh tanh', 'add subtract'],
    ],
    ['leaves out results of another shape', 'sum(%x)', 'nn.relu(%x)', []],
  ])('%s', (_, a, b, expected) => {
    const { names } = aligned(moduleOf(a), moduleOf(b));
    expect(names.filter((name) => !/[%]|output/.test(name))).toEqual(expected);
  });

  it('takes inputs by name, and the rest by position', () => {
    const a = moduleOf('add(%x, %y)', '%x: Tensor[(2), float32], %y: Tensor[(2), float32]');
    const b = moduleOf('add(%x, %z)', '%z: Tensor[(2), float32], %x: Tensor[(2), float32]');
    expect(aligned(a, b).names.slice(0, 2)).toEqual(['%x %x', '%y %z']);
  });

  it('follows origins only where they are shared: two texts have equal lines by chance', () => {
    const [a, b] = [moduleOf('exp(%x)'), moduleOf('exp(negative(exp(%x)))')];
    expect(aligned(a, b).names).toContain('exp exp');
    // One pair in both cases; with origins it is the outer operator, which begins at the same
    // column.
    const at = (hasSharedOrigins: boolean) => aligned(a, b, hasSharedOrigins).twins[1]?.[1];
    expect(at(true)).not.toEqual(at(false));
  });
});

describe('aligned drawings', () => {
  const [a, b] = [
    moduleOf('add(nn.relu(exp(%x)), tanh(%x))'),
    moduleOf('add(nn.relu(negative(exp(%x))), tanh(%x))'),
  ];

  it('have twins at the same places, and one size', () => {
    const { twins, drawings } = aligned(a, b);
    expect([drawings.a.width, drawings.a.height]).toEqual([drawings.b.width, drawings.b.height]);
    for (const [from, to] of twins) {
      const [old, next] = [drawings.a.cards[from.card], drawings.b.cards[to.card]];
      expect([old?.x, old?.y]).toEqual([next?.x, next?.y]);
    }
    expect([drawings.a.calls, drawings.b.calls]).toEqual([4, 5]);
  });

  it('have the links of their own program, downwards', () => {
    const { drawings } = aligned(a, b);
    for (const { cards, edges } of [drawings.a, drawings.b]) {
      for (const { from, to } of edges) {
        expect(cards[from]?.y).toBeLessThan(cards[to]?.y ?? 0);
      }
    }
    expect(drawings.b.edges.length).toBe(drawings.a.edges.length + 1);
  });

  it('draw counterparts in opposite orders without a cycle', () => {
    const [one, other] = [moduleOf('exp(tanh(%x))'), moduleOf('tanh(exp(%x))')];
    const texts = makeTextTable();
    const [first, second] = [graphOf(one, texts), graphOf(other, texts)];
    const cards = (graph: typeof first) =>
      new Map(graph.cards.map((rows, i) => [texts.all()[rows[0]?.op ?? 0], i]));
    const [from, to] = [cards(first), cards(second)];
    const crossed = ['exp', 'tanh'].map(
      (op) =>
        [
          { card: from.get(op) ?? 0, row: 0 },
          { card: to.get(op) ?? 0, row: 0 },
        ] as const,
    );
    const drawn = alignedDrawings(first, second, crossed, texts.all());
    for (const { cards: all, edges } of [drawn.a, drawn.b]) {
      for (const edge of edges) expect(all[edge.from]?.y).toBeLessThan(all[edge.to]?.y ?? 0);
    }
  });
});
