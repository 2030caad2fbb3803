/** Graphs as SVG. */
import { expect, it } from 'vitest';
import { svgOf } from '../src/page/graph-svg.ts';

const NAME = '</text><script>x</script>&\u0001\u001b[31m"\u202e';

it('has names from files as text: they end no tag and no attribute, and hold no controls', () => {
  const row = { kind: 0, call: true, places: [1], op: 1, note: 1, type: 1, inputs: 0, attrs: 0 };
  const card = { x: 60, y: 40, w: 120, h: 34, rows: [row] };
  const svg = svgOf(
    { drawing: { calls: 1, width: 120, height: 80, cards: [card], edges: [] }, texts: ['', NAME] },
    { colours: new Map([['0:0', 'bad']]), heat: new Map([['0:0', 0.5]]) },
    new Map(),
  );
  expect(svg).not.toContain('<script');
  expect(svg.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  expect(svg.match(/<text /g)).toHaveLength(2);
  expect(svg.match(/<\/text>/g)).toHaveLength(2);
  expect(svg).toContain('stroke-width="2"');
});
