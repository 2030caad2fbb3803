import { postOrder } from '@baton/base';
import {
  type GraphSource,
  listClasses,
  type ReadableGraph,
  readable,
} from '../extract/readable.ts';

const CHARACTER_WIDTH = 8;
const NODE_HEIGHT = 24;
const GAP = 12;
const LAYER_GAP = 56;

interface Box {
  readonly labels: ReadonlyArray<string>;
  /** The classes that each node leads to. */
  readonly children: ReadonlyArray<ReadonlyArray<number>>;
  readonly width: number;
  layer: number;
  x: number;
}

/**
 * An e-graph as a drawing: classes as dashed boxes in layers, above the classes that they need as
 * far as cycles allow. For a few hundred nodes at most; larger graphs are for Graphviz (`toDot`).
 */
export function toSvg(source: GraphSource): string {
  const boxes = boxesOf(readable(source));
  const layers = arrange(boxes);
  const step = NODE_HEIGHT + 2 * GAP + LAYER_GAP;
  const width = Math.max(GAP, ...[...boxes.values()].map((box) => box.x + box.width + GAP));
  const height = GAP + Math.max(1, layers) * step;
  const shapes: string[] = [];
  const edges: string[] = [];
  for (const box of boxes.values()) {
    const top = GAP + box.layer * step;
    shapes.push(
      `<rect x="${box.x}" y="${top}" width="${box.width}" height="${NODE_HEIGHT + 2 * GAP}" class="class"/>`,
    );
    let x = box.x + GAP;
    box.labels.forEach((label, index) => {
      const nodeWidth = widthOf(label);
      const middle = x + nodeWidth / 2;
      shapes.push(
        `<rect x="${x}" y="${top + GAP}" width="${nodeWidth}" height="${NODE_HEIGHT}" class="node"/>`,
        `<text x="${middle}" y="${top + GAP + 16}">${escapeXml(label)}</text>`,
      );
      for (const child of box.children[index] ?? []) {
        const target = boxes.get(child);
        if (target === undefined) continue;
        const to = target.x + target.width / 2;
        const from = top + GAP + NODE_HEIGHT;
        const end = GAP + target.layer * step;
        edges.push(
          `<path d="M${middle} ${from}C${middle} ${from + 40} ${to} ${end - 40} ${to} ${end}"/>`,
        );
      }
      x += nodeWidth + GAP;
    });
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    '<style>text{font:13px monospace;text-anchor:middle}rect{fill:#fff;stroke:#333;rx:4}',
    '.class{fill:#f6f6f6;stroke-dasharray:3}path{fill:none;stroke:#777;marker-end:url(#to)}</style>',
    '<defs><marker id="to" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8"',
    ' orient="auto"><path d="M0 0L8 4L0 8z" fill="#777" stroke="none"/></marker></defs>',
    ...shapes,
    ...edges,
    '</svg>',
  ].join('\n');
}

const widthOf = (label: string): number => Math.max(24, label.length * CHARACTER_WIDTH + GAP);

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function boxesOf(graph: ReadableGraph): ReadonlyMap<number, Box> {
  const boxes = new Map<number, Box>();
  for (const [eclass, nodes] of listClasses(graph)) {
    const labels = nodes.map((node) => node.label);
    const children = nodes.map((node) => node.children);
    const width = labels.reduce((sum, label) => sum + widthOf(label) + GAP, GAP);
    boxes.set(eclass, { labels, children, width, layer: 0, x: 0 });
  }
  return boxes;
}

/** Gives every box its place; an edge that would close a cycle does not push its end down. */
function arrange(boxes: ReadonlyMap<number, Box>): number {
  const below = (box: Box): ReadonlyArray<Box> =>
    box.children.flat().flatMap((child) => boxes.get(child) ?? []);
  // Each before what it needs, but for cycles.
  const order = postOrder(below, [...boxes.values()].reverse()).toReversed();
  const placed = new Set<Box>();
  for (const box of order) {
    placed.add(box);
    for (const target of below(box)) {
      if (!placed.has(target)) target.layer = Math.max(target.layer, box.layer + 1);
    }
  }
  const ends: number[] = [];
  for (const box of boxes.values()) {
    box.x = ends[box.layer] ?? GAP;
    ends[box.layer] = box.x + box.width + GAP;
  }
  return ends.length;
}
