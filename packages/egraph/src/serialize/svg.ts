/** E-graphs as SVG drawings. */
import { markupText, postOrder } from '@baton/base';
import { type GraphSource, type ListedNode, listClasses, readable } from '../extract/readable.ts';

const CHARACTER_WIDTH = 8;
const NODE_HEIGHT = 24;
const GAP = 12;
const BOX_HEIGHT: number = NODE_HEIGHT + 2 * GAP;
const LAYER_HEIGHT: number = BOX_HEIGHT + 56;
const FIRST_LAYER: number = 3 * GAP;
/** The arrowhead at the lower end of a path. */
const ARROW = 'm-3-6 3 6 3-6';

interface Box {
  readonly nodes: ReadonlyArray<ListedNode>;
  readonly width: number;
  /** −1 until the box is placed. */
  x: number;
  y: number;
}

/**
 * An e-graph as a drawing: classes as dashed boxes in layers, above the classes that they need
 * unless cycles prevent it. Edges leave a node at its foot in the order of the arguments, numbered
 * if there are several, and arrive on top of a class. An edge that skips a layer goes around all
 * boxes, on the right. Use it for a few hundred nodes at most, and Graphviz (`toDot`) for larger
 * graphs.
 */
export function toSvg(source: GraphSource): string {
  const boxes = new Map<number, Box>();
  for (const [eclass, nodes] of listClasses(readable(source))) {
    const width = nodes.reduce((sum, { label }) => sum + widthOf(label) + GAP, GAP);
    boxes.set(eclass, { nodes, width, x: -1, y: FIRST_LAYER });
  }
  const targetsOf = ({ children }: ListedNode): ReadonlyArray<Box> =>
    children.flatMap((child) => boxes.get(child) ?? []);
  const below = ({ nodes }: Box): ReadonlyArray<Box> => nodes.flatMap(targetsOf);
  // The end of each layer.
  const ends = new Map([[FIRST_LAYER, GAP]]);
  // Each box comes before the boxes that it needs; an edge that closes a cycle pushes nothing down.
  for (const box of postOrder(below, [...boxes.values()].reverse()).toReversed()) {
    box.x = ends.get(box.y) ?? GAP;
    ends.set(box.y, box.x + box.width + GAP);
    for (const target of below(box)) {
      if (target.x < 0) target.y = Math.max(target.y, box.y + LAYER_HEIGHT);
    }
  }
  let right = Math.max(...ends.values());
  const height = Math.max(...ends.keys()) + LAYER_HEIGHT;
  const shapes: string[] = [];
  const edges: string[] = [];
  for (const box of boxes.values()) {
    const bottom = box.y + BOX_HEIGHT;
    shapes.push(rectangle(box.x, box.y, box.width, BOX_HEIGHT, 'class'));
    let x = box.x + GAP;
    for (const node of box.nodes) {
      const width = widthOf(node.label);
      shapes.push(
        rectangle(x, box.y + GAP, width, NODE_HEIGHT, 'node'),
        text(x + width / 2, box.y + GAP + 16, 'l', node.label),
      );
      const targets = targetsOf(node);
      targets.forEach((target, i) => {
        const from = x + (width * (i + 1)) / (targets.length + 1);
        // Each edge has its own line in the gaps between layers, as far as there is room.
        const away = 6 + (edges.length % 6) * 4;
        let way = `M${from} ${bottom - GAP}V${bottom + away}`;
        if (target.y !== box.y + LAYER_HEIGHT) {
          right += 8;
          way += `H${right}V${target.y - away}`;
        }
        edges.push(`<path d="${way}H${target.x + target.width / 2}V${target.y}${ARROW}"/>`);
        if (targets.length > 1) shapes.push(text(from + 5, bottom - 1, 'i', `${i}`));
      });
      x += width + GAP;
    }
  }
  const width = right + GAP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    '<style>text{font:13px monospace;text-anchor:middle}rect,path{fill:none;stroke:#777}',
    '.class{stroke-dasharray:3}.i{font-size:9px}</style>',
    ...shapes,
    ...edges,
    '</svg>',
  ].join('\n');
}

const widthOf = (label: string): number => (label.length + 2) * CHARACTER_WIDTH;

const rectangle = (x: number, y: number, width: number, height: number, kind: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" class="${kind}"/>`;

const text = (x: number, y: number, kind: string, label: string): string =>
  `<text x="${x}" y="${y}" class="${kind}">${markupText(label)}</text>`;
