/** Paints the visible part of a picture on a canvas. */
import type { camera, RowAt } from '@baton/drawing';
import {
  CARD_PADDING,
  type GraphModel,
  KIND_NAMES,
  keyOf,
  type Marks,
  type Palette,
  ROW_HEIGHT,
} from './graph-model.ts';

const NAMES = [
  'paper',
  'soft',
  'ink',
  'muted',
  'line',
  'accent',
  'good',
  'bad',
  'was',
  ...KIND_NAMES,
];

/** A property holds the colours of light and dark pages; its computed value is one of them. */
export function paletteOf(element: Element): Palette {
  const probe = document.createElement('i');
  element.append(probe);
  const palette = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return new Map(palette);
}

/** Below this scale names are unreadable: rows are boxes of their colour. */
const FAR = 0.34;
const CHARACTER = 6.4;

export function paint(
  context: CanvasRenderingContext2D,
  model: GraphModel,
  view: camera.View,
  size: camera.Size,
  marks: Marks,
  palette: Palette,
): void {
  const { drawing } = model.picture;
  const ratio = devicePixelRatio || 1;
  const colour = (name: string): string => palette.get(name) ?? '#888';
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  const { x, y, scale } = view;
  context.setTransform(ratio * scale, 0, 0, ratio * scale, -x * scale * ratio, -y * scale * ratio);
  const [top, bottom] = [y, y + size.height / scale];
  context.strokeStyle = colour('was');
  context.lineWidth = Math.max(1.2, 0.7 / scale);
  context.beginPath();
  for (let i = 0; i < drawing.edges.length; i++) {
    if ((model.edgeBottoms[i] ?? 0) < top || (model.edgeTops[i] ?? 0) > bottom) continue;
    curve(context, drawing.edges[i]?.points ?? []);
  }
  context.stroke();
  if (scale < FAR) {
    paintFar(context, model, [top, bottom], marks, colour);
    return;
  }
  context.textBaseline = 'middle';
  for (let i = 0; i < drawing.cards.length; i++) {
    if ((model.bottoms[i] ?? 0) < top || (model.tops[i] ?? 0) > bottom) continue;
    paintCard(context, model, i, marks, colour);
  }
}

/** Rows as boxes, one colour after another: names would be unreadable. */
function paintFar(
  context: CanvasRenderingContext2D,
  { picture, tops, bottoms }: GraphModel,
  [top, bottom]: readonly [number, number],
  marks: Marks,
  colour: (name: string) => string,
): void {
  const { cards } = picture.drawing;
  const marked: (readonly [x: number, y: number, width: number, colour: string])[] = [];
  KIND_NAMES.forEach((name, kind) => {
    context.fillStyle = colour(name);
    for (let i = 0; i < cards.length; i++) {
      const card = cards[i];
      if (card === undefined || (bottoms[i] ?? 0) < top || (tops[i] ?? 0) > bottom) continue;
      for (let row = 0; row < card.rows.length; row++) {
        if (card.rows[row]?.kind !== kind) continue;
        const [x, y] = [card.x - card.w / 2, (tops[i] ?? 0) + CARD_PADDING + row * ROW_HEIGHT];
        context.fillRect(x, y + 1, card.w, ROW_HEIGHT - 2);
        const mark = markOf({ card: i, row }, marks);
        if (mark !== undefined) marked.push([x, y, card.w, mark]);
      }
    }
  });
  context.lineWidth = 12;
  for (const [x, y, width, name] of marked) {
    context.strokeStyle = colour(name);
    context.strokeRect(x, y, width, ROW_HEIGHT);
  }
}

function markOf(at: RowAt, { selected, colours, heat, hits }: Marks): string | undefined {
  if (selected?.card === at.card && selected.row === at.row) return 'accent';
  if (colours.size + heat.size + hits.size === 0) return undefined;
  const key = keyOf(at);
  if ((heat.get(key) ?? 0) > HOT) return 'bad';
  return colours.get(key) ?? (hits.has(key) ? 'accent' : undefined);
}

/** The relative time from which a row is marked when zoomed out. */
const HOT = 0.2;

