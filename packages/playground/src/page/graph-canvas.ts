/** A picture on a canvas that pans and zooms: the camera, the listeners, and the overview strip. */
import { camera, type RowAt } from '@baton/drawing';
import { type GraphModel, type Marks, middleOf, NO_MARKS, rowAt } from './graph-model.ts';
import { paint, paintStrip, paletteOf } from './graph-paint.ts';

export interface GraphElements {
  readonly canvas: HTMLCanvasElement;
  readonly strip: HTMLCanvasElement;
  /** The part of the strip that is in view. */
  readonly seen: HTMLElement;
}

export interface GraphCanvas {
  readonly show: (model: GraphModel) => void;
  readonly mark: (marks: Marks) => void;
  readonly go: (row: RowAt) => void;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly dispose: () => void;
}

/** The common view of several canvases, which move together. */
export interface SharedView {
  /** Reports one canvas's view to the others. */
  readonly tell: (from: object, view: camera.View) => void;
  /** Follows the view of the others until the returned function is called. */
  readonly follow: (own: object, look: (view: camera.View) => void) => () => void;
}

export function makeSharedView(): SharedView {
  const followers = new Map<object, (view: camera.View) => void>();
  return {
    tell: (from, view) => {
      for (const [own, look] of followers) if (own !== from) look(view);
    },
    follow: (own, look) => {
      followers.set(own, look);
      return () => followers.delete(own);
    },
  };
}

export const ZOOM_STEP = 1.4;
const KEY_STEP = 60;
const STRIP_WIDTH = 24;
const MAX_STRIP = 2_000;

/** A canvas that reports the clicked row, or that none was. */
export function graphCanvas(
  elements: GraphElements,
  onSelect: (row: RowAt | undefined) => void,
  shared: SharedView = makeSharedView(),
): GraphCanvas {
  const { canvas, strip, seen } = elements;
  let model: GraphModel | undefined;
  let marks = NO_MARKS;
  let palette = paletteOf(canvas);
  let view: camera.View = { x: 0, y: 0, scale: 1 };
  let frame = 0;
  const size = (): camera.Size => ({ width: canvas.clientWidth, height: canvas.clientHeight });
  const draw = (): void => {
    frame = 0;
    const context = fitted(canvas, size());
    if (model === undefined || context === null) return;
    paint(context, model, view, size(), marks, palette);
    showSeen(seen, view, size(), model);
  };
  const later = (): void => {
    frame ||= requestAnimationFrame(draw);
  };
  const follow = (next: camera.View): void => {
    if (model === undefined) return;
    view = camera.kept(next, model.picture.drawing, size());
    later();
  };
  const look = (next: camera.View): void => {
    follow(next);
    shared.tell(canvas, view);
  };
  const unfollow = shared.follow(canvas, follow);
  const zoom = (factor: number): void =>
    look(camera.zoomed(view, factor, size().width / 2, size().height / 2));
  const fit = (): void => model && look(camera.fitted(model.picture.drawing, size()));
  const repaint = (): void => {
    palette = paletteOf(canvas);
    later();
  };
  const stop = listen(
    {
      elements,
      look,
      zoom,
      fit,
      repaint,
      resized: () => follow(view),
      now: () => view,
      model: () => model,
    },
    onSelect,
  );
  return {
    show: (next) => {
      model = next;
      const { drawing } = next.picture;
      look(camera.atTop(drawing, size(), drawing.cards[0]?.x ?? 0));
      strip.width = STRIP_WIDTH;
      strip.height = Math.max(1, Math.min(MAX_STRIP, strip.clientHeight));
      const context = strip.getContext('2d');
      if (context !== null) paintStrip(context, next, strip, palette);
    },
    mark: (next) => {
      marks = next;
      later();
    },
    go: (row) => {
      if (model === undefined) return;
      const { x, y } = middleOf(model, row);
      look(camera.centred(x, y, view, size()));
    },
    zoom,
    fit,
    dispose: () => {
      stop();
      unfollow();
      cancelAnimationFrame(frame);
    },
  };
}

