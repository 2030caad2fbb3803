/** The entire drawing as a strip of colours, with the visible part marked. */
import { type camera, type Drawing, KINDS } from '@baton/drawing';
import { svg } from './dom.ts';

export interface Minimap {
  readonly element: SVGSVGElement;
  readonly update: (view: camera.View, pane: camera.Size) => void;
}

const ROW_HEIGHT = 24;
/** Rows extend into the space below them: at a pixel per fifty units they would be pale. */
const BLEED = 20;

/** The strip of a drawing in the scale of the `tallest`; `go` gets the chosen height. */
export function makeMinimap(drawing: Drawing, tallest: number, go: (y: number) => void): Minimap {
  const seen = svg('rect', { class: 'seen', x: 0, width: drawing.width });
  const element = svg(
    'svg',
    {
      class: 'minimap',
      viewBox: `0 0 ${Math.max(1, drawing.width)} ${Math.max(1, tallest)}`,
      preserveAspectRatio: 'none',
      'aria-hidden': true,
    },
    ...drawing.cards.flatMap((card) =>
      card.rows.map((row, i) =>
        svg('rect', {
          class: `blip kind-${KINDS[row.kind]?.name}`,
          x: 0,
          y: card.y - card.h / 2 + i * ROW_HEIGHT,
          width: drawing.width,
          height: ROW_HEIGHT + BLEED,
        }),
      ),
    ),
    seen,
  );
  const follow = (event: PointerEvent): void => {
    const { top, height } = element.getBoundingClientRect();
    go(((event.clientY - top) / height) * tallest);
  };
  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    follow(event);
  });
  element.addEventListener('pointermove', (event) => {
    if (element.hasPointerCapture(event.pointerId)) follow(event);
  });
  return {
    element,
    update: (view, pane) => {
      const top = Math.max(0, view.y);
      const bottom = Math.min(drawing.height, view.y + pane.height / view.scale);
      seen.setAttribute('y', `${top}`);
      seen.setAttribute('height', `${Math.max(0, bottom - top)}`);
    },
  };
}
