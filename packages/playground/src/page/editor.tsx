/** Text editors in a shadow root, which may have style sheets on a page with a strict policy. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import type { Finding } from '../protocol.ts';
import { relayColours } from './relay-colours.ts';

/** Colours follow the page: custom properties are inherited by a shadow root. */
export const THEME = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--paper)', height: '100%', fontSize: '13px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--soft)', color: 'var(--muted)', border: 'none' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '&.cm-focused .cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--soft)', border: '1px solid var(--line)' },
  '.baton-hover': { maxWidth: '480px', padding: '4px 8px', whiteSpace: 'pre-wrap' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
});

export const READ_ONLY: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];

export function rootOf(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: 'open' });
}

export function frameIn(root: ShadowRoot): HTMLElement {
  const frame = document.createElement('div');
  frame.style.height = '100%';
  root.replaceChildren(frame);
  return frame;
}

/** Marks a change by the page, not by the user. */
const GIVEN = Annotation.define<boolean>();

export interface EditorProps {
  readonly label: string;
  readonly text: string;
  readonly onChange?: (text: string) => void;
  readonly findings?: ReadonlyArray<Finding>;
  readonly services?: Extension;
  /** Called when the user enters the editor, by keys or pointer. */
  readonly onEnter?: () => void;
  /** Whether to colour the text as Relay. */
  readonly isRelay?: boolean;
}

/** An editor; without `onChange` it is read-only. */
export function Editor({
  label,
  text,
  onChange,
  findings = [],
  services,
  onEnter,
  isRelay = true,
}: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | undefined>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  /** The last text that the editor reported; older ones may arrive before the page has it. */
  const told = useRef<string | undefined>(undefined);
  /** The services arrive later, and must not recreate the editor. */
  const asked = useRef(new Compartment());
  /** Whether errors have been marked: the code for it is loaded with the first. */
  const marked = useRef(false);
  const isReadOnly = onChange === undefined;
  useEffect(() => {
    if (host.current === null) return;
    const root = rootOf(host.current);
    const made = new EditorView({
      parent: frameIn(root),
      root,
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        bracketMatching(),
        ...(isRelay ? [relayColours] : []),
        asked.current.of(services ?? []),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        THEME,
        ...(isReadOnly ? [READ_ONLY] : []),
        EditorView.updateListener.of((update) => {
          const isGiven = update.transactions.some((one) => one.annotation(GIVEN) === true);
          if (!update.docChanged || isGiven) return;
          told.current = update.state.doc.toString();
          change.current?.(told.current);
        }),
      ],
    });
    // A long text scrolls by keys even if it is read-only.
    made.scrollDOM.tabIndex = 0;
    editor.current = made;
    return () => made.destroy();
  }, [isReadOnly]);
  useEffect(() => {
    const effects = asked.current.reconfigure(services ?? []);
    editor.current?.dispatch({ effects });
  }, [services]);
  useEffect(() => {
    const made = editor.current;
    if (made === undefined) return;
    const isThere = made.state.doc.toString() === text;
    if (isThere) told.current = undefined;
    if (isThere || told.current !== undefined) return;
    const changes = { from: 0, to: made.state.doc.length, insert: text };
    made.dispatch({ changes, annotations: GIVEN.of(true) });
  }, [text]);
  useEffect(() => {
    const made = editor.current;
    if (made === undefined || (findings.length === 0 && !marked.current)) return;
    marked.current = true;
    void import('./marks.ts').then(({ mark }) => mark(made, findings));
  }, [findings]);
  return <div class="editor" ref={host} onFocusIn={onEnter} onPointerEnter={onEnter} />;
}