/** The context of a canvas whose resolution is that of the screen. */
function fitted(
  canvas: HTMLCanvasElement,
  { width, height }: camera.Size,
): CanvasRenderingContext2D | null {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  return canvas.getContext('2d');
}

function showSeen(
  seen: HTMLElement,
  { y, scale }: camera.View,
  { height }: camera.Size,
  { picture }: GraphModel,
): void {
  const whole = Math.max(1, picture.drawing.height);
  seen.style.top = `${(100 * Math.max(0, y)) / whole}%`;
  seen.style.height = `${Math.min(100, (100 * height) / scale / whole)}%`;
}

interface Moves {
  readonly elements: GraphElements;
  readonly look: (view: camera.View) => void;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly repaint: () => void;
  readonly resized: () => void;
  readonly now: () => camera.View;
  readonly model: () => GraphModel | undefined;
}

/**
 * Listens to dragging, the wheel, keys, the strip, and changes of size and colours. Returns a
 * function that stops it.
 */
function listen(moves: Moves, onSelect: (row: RowAt | undefined) => void): () => void {
  const { canvas, strip } = moves.elements;
  const ended = new AbortController();
  const { signal } = ended;
  const on = <K extends keyof HTMLElementEventMap>(
    target: HTMLElement,
    name: K,
    act: (event: HTMLElementEventMap[K]) => void,
  ): void => target.addEventListener(name, act, { signal, passive: false });
  on(canvas, 'pointerdown', ({ pointerId }) => canvas.setPointerCapture(pointerId));
  on(canvas, 'pointermove', ({ buttons, pointerId, movementX, movementY }) => {
    if (buttons === 0 || !canvas.hasPointerCapture(pointerId)) return;
    moves.look(camera.moved(moves.now(), movementX, movementY));
  });
  on(canvas, 'click', ({ offsetX, offsetY }) => {
    const { x, y, scale } = moves.now();
    const model = moves.model();
    onSelect(model && rowAt(model, x + offsetX / scale, y + offsetY / scale));
  });
  on(canvas, 'wheel', (event) => {
    event.preventDefault();
    moves.look(wheeled(moves.now(), event));
  });
  on(canvas, 'keydown', (event) => {
    const act = keyMoves(moves)[event.key];
    if (act === undefined) return;
    act();
    event.preventDefault();
  });
  const bar = strip.parentElement ?? strip;
  on(bar, 'pointerdown', ({ clientY }) => {
    const { top, height } = bar.getBoundingClientRect();
    const whole = moves.model()?.picture.drawing.height ?? 0;
    const middle = ((clientY - top) / Math.max(1, height)) * whole;
    const view = moves.now();
    moves.look({ ...view, y: middle - canvas.clientHeight / view.scale / 2 });
  });
  const resized = new ResizeObserver(moves.resized);
  resized.observe(canvas);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', moves.repaint, { signal });
  addEventListener('baton-theme', moves.repaint, { signal });
  return () => {
    ended.abort();
    resized.disconnect();
  };
}

/** The wheel pans; with Ctrl, as in pinching, it zooms. */
const wheeled = (view: camera.View, event: WheelEvent): camera.View =>
  event.ctrlKey || event.metaKey
    ? camera.zoomed(view, Math.exp(-event.deltaY / 200), event.offsetX, event.offsetY)
    : camera.moved(view, -event.deltaX, -event.deltaY);

function keyMoves({ look, zoom, fit, now }: Moves): Readonly<Record<string, () => void>> {
  const move = (dx: number, dy: number) => (): void => look(camera.moved(now(), dx, dy));
  return {
    ArrowUp: move(0, KEY_STEP),
    ArrowDown: move(0, -KEY_STEP),
    ArrowLeft: move(KEY_STEP, 0),
    ArrowRight: move(-KEY_STEP, 0),
    '+': () => zoom(ZOOM_STEP),
    '-': () => zoom(1 / ZOOM_STEP),
    '0': fit,
  };
}
