/** One drawing in a frame, with panning, zooming, searching and pointing at rows. */
import { camera, type Drawing } from '@baton/drawing';
import type { PageModel } from './data.ts';
import { h, svg } from './dom.ts';
import { makeMinimap } from './minimap.ts';
import { makeScene, type SceneRow } from './scene.ts';
import type { Tooltip } from './tooltip.ts';

export interface Pane {
  readonly element: HTMLElement;
  readonly rows: ReadonlyArray<SceneRow>;
  readonly centre: (row: SceneRow) => void;
  readonly mark: (name: string, rows: Iterable<SceneRow>) => void;
  /** Shows the beginning. Call it once the pane has its size. */
  readonly start: () => void;
}

export interface PaneOptions {
  readonly title: string;
  readonly note: string;
  readonly drawing: Drawing;
  readonly model: PageModel;
  /** The height of the taller of the two drawings. */
  readonly tallest: number;
  readonly tooltip: Tooltip;
  readonly select: (row: SceneRow | undefined) => void;
}

/** Below this scale names are unreadable and omitted. */
const FAR = 0.34;
const ZOOM_STEP = 1.4;
const KEY_STEP = 60;

export function makePane(options: PaneOptions): Pane {
  const { drawing, model, tooltip } = options;
  const scene = makeScene(drawing, model);
  const canvas = svg('svg', {
    class: 'canvas',
    tabindex: 0,
    role: 'img',
    'aria-label': `${options.title}: graph of ${drawing.calls} operator calls`,
  });
  canvas.append(scene.root);
  let view: camera.View = { x: 0, y: 0, scale: 1 };
  const size = (): camera.Size => ({ width: canvas.clientWidth, height: canvas.clientHeight });
  const minimap = makeMinimap(drawing, options.tallest, (y) =>
    look({ ...view, y: y - size().height / 2 / view.scale }),
  );
  const look = (next: camera.View): void => {
    view = camera.kept(next, drawing, size());
    const { x, y, scale } = view;
    scene.root.setAttribute('transform', `scale(${scale}) translate(${-x} ${-y})`);
    canvas.classList.toggle('far', scale < FAR);
    const bottom = y + size().height / scale;
    for (const chunk of scene.chunks) {
      const inSight = chunk.bottom >= y && chunk.top <= bottom;
      chunk.element.style.display = inSight ? '' : 'none';
    }
    minimap.update(view, size());
  };
  const zoomBy = (factor: number): void => {
    const { width, height } = size();
    look(camera.zoomed(view, factor, width / 2, height / 2));
  };
  listenForMoves(canvas, () => view, look);
  listenForRows(canvas, scene.rows, options, (card, on) => {
    drawing.edges.forEach((edge, i) => {
      if (edge.from === card || edge.to === card) scene.edges[i]?.classList.toggle('near', on);
    });
  });
  canvas.addEventListener('pointerdown', tooltip.hide);
  const tools = h(
    'div',
    { class: 'tools' },
    button('zoom out', '−', () => zoomBy(1 / ZOOM_STEP)),
    button('zoom in', '+', () => zoomBy(ZOOM_STEP)),
    button('show all', 'fit', () => look(camera.fitted(drawing, size()))),
  );
  const element = h(
    'section',
    { class: 'pane' },
    h('header', {}, h('h4', {}, options.title), h('span', { class: 'muted' }, options.note), tools),
    h(
      'div',
      { class: 'stage' },
      ...(drawing.omitted === undefined
        ? [canvas, minimap.element]
        : [h('p', { class: 'empty' }, `Not drawn: ${drawing.omitted}.`)]),
    ),
  );
  const marked = new Map<string, ReadonlyArray<SceneRow>>();
  new ResizeObserver(() => look(view)).observe(canvas);
  return {
    element,
    rows: scene.rows,
    centre: (row) => look(camera.centred(row.x, row.y, view, size())),
    mark: (name, rows) => {
      for (const row of marked.get(name) ?? []) row.element.classList.remove(name);
      const next = [...rows];
      for (const row of next) row.element.classList.add(name);
      marked.set(name, next);
    },
    start: () => look(camera.atTop(drawing, size(), drawing.cards[0]?.x ?? 0)),
  };
}

