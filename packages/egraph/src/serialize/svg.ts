import { postOrder } from '@baton/base';
import { type GraphSource, type ListedNode, listClasses, readable } from '../extract/readable.ts';

const CHARACTER_WIDTH = 8;
const NODE_HEIGHT = 24;
const GAP = 12;
const BOX_HEIGHT: number = NODE_HEIGHT + 2 * GAP;
const LAYER_HEIGHT: number = BOX_HEIGHT + 56;

interface Box {
  readonly nodes: ReadonlyArray<ListedNode>;
  readonly width: number;
  layer: number;
  x: number;
}

/**
 * An e-graph as a drawing: classes as dashed boxes in layers, above the classes that they need as
 * far as cycles allow. An edge leaves a node at its foot, in the order of the arguments, which are
 * numbered where there are several, and its arrow ends on top of a class. One that does not lead to
 * the next layer goes around all boxes, on the right. For a few hundred nodes at most; larger graphs
 * are for Graphviz (`toDot`).
 */
export function toSvg(source: GraphSource): string {
  const boxes = new Map<number, Box>();
  for (const [eclass, nodes] of listClasses(readable(source))) {
    const width = nodes.reduce((sum, { label }) => sum + widthOf(label) + GAP, GAP);
    boxes.set(eclass, { nodes, width, layer: 0, x: 0 });
  }
  const ends = arrange(boxes);
  let right = Math.max(GAP, ...ends);
  const height = 3 * GAP + Math.max(1, ends.length) * LAYER_HEIGHT;
  const shapes: string[] = [];
  const edges: string[] = [];
  for (const box of boxes.values()) {
    const top = topOf(box);
    const bottom = top + BOX_HEIGHT;
    shapes.push(rectangle(box.x, top, box.width, BOX_HEIGHT, 'class'));
    let x = box.x + GAP;
    for (const { label, children } of box.nodes) {
      const nodeWidth = widthOf(label);
      shapes.push(
        rectangle(x, top + GAP, nodeWidth, NODE_HEIGHT, 'node'),
        text(x + nodeWidth / 2, top + GAP + 16, label),
      );
      const targets = children.flatMap((child) => boxes.get(child) ?? []);
      targets.forEach((target, i) => {
        const from = x + (nodeWidth * (i + 1)) / (targets.length + 1);
        const to = target.x + target.width / 2;
        const end = topOf(target);
        const isNext = target.layer === box.layer + 1;
        // Each way around has its own line in the gaps between layers, as far as there is room.
        const away = 6 + (edges.length % 6) * 4;
        if (!isNext) right += 8;
        const way = isNext
          ? `C${from} ${bottom + 30} ${to} ${end - 30} ${to} ${end}`
          : `v${away}H${right}V${end - away}H${to}V${end}`;
        edges.push(`<path d="M${from} ${bottom - GAP}V${bottom}${way}"/>`);
        if (targets.length > 1) shapes.push(text(from + 5, bottom - 1, `${i}`, ' class="i"'));
      });
      x += nodeWidth + GAP;
    }
  }
  const width = right + GAP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    '<style>text{font:13px monospace;text-anchor:middle}rect,g{fill:none;stroke:#777}',
    '.class{stroke-dasharray:3}.i{font-size:9px}</style><marker id="to" viewBox="0 0 6 6" refX="6"',
    'refY="3" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0 6 3 0 6z"/></marker>',
    ...shapes,
    '<g marker-end="url(#to)">',
    ...edges,
    '</g></svg>',
  ].join('\n');
}

const widthOf = (label: string): number => label.length * CHARACTER_WIDTH + 2 * CHARACTER_WIDTH;

const topOf = (box: Box): number => 3 * GAP + box.layer * LAYER_HEIGHT;

const rectangle = (x: number, y: number, width: number, height: number, kind: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" class="${kind}"/>`;

const text = (x: number, y: number, label: string, attributes = ''): string =>
  `<text x="${x}" y="${y}"${attributes}>${escapeXml(label)}</text>`;

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * Gives every box its place; an edge that would close a cycle does not push its end down. Where
 * each layer ends.
 */
function arrange(boxes: ReadonlyMap<number, Box>): ReadonlyArray<number> {
  const below = ({ nodes }: Box): ReadonlyArray<Box> =>
    nodes.flatMap(({ children }) => children.flatMap((child) => boxes.get(child) ?? []));
  const ends: number[] = [];
  const placed = new Set<Box>();
  // Each before what it needs, but for cycles.
  for (const box of postOrder(below, [...boxes.values()].reverse()).toReversed()) {
    placed.add(box);
    box.x = ends[box.layer] ?? GAP;
    ends[box.layer] = box.x + box.width + GAP;
    for (const target of below(box)) {
      if (!placed.has(target)) target.layer = Math.max(target.layer, box.layer + 1);
    }
  }
  return ends;
}
