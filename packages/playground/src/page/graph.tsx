/** A picture in a frame: panning, zooming, pointing, searching, and a strip of the whole. */
import { camera } from '@baton/drawing';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Picture } from '../protocol.ts';
import {
  graphModel,
  keyOf,
  middleOf,
  type RowAt,
  rowAt,
  rowsWith,
  wordsOf,
} from './graph-model.ts';
import { type Marks, NO_MARKS, paint, paintStrip, paletteOf } from './graph-paint.ts';

/** The properties of a graph. */
export interface GraphProps {
  readonly title: string;
  readonly note?: string;
  readonly picture: Picture;
  readonly marks?: Partial<Marks>;
  readonly selected?: RowAt | undefined;
  readonly onSelect?: (row: RowAt | undefined) => void;
  /** Changes where the page wants to look: the row is brought to the middle. */
  readonly centre?: RowAt | undefined;
}

const ZOOM_STEP = 1.4;
const KEY_STEP = 60;

/** A picture in a frame. */
export function Graph(props: GraphProps) {
  const { title, note, picture, marks, centre } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const strip = useRef<HTMLCanvasElement>(null);
  const view = useRef<camera.View>({ x: 0, y: 0, scale: 1 });
  const model = useMemo(() => graphModel(picture), [picture]);
  const [found, setFound] = useState<ReadonlyArray<RowAt>>([]);
  const [wanted, setWanted] = useState('');
  const [hit, setHit] = useState(0);
  const [own, setOwn] = useState<RowAt | undefined>();
  const words = useId();
  const selected = props.selected ?? own;
  const { drawing } = picture;
  const all: Marks = {
    ...NO_MARKS,
    ...marks,
    selected,
    hits: new Set(found.map(keyOf)),
  };
  const look = useRef<(next: camera.View) => void>(() => {});
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || element === undefined || context === null || context === undefined)
      return;
    let palette = paletteOf(element);
    let frame = 0;
    const size = (): camera.Size => ({ width: element.clientWidth, height: element.clientHeight });
    const draw = (): void => {
      frame = 0;
      const ratio = devicePixelRatio || 1;
      const { width, height } = size();
      if (element.width !== Math.round(width * ratio)) element.width = Math.round(width * ratio);
      if (element.height !== Math.round(height * ratio))
        element.height = Math.round(height * ratio);
      paint(context, model, view.current, size(), all, palette);
      showSeen();
    };
    const showSeen = (): void => {
      const seen = strip.current?.nextElementSibling;
      if (!(seen instanceof HTMLElement)) return;
      const whole = Math.max(1, drawing.height);
      seen.style.top = `${(100 * Math.max(0, view.current.y)) / whole}%`;
      seen.style.height = `${Math.min(100, (100 * size().height) / view.current.scale / whole)}%`;
    };
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(draw);
    };
    look.current = (next) => {
      view.current = camera.kept(next, drawing, size());
      later();
    };
    const resized = new ResizeObserver(() => look.current(view.current));
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const repaint = (): void => {
      palette = paletteOf(element);
      later();
    };
    scheme.addEventListener('change', repaint);
    addEventListener('baton-theme', repaint);
    later();
    return () => {
      resized.disconnect();
      scheme.removeEventListener('change', repaint);
      removeEventListener('baton-theme', repaint);
      cancelAnimationFrame(frame);
    };
  });
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const size = { width: element.clientWidth, height: element.clientHeight };
    look.current(camera.atTop(drawing, size, drawing.cards[0]?.x ?? 0));
    const context = strip.current?.getContext('2d');
    if (strip.current === null || context === null || context === undefined) return;
    strip.current.height = Math.max(1, Math.min(2_000, strip.current.clientHeight));
    strip.current.width = 24;
    paintStrip(context, model, { width: 24, height: strip.current.height }, paletteOf(element));
  }, [model]);
  const go = (row: RowAt | undefined): void => {
    const element = canvas.current;
    if (row === undefined || element === null) return;
    const { x, y } = middleOf(model, row);
    const size = { width: element.clientWidth, height: element.clientHeight };
    look.current(camera.centred(x, y, view.current, size));
  };
  useEffect(() => go(centre), [centre?.card, centre?.row, model]);
  const select = (row: RowAt | undefined): void => {
    setOwn(row);
    props.onSelect?.(row);
  };
  useEffect(() => {
    const rows = rowsWith(picture, wanted);
    setFound(rows);
    setHit(0);
    if (rows[0] === undefined) return;
    select(rows[0]);
    go(rows[0]);
  }, [wanted, picture]);
  const step = (by: number): void => {
    if (found.length === 0) return;
    const next = (hit + by + found.length) % found.length;
    setHit(next);
    select(found[next]);
    go(found[next]);
  };
  const zoom = (factor: number): void => {
    const element = canvas.current;
    if (element === null) return;
    const { clientWidth, clientHeight } = element;
    look.current(camera.zoomed(view.current, factor, clientWidth / 2, clientHeight / 2));
  };
  const fit = (): void => {
    const element = canvas.current;
    if (element === null) return;
    look.current(
      camera.fitted(drawing, { width: element.clientWidth, height: element.clientHeight }),
    );
  };
  const point = (event: MouseEvent): RowAt | undefined => {
    const { x, y, scale } = view.current;
    return rowAt(model, x + event.offsetX / scale, y + event.offsetY / scale);
  };
  return (
    <section class="graph" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span class="muted">{note ?? `${drawing.calls} calls`}</span>
        <input
          type="search"
          placeholder="Find an operator or a node"
          aria-label={`Find in ${title}`}
          onInput={(event) => setWanted(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          }}
        />
        <output class="muted">{found.length === 0 ? '' : `${hit + 1} of ${found.length}`}</output>
        <span class="tools">
          <button type="button" aria-label="zoom out" onClick={() => zoom(1 / ZOOM_STEP)}>
            −
          </button>
          <button type="button" aria-label="zoom in" onClick={() => zoom(ZOOM_STEP)}>
            +
          </button>
          <button type="button" onClick={fit}>
            fit
          </button>
        </span>
      </header>
      {drawing.omitted === undefined ? (
        <div class="stage">
          <canvas
            ref={canvas}
            tabIndex={0}
            role="img"
            aria-label={`${title}: a graph of ${drawing.calls} calls; arrows move, plus and minus zoom`}
            aria-describedby={words}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={(event) => {
              if (event.buttons === 0 || !event.currentTarget.hasPointerCapture(event.pointerId))
                return;
              look.current(camera.moved(view.current, event.movementX, event.movementY));
            }}
            onClick={(event) => select(point(event))}
            onWheel={(event) => {
              event.preventDefault();
              const { offsetX, offsetY, deltaX, deltaY } = event;
              look.current(
                event.ctrlKey || event.metaKey
                  ? camera.zoomed(view.current, Math.exp(-deltaY / 200), offsetX, offsetY)
                  : camera.moved(view.current, -deltaX, -deltaY),
              );
            }}
            onKeyDown={(event) => {
              const moves: Readonly<Record<string, () => void>> = {
                ArrowUp: () => look.current(camera.moved(view.current, 0, KEY_STEP)),
                ArrowDown: () => look.current(camera.moved(view.current, 0, -KEY_STEP)),
                ArrowLeft: () => look.current(camera.moved(view.current, KEY_STEP, 0)),
                ArrowRight: () => look.current(camera.moved(view.current, -KEY_STEP, 0)),
                '+': () => zoom(ZOOM_STEP),
                '-': () => zoom(1 / ZOOM_STEP),
                '0': fit,
              };
              const move = moves[event.key];
              if (move === undefined) return;
              move();
              event.preventDefault();
            }}
          />
          <div
            class="strip"
            aria-hidden="true"
            onPointerDown={(event) => {
              const { top, height } = event.currentTarget.getBoundingClientRect();
              const y = ((event.clientY - top) / Math.max(1, height)) * drawing.height;
              const seen = (canvas.current?.clientHeight ?? 0) / view.current.scale;
              look.current({ ...view.current, y: y - seen / 2 });
            }}
          >
            <canvas ref={strip} />
            <i />
          </div>
        </div>
      ) : (
        <p class="muted">Not drawn: {drawing.omitted}.</p>
      )}
      <p class="status" id={words} aria-live="polite">
        {selected === undefined
          ? 'Drag or scroll to move, Ctrl and scroll to zoom, click to see a node.'
          : wordsOf(picture, selected)}
      </p>
    </section>
  );
}