/** A smooth line that leaves and enters every point vertically. */
function curve(context: CanvasRenderingContext2D, points: ReadonlyArray<number>): void {
  context.moveTo(points[0] ?? 0, points[1] ?? 0);
  for (let i = 2; i < points.length; i += 2) {
    const [x = 0, y = 0, nextX = 0, nextY = 0] = points.slice(i - 2, i + 2);
    const middle = (y + nextY) / 2;
    if (x === nextX) context.lineTo(nextX, nextY);
    else context.bezierCurveTo(x, middle, nextX, middle, nextX, nextY);
  }
}

function paintCard(
  context: CanvasRenderingContext2D,
  { picture, tops }: GraphModel,
  at: number,
  marks: Marks,
  colour: (name: string) => string,
): void {
  const card = picture.drawing.cards[at];
  if (card === undefined) return;
  const [left, top] = [card.x - card.w / 2, tops[at] ?? 0];
  context.fillStyle = colour('paper');
  context.strokeStyle = card.rows.length > 1 ? colour('accent') : colour('line');
  context.lineWidth = card.rows.length > 1 ? 1.6 : 1;
  context.beginPath();
  context.roundRect(left, top, card.w, card.h, 8);
  context.fill();
  context.stroke();
  card.rows.forEach((row, i) => {
    const y = top + CARD_PADDING + i * ROW_HEIGHT;
    const key = keyOf({ card: at, row: i });
    const kind = colour(KIND_NAMES[row.kind] ?? 'other');
    const mark = markOf({ card: at, row: i }, marks);
    const box = [left + CARD_PADDING, y + 1, card.w - 2 * CARD_PADDING, ROW_HEIGHT - 2] as const;
    context.globalAlpha = 0.13;
    context.fillStyle = kind;
    context.fillRect(...box);
    context.globalAlpha = 1;
    const heat = marks.heat.get(key);
    if (heat !== undefined) {
      context.fillStyle = colour('bad');
      context.globalAlpha = 0.55;
      context.fillRect(box[0], box[1], box[2] * heat, box[3]);
      context.globalAlpha = 1;
    }
    if (mark !== undefined) {
      context.strokeStyle = colour(mark);
      context.lineWidth = mark === 'accent' ? 3 : 2;
      context.strokeRect(...box);
    }
    context.fillStyle = kind;
    context.fillRect(box[0], box[1], 4, box[3]);
    paintTexts(context, picture.texts, row, box, colour);
  });
}

function paintTexts(
  context: CanvasRenderingContext2D,
  texts: ReadonlyArray<string>,
  row: { readonly op: number; readonly note: number; readonly type: number },
  [left, top, width, height]: readonly [number, number, number, number],
  colour: (name: string) => string,
): void {
  const text = (at: number): string => texts[at] ?? '';
  const middle = top + height / 2 + 1;
  const shape = (text(row.type).replace(/^\(/, '').split(' ')[0] ?? '').slice(0, 22);
  const note = text(row.note);
  const room =
    Math.floor((width - 26) / CHARACTER) - shape.length - (note === '' ? 1 : note.length + 2);
  const name = text(row.op);
  const shown = name.length <= room ? name : `${name.slice(0, Math.max(3, room - 1))}…`;
  context.font = '12px system-ui, sans-serif';
  context.textAlign = 'left';
  context.fillStyle = colour('ink');
  context.fillText(shown, left + 12, middle);
  if (note !== '') {
    const after = left + 18 + context.measureText(shown).width;
    context.fillStyle = colour('muted');
    context.fillText(note, after, middle);
  }
  context.fillStyle = colour('muted');
  context.font = '11px ui-monospace, monospace';
  context.textAlign = 'right';
  context.fillText(shape, left + width - 8, middle);
}

/** Paints the entire drawing as a strip of colours, once for each picture. */
export function paintStrip(
  context: CanvasRenderingContext2D,
  { picture, tops }: GraphModel,
  size: camera.Size,
  palette: Palette,
): void {
  const ratio = size.height / Math.max(1, picture.drawing.height);
  context.clearRect(0, 0, size.width, size.height);
  picture.drawing.cards.forEach(({ rows }, i) => {
    rows.forEach((row, at) => {
      context.fillStyle = palette.get(KIND_NAMES[row.kind] ?? 'other') ?? '#888';
      const y = ((tops[i] ?? 0) + at * ROW_HEIGHT) * ratio;
      context.fillRect(0, y, size.width, Math.max(1, ROW_HEIGHT * ratio));
    });
  });
}