const button = (label: string, text: string, act: () => void): HTMLElement =>
  h('button', { type: 'button', title: label, 'aria-label': label, click: act }, text);

/** Dragging and the wheel pan; the wheel with Ctrl (as in pinching), + and − zoom. */
function listenForMoves(
  canvas: SVGSVGElement,
  current: () => camera.View,
  look: (view: camera.View) => void,
): void {
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button === 0) canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    look(camera.moved(current(), event.movementX, event.movementY));
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      const before = current();
      const { left, top } = canvas.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey) {
        const factor = Math.exp(-event.deltaY / 200);
        look(camera.zoomed(before, factor, event.clientX - left, event.clientY - top));
        event.preventDefault();
        return;
      }
      look(camera.moved(before, -event.deltaX, -event.deltaY));
      // At the end of the drawing the wheel scrolls the page.
      if (current().y !== before.y || current().x !== before.x) event.preventDefault();
    },
    { passive: false },
  );
  canvas.addEventListener('dblclick', (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    look(camera.zoomed(current(), ZOOM_STEP, event.clientX - left, event.clientY - top));
  });
  canvas.addEventListener('keydown', (event) => {
    const { clientWidth, clientHeight } = canvas;
    const zoom = (factor: number): camera.View =>
      camera.zoomed(current(), factor, clientWidth / 2, clientHeight / 2);
    const views: Readonly<Record<string, () => camera.View>> = {
      ArrowUp: () => camera.moved(current(), 0, KEY_STEP),
      ArrowDown: () => camera.moved(current(), 0, -KEY_STEP),
      ArrowLeft: () => camera.moved(current(), KEY_STEP, 0),
      ArrowRight: () => camera.moved(current(), -KEY_STEP, 0),
      '+': () => zoom(ZOOM_STEP),
      '-': () => zoom(1 / ZOOM_STEP),
    };
    const next = views[event.key];
    if (next === undefined) return;
    look(next());
    event.preventDefault();
  });
}

/** The pointer on a row shows its tooltip; a click selects the row under it, or none. */
function listenForRows(
  canvas: SVGSVGElement,
  rows: ReadonlyArray<SceneRow>,
  { model, tooltip, select }: PaneOptions,
  near: (card: number, on: boolean) => void,
): void {
  const byElement = new Map<Element, SceneRow>(rows.map((row) => [row.element, row]));
  const rowAt = (event: Event): SceneRow | undefined => {
    const found = event.target instanceof Element ? event.target.closest('.row') : null;
    return found === null ? undefined : byElement.get(found);
  };
  let pointed: SceneRow | undefined;
  const point = (row: SceneRow | undefined): void => {
    if (row === pointed) return;
    if (pointed !== undefined) near(pointed.card, false);
    if (row !== undefined) near(row.card, true);
    pointed = row;
  };
  let [downX, downY] = [0, 0];
  canvas.addEventListener('pointerdown', (event) => {
    [downX, downY] = [event.clientX, event.clientY];
  });
  canvas.addEventListener('pointermove', (event) => {
    if (event.buttons !== 0) return;
    const row = rowAt(event);
    point(row);
    if (row === undefined) tooltip.hide();
    else tooltip.show(row.row, model, event.clientX, event.clientY);
  });
  canvas.addEventListener('pointerleave', () => {
    point(undefined);
    tooltip.hide();
  });
  canvas.addEventListener('pointerup', (event) => {
    const dragged = Math.hypot(event.clientX - downX, event.clientY - downY) > 4;
    if (event.button !== 0 || dragged) return;
    // The canvas has captured the pointer, so the event's target is the canvas.
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('.row');
    select(under == null ? undefined : byElement.get(under));
  });
}
