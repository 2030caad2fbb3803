/** Errors in an editor: underlined, and marked in the margin. */
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Finding } from '../protocol.ts';

const ready = new WeakSet<EditorView>();

/** Replaces the findings shown before. */
export function mark(view: EditorView, findings: ReadonlyArray<Finding>): void {
  if (!ready.has(view)) view.dispatch({ effects: StateEffect.appendConfig.of(lintGutter()) });
  ready.add(view);
  const { length } = view.state.doc;
  const shown = findings.map((finding): Diagnostic => {
    const from = Math.min(finding.from ?? 0, length);
    return {
      from,
      to: Math.min(length, Math.max(from, finding.to ?? from)),
      severity: finding.severity,
      message: [finding.message, finding.hint].filter(Boolean).join('\n'),
    };
  });
  view.dispatch(setDiagnostics(view.state, shown));
}
