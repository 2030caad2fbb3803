import { graphOf, makeTextTable } from '@baton/drawing';
import { inferTypes, optimize, orThrow, parseModule, passes, runPass } from 'batonjs';
import { describe, expect, it } from 'vitest';

/** The boxes of a program, rows joined by `+`, and its edges between them by position. */
function drawn(text: string, fuse = false): { boxes: string[]; edges: string[] } {
  const m = orThrow(inferTypes(orThrow(parseModule(`#[version = "0.0.5"]\n${text}`))));
  const module = fuse
    ? orThrow(
        runPass(passes.fuseOps, { level: 3 })(orThrow(runPass(optimize({ level: 3 }))(m)).module),
      ).module
    : m;
  const texts = makeTextTable();
  const { cards, links } = graphOf(module, texts);
  const all = texts.all();
  const boxes = cards.map((rows) => rows.map((row) => all[row.op]).join('+'));
  return { boxes, edges: links.map(([from, to]) => `${from}-${to}`) };
}

const VECTOR = 'Tensor[(3), float32]';

describe('the graph of a program', () => {
  it.each([
    [
      'has an edge for each use of a shared call',
      `def @main(%x: ${VECTOR}) { %0 = exp(%x); add(%0, tanh(%0)) }`,
      ['%x', 'exp', 'tanh', 'add', 'output'],
      ['0-1', '1-2', '1-3', '2-3', '3-4'],
    ],
    [
      'leads through lets, tuples and projections',
      `def @main(%x: ${VECTOR}) {
        let %a = exp(%x);
        let %t = (%a, tanh(%x));
        add(%t.1, (%x, %a).1)
      }`,
      ['%x', 'exp', 'tanh', 'add', 'output'],
      // A let-bound tuple stands for all of its fields; an inline one, for the projected field.
      ['0-1', '0-2', '1-3', '2-3', '3-4'],
    ],
    [
      'has a box for a choice, and edges from its condition and its branches',
      `def @main(%c: Tensor[(), bool], %x: ${VECTOR}) { if (%c) { exp(%x) } else { %x } }`,
      ['%c', '%x', 'exp', 'if', 'output'],
      ['1-2', '0-3', '2-3', '1-3', '3-4'],
    ],
    [
      'has one box for a call of a function, whatever is inside',
      `def @f(%y: ${VECTOR}) -> ${VECTOR} { exp(tanh(%y)) }
       def @main(%x: ${VECTOR}) -> ${VECTOR} { @f(%x) }`,
      ['%x', '@f', 'output'],
      ['0-1', '1-2'],
    ],
    ['is empty without main', `def @f(%y: ${VECTOR}) { %y }`, [], []],
  ])('%s', (_title, text, boxes, edges) => {
    const found = drawn(text);
    expect(found.boxes).toEqual(boxes);
    expect([...found.edges].sort()).toEqual([...edges].sort());
  });

  it('has one box for a kernel, a row for each of its calls', () => {
    const text = `def @main(%x: Tensor[(4, 4), float32], %w: Tensor[(4, 4), float32]) {
      nn.relu(tanh(nn.dense(%x, %w)))
    }`;
    expect(drawn(text, true).boxes).toEqual(['%x', '%w', 'nn.dense+tanh+nn.relu', 'output']);
  });

  it('is found however deep the program', () => {
    const count = 20_000;
    const lines = Array.from(
      { length: count },
      (_, i) => `let %v${i} = exp(${i === 0 ? '%x' : `%v${i - 1}`});`,
    );
    const { boxes } = drawn(`def @main(%x: ${VECTOR}) { ${lines.join('\n')} %v${count - 1} }`);
    expect(boxes.length).toBe(count + 2);
  });
});
