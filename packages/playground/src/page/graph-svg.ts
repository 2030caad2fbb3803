/** A complete picture as SVG: for documents, at any size. */
import { columnText, markupText } from '@baton/base';
import type { Row } from '@baton/drawing';
import type { Picture } from '../protocol.ts';
import {
  CARD_PADDING,
  KIND_NAMES,
  keyOf,
  type Marks,
  type Palette,
  ROW_HEIGHT,
} from './graph-model.ts';

export function svgOf(
  { drawing, texts }: Picture,
  { colours, heat }: Pick<Marks, 'colours' | 'heat'>,
  palette: Palette,
): string {
  const colour = (name: string): string => palette.get(name) ?? '#888';
  const edges = drawing.edges.map(({ points }) => `<path d="${curve(points)}"/>`);
  const cards = drawing.cards.map(({ x, y, w, h, rows }, card) => {
    const [left, top] = [x - w / 2, y - h / 2];
    const frame = colour(rows.length > 1 ? 'accent' : 'line');
    const own = rows.map((row, i) => {
      const key = keyOf({ card, row: i });
      return rowText(row, texts, {
        left: left + CARD_PADDING,
        top: top + CARD_PADDING + i * ROW_HEIGHT + 1,
        width: w - 2 * CARD_PADDING,
        heat: heat.get(key),
        mark: colours.get(key),
        colour,
      });
    });
    const box = `<rect x="${left}" y="${top}" width="${w}" height="${h}" rx="8" fill="${colour('paper')}" stroke="${frame}"/>`;
    return [box, ...own].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${drawing.width} ${drawing.height}" width="${drawing.width}" height="${drawing.height}" font-family="system-ui, sans-serif" font-size="12">
<g fill="none" stroke="${colour('was')}" stroke-width="1.2">
${edges.join('\n')}
</g>
${cards.join('\n')}
</svg>
`;
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly heat: number | undefined;
  readonly mark: string | undefined;
  readonly colour: (name: string) => string;
}

function rowText(row: Row, texts: ReadonlyArray<string>, place: Place): string {
  const { left, top, width, heat, mark, colour } = place;
  const text = (at: number): string => escaped(texts[at] ?? '');
  const kind = colour(KIND_NAMES[row.kind] ?? 'other');
  const height = ROW_HEIGHT - 2;
  const shape = escaped(
    ((texts[row.type] ?? '').replace(/^\(/, '').split(' ')[0] ?? '').slice(0, 22),
  );
  const box = (w: number, fill: string, opacity: number): string =>
    `<rect x="${left}" y="${top}" width="${w}" height="${height}" fill="${fill}" fill-opacity="${opacity}"/>`;
  const words = [text(row.op), text(row.note)].filter((word) => word !== '').join(' ');
  return [
    '<g>',
    `<title>${[text(row.op), text(row.type), ...row.places.map(text)].filter((word) => word !== '').join(', ')}</title>`,
    box(width, kind, 0.13),
    ...(heat === undefined ? [] : [box(width * heat, colour('bad'), 0.55)]),
    ...(mark === undefined
      ? []
      : [
          `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="none" stroke="${colour(mark)}" stroke-width="2"/>`,
        ]),
    box(4, kind, 1),
    `<text x="${left + 12}" y="${top + 15}" fill="${colour('ink')}">${words}</text>`,
    `<text x="${left + width - 8}" y="${top + 15}" fill="${colour('muted')}" text-anchor="end" font-size="11">${shape}</text>`,
    '</g>',
  ].join('');
}

/** A smooth line that leaves and enters every point vertically. */
function curve(points: ReadonlyArray<number>): string {
  let path = `M${points[0] ?? 0} ${points[1] ?? 0}`;
  for (let i = 2; i < points.length; i += 2) {
    const [x = 0, y = 0, nextX = 0, nextY = 0] = points.slice(i - 2, i + 2);
    const middle = (y + nextY) / 2;
    path += x === nextX ? `V${nextY}` : `C${x} ${middle} ${nextX} ${middle} ${nextX} ${nextY}`;
  }
  return path;
}

/** Text between tags. XML forbids control characters. */
const escaped = (text: string): string => markupText(columnText(text));
