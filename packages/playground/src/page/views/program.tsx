/** The program as text and as a graph. */
import type { CompletionSource } from '@codemirror/autocomplete';
import { useMemo } from 'preact/hooks';
import type { OperatorInfo } from '../../protocol.ts';
import { FigureLine, Findings } from '../common.tsx';
import { Editor } from '../editor.tsx';
import { Graph } from '../graph.tsx';
import type { Session } from '../session.ts';

export function ProgramView({ session }: { readonly session: Session }) {
  const { document, change, program, findings, operators } = session;
  const isFile = document.file !== undefined;
  const complete = useMemo(
    () => (operators.length === 0 ? undefined : operatorsOf(operators)),
    [operators],
  );
  return (
    <div class="split">
      <div class="column">
        {isFile ? (
          <p>
            <strong>{document.file?.name}</strong>{' '}
            <button type="button" onClick={() => change({ file: undefined })}>
              Back to the text
            </button>
          </p>
        ) : null}
        <Editor
          key={isFile ? 'file' : 'text'}
          label="Program as Relay text"
          text={isFile ? (program?.text ?? '') : document.text}
          {...(isFile ? {} : { onChange: (text: string) => change({ text }, true) })}
          findings={isFile ? [] : findings}
          {...(complete === undefined ? {} : { complete })}
        />
        <Findings findings={findings} />
      </div>
      <div class="column">
        {program === undefined ? (
          <p class="muted">Type a program, choose an example, or drop an ONNX file anywhere.</p>
        ) : (
          <>
            <FigureLine figures={program.figures} />
            <p class="ports">
              {program.inputs.map(({ name, type }) => (
                <code key={name}>
                  %{name}: {type}
                </code>
              ))}{' '}
              → <code>{program.output}</code>
            </p>
            <Graph title="Graph" picture={program.picture} />
          </>
        )}
      </div>
    </div>
  );
}

/** Completes names of operators, with their documentation, and attributes in the parentheses of a call. */
const operatorsOf =
  (operators: ReadonlyArray<OperatorInfo>): CompletionSource =>
  (context) => {
    const word = context.matchBefore(/[A-Za-z_][\w.]*/);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    const line = context.state.doc.sliceString(Math.max(0, word.from - 500), word.from);
    const [, open] = /([A-Za-z_][\w.]*)\([^()]*$/.exec(line) ?? [];
    const attrs = operators.find(({ name }) => name === open)?.attrs ?? [];
    return {
      from: word.from,
      options: [
        ...attrs.map(({ name, doc }) => ({
          label: `${name}=`,
          type: 'property',
          info: doc,
          boost: 2,
        })),
        ...operators.map(({ name, doc }) => ({ label: name, type: 'function', info: doc })),
        ...KEYWORDS.map((label) => ({ label, type: 'keyword' })),
      ],
    };
  };

const KEYWORDS = ['def', 'let', 'fn', 'if', 'else', 'match', 'Tensor'];
