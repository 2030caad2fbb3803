/** Compares two texts next to each other. */
import { MergeView } from '@codemirror/merge';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { frameIn, READ_ONLY, rootOf, THEME } from './editor.tsx';
import { relayColours } from './relay-colours.ts';

const CHANGES = EditorView.theme({
  '.cm-changedLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 9%, transparent)' },
  '.cm-changedText': { background: 'color-mix(in srgb, var(--accent) 26%, transparent)' },
});

export interface DifferenceProps {
  readonly before: string;
  readonly after: string;
}

/** Longer texts are compared line by line only up to this number of characters. */
const SCAN_LIMIT = 2_000;

/** Two texts next to each other, with their differences marked. */
export function Difference({ before, after }: DifferenceProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const root = rootOf(host.current);
    const extensions = [lineNumbers(), relayColours, THEME, CHANGES, READ_ONLY];
    const merged = new MergeView({
      parent: frameIn(root),
      root,
      a: { doc: before, extensions },
      b: { doc: after, extensions },
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: { scanLimit: SCAN_LIMIT, timeout: 500 },
    });
    merged.dom.style.height = '100%';
    merged.dom.style.overflow = 'auto';
    return () => merged.destroy();
  }, [before, after]);
  return <div class="editor difference" ref={host} />;
}
