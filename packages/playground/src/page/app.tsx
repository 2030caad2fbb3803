/** The page: a bar with the views, the engine's state, and the current view. */
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { VIEWS, type View } from './document.ts';
import { EXAMPLES } from './examples.ts';
import { filesOf } from './files.ts';
import { linkTo, type Session, useSession } from './session.ts';
import { ProgramView } from './views/program.tsx';

const NAMES: Readonly<Record<View, string>> = {
  program: 'Program',
  pipeline: 'Pipeline',
  egraph: 'E-graph',
  compare: 'Compare',
  run: 'Run',
  export: 'Export',
};

/** Views other than the first are loaded when they are first shown. */
const LATER: Readonly<Record<Exclude<View, 'program'>, () => Promise<ViewContent>>> = {
  pipeline: async () => (await import('./views/pipeline.tsx')).PipelineView,
  egraph: async () => (await import('./views/egraph.tsx')).EgraphView,
  compare: async () => (await import('./views/compare.tsx')).CompareView,
  run: async () => (await import('./views/run.tsx')).RunView,
  export: async () => (await import('./views/export.tsx')).ExportView,
};

type ViewContent = FunctionComponent<{ readonly session: Session }>;

/** The component of a view; `undefined` while it is loaded. */
function useContent(view: View): ViewContent | undefined {
  const [loaded, setLoaded] = useState<ReadonlyMap<View, ViewContent>>(
    new Map([['program', ProgramView]]),
  );
  useEffect(() => {
    if (view === 'program' || loaded.has(view)) return;
    void LATER[view]().then((content) => setLoaded((now) => new Map([...now, [view, content]])));
  }, [view]);
  return loaded.get(view);
}

export function App({ startWorker }: { readonly startWorker: () => Worker }) {
  const session = useSession(startWorker);
  const { document: shown, change, busy, trouble, client } = session;
  useDrop(session);
  useShortcuts(session);
  const Content = useContent(shown.view);
  return (
    <>
      <header class="bar">
        <h1>
          Baton <span class="muted">playground</span>
        </h1>
        <div role="tablist" aria-label="Views">
          {VIEWS.map((view) => (
            <button
              key={view}
              type="button"
              role="tab"
              id={`tab-${view}`}
              aria-selected={view === shown.view}
              aria-controls="view"
              onClick={() => change({ view }, true)}
            >
              {NAMES[view]}
            </button>
          ))}
        </div>
        <Tools session={session} />
      </header>
      <div class="news" aria-live="polite">
        {busy === undefined ? null : (
          <p class="busy" role="status">
            <span class="spinner" aria-hidden="true" /> {busy} …{' '}
            <button type="button" onClick={client.cancel}>
              Stop
            </button>
          </p>
        )}
        {trouble === undefined ? null : (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
      </div>
      <main data-view={shown.view}>
        <div id="view" role="tabpanel" aria-labelledby={`tab-${shown.view}`}>
          {Content === undefined ? null : <Content session={session} />}
        </div>
      </main>
    </>
  );
}

function Tools({ session }: { readonly session: Session }) {
  const { change, openFiles, undo, redo, document: shown } = session;
  const [link, setLink] = useState('');
  const share = async (): Promise<void> => {
    const address = await linkTo(shown);
    history.replaceState(undefined, '', address);
    try {
      await navigator.clipboard.writeText(address);
      setLink('link copied');
    } catch {
      setLink('the link is in the address bar');
    }
  };
  return (
    <div class="tools">
      <label>
        <span class="visually-hidden">Example</span>
        <select
          aria-label="Example"
          value=""
          onChange={(event) => {
            const example = EXAMPLES.find(({ name }) => name === event.currentTarget.value);
            if (example !== undefined)
              change({ file: undefined, at: 0, moment: 0, ...example.parts });
          }}
        >
          <option value="">Examples …</option>
          {EXAMPLES.map(({ name, doc }) => (
            <option key={name} value={name} title={doc}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="file">
        Open
        <input
          type="file"
          multiple
          aria-label="Open a model"
          onChange={async (event) => {
            const { files } = event.currentTarget;
            if (files !== null) openFiles(filesOf(files));
          }}
        />
      </label>
      <button type="button" onClick={undo} title="Ctrl+Alt+Z">
        Undo
      </button>
      <button type="button" onClick={redo} title="Ctrl+Alt+Y">
        Redo
      </button>
      <button type="button" onClick={share}>
        Share
      </button>
      <Theme />
      <output class="muted">{link}</output>
    </div>
  );
}

/** Overrides the system's choice of light or dark. */
function Theme() {
  const toggle = (): void => {
    const root = document.documentElement;
    const isDark =
      root.dataset.theme === undefined
        ? matchMedia('(prefers-color-scheme: dark)').matches
        : root.dataset.theme === 'dark';
    root.dataset.theme = isDark ? 'light' : 'dark';
    dispatchEvent(new Event('baton-theme'));
  };
  return (
    <button type="button" onClick={toggle} aria-label="Light or dark">
      ◐
    </button>
  );
}

/** Files may be dropped anywhere, as the program, or as the second one in that view. */
function useDrop({ openFiles, openOther, document: shown }: Session): void {
  useEffect(() => {
    const over = (event: DragEvent): void => event.preventDefault();
    const drop = async (event: DragEvent): Promise<void> => {
      event.preventDefault();
      const given = filesOf(event.dataTransfer?.files ?? []);
      if (given.length === 0) return;
      const isSecond =
        event.target instanceof Element && event.target.closest('[data-slot="b"]') !== null;
      if (isSecond) openOther({ kind: 'files', files: given });
      else openFiles(given);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, [shown.view]);
}

/** Alt and a digit select a view; Ctrl, Alt and Z or Y undo and redo. */
function useShortcuts({ change, undo, redo }: Session): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const view = event.altKey && !event.ctrlKey ? VIEWS[Number(event.key) - 1] : undefined;
      if (view !== undefined) change({ view }, true);
      else if (event.ctrlKey && event.altKey && event.key.toLowerCase() === 'z') undo();
      else if (event.ctrlKey && event.altKey && event.key.toLowerCase() === 'y') redo();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
