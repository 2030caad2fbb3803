/** A picture in a frame: its canvas, tools, search, and a description of the selected node. */
import type { RowAt } from '@baton/drawing';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Picture } from '../protocol.ts';
import { save } from './common.tsx';
import { type GraphCanvas, graphCanvas, type SharedView, ZOOM_STEP } from './graph-canvas.ts';
import { graphModel, keyOf, type Marks, NO_MARKS, rowsWith, wordsOf } from './graph-model.ts';
import { paletteOf } from './graph-paint.ts';

export interface GraphProps {
  readonly title: string;
  readonly note?: string;
  readonly picture: Picture;
  readonly marks?: Partial<Marks>;
  readonly selected?: RowAt | undefined;
  readonly centre?: RowAt | undefined;
  /** Called with the row that is clicked or found; `selected` is then the page's reaction. */
  readonly onSelect?: (row: RowAt | undefined) => void;
  readonly view?: SharedView;
}

export function Graph(props: GraphProps) {
  const { title, note, picture, marks, selected, centre, onSelect, view } = props;
  const words = useId();
  const [own, setOwn] = useState<RowAt | undefined>();
  const [found, setFound] = useState<ReadonlyArray<RowAt>>([]);
  const chosen = onSelect === undefined ? (selected ?? own) : selected;
  const choose = onSelect ?? setOwn;
  const stage = useRef<HTMLDivElement>(null);
  const graph = useGraph(stage, picture, choose, view);
  const { drawing } = picture;
  useEffect(() => {
    const hits = new Set(found.map(keyOf));
    graph.current?.mark({ ...NO_MARKS, ...marks, selected: chosen, hits });
  });
  useEffect(() => {
    if (centre !== undefined) graph.current?.go(centre);
  }, [centre?.card, centre?.row, picture]);
  return (
    <section class="graph" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span class="muted">{note ?? `${drawing.calls} calls`}</span>
        <Find
          title={title}
          picture={picture}
          onFound={setFound}
          onHit={(row) => {
            choose(row);
            graph.current?.go(row);
          }}
        />
        <Tools title={title} picture={picture} marks={marks} graph={graph} stage={stage} />
      </header>
      {drawing.omitted === undefined ? (
        <div class="stage" ref={stage}>
          <canvas
            tabIndex={0}
            role="img"
            aria-label={`${title}: a graph of ${drawing.calls} calls; arrows move, plus and minus zoom`}
            aria-describedby={words}
          />
          <div class="strip" aria-hidden="true">
            <canvas />
            <i />
          </div>
        </div>
      ) : (
        <p class="muted">Not drawn: {drawing.omitted}.</p>
      )}
      <p class="status" id={words} aria-live="polite">
        {chosen === undefined
          ? 'Drag or scroll to move, Ctrl and scroll to zoom, click to see a node.'
          : wordsOf(picture, chosen)}
      </p>
    </section>
  );
}

/** A reference that is set by the first effect. */
interface Held<A> {
  readonly current: A;
}

function useGraph(
  stage: Held<HTMLDivElement | null>,
  picture: Picture,
  onSelect: (row: RowAt | undefined) => void,
  view: SharedView | undefined,
): Held<GraphCanvas | undefined> {
  // The canvas outlives the render in which it is created.
  const select = useRef(onSelect);
  select.current = onSelect;
  const graph = useRef<GraphCanvas | undefined>(undefined);
  const model = useMemo(() => graphModel(picture), [picture]);
  const isDrawn = picture.drawing.omitted === undefined;
  useEffect(() => {
    const [canvas, strip] = stage.current?.querySelectorAll('canvas') ?? [];
    const seen = stage.current?.querySelector('i');
    if (canvas === undefined || strip === undefined || seen == null) return;
    const made = graphCanvas({ canvas, strip, seen }, (row) => select.current(row), view);
    graph.current = made;
    return () => {
      graph.current = undefined;
      made.dispose();
    };
  }, [isDrawn, view]);
  useEffect(() => graph.current?.show(model), [model, isDrawn, view]);
  return graph;
}

/** The search: Enter selects the next hit, Shift and Enter the previous one. */
function Find({
  title,
  picture,
  onFound,
  onHit,
}: {
  readonly title: string;
  readonly picture: Picture;
  readonly onFound: (rows: ReadonlyArray<RowAt>) => void;
  readonly onHit: (row: RowAt) => void;
}) {
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const rows = useMemo(() => rowsWith(picture, wanted), [picture, wanted]);
  useEffect(() => {
    onFound(rows);
    go(0);
  }, [rows]);
  const go = (next: number): void => {
    const index = rows.length === 0 ? 0 : (next + rows.length) % rows.length;
    setAt(index);
    const row = rows[index];
    if (row !== undefined) onHit(row);
  };
  return (
    <>
      <input
        type="search"
        placeholder="Find an operator or a node"
        aria-label={`Find in ${title}`}
        onInput={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(at + (event.shiftKey ? -1 : 1));
        }}
      />
      <output class="muted">{rows.length === 0 ? '' : `${at + 1} of ${rows.length}`}</output>
    </>
  );
}

function Tools({
  title,
  picture,
  marks,
  graph,
  stage,
}: {
  readonly title: string;
  readonly picture: Picture;
  readonly marks: Partial<Marks> | undefined;
  readonly graph: Held<GraphCanvas | undefined>;
  readonly stage: Held<HTMLDivElement | null>;
}) {
  /** Saves the visible part as an image. */
  const savePng = (): void =>
    stage.current?.querySelector('canvas')?.toBlob(async (blob) => {
      if (blob === null) return;
      const bytes = new Uint8Array(await blob.arrayBuffer());
      save([{ name: `${title.toLowerCase()}.png`, bytes }], 'image/png');
    });
  /** Saves the entire picture as a drawing. */
  const saveSvg = async (): Promise<void> => {
    const { svgOf } = await import('./graph-svg.ts');
    const text = svgOf(picture, { ...NO_MARKS, ...marks }, paletteOf(document.documentElement));
    save(
      [{ name: `${title.toLowerCase()}.svg`, bytes: new TextEncoder().encode(text) }],
      'image/svg+xml',
    );
  };
  return (
    <span class="tools">
      <button
        type="button"
        aria-label="zoom out"
        onClick={() => graph.current?.zoom(1 / ZOOM_STEP)}
      >
        −
      </button>
      <button type="button" aria-label="zoom in" onClick={() => graph.current?.zoom(ZOOM_STEP)}>
        +
      </button>
      <button type="button" onClick={() => graph.current?.fit()}>
        fit
      </button>
      <button type="button" aria-label={`save ${title} as PNG`} onClick={savePng}>
        PNG
      </button>
      <button type="button" aria-label={`save ${title} as SVG`} onClick={saveSvg}>
        SVG
      </button>
    </span>
  );
}
