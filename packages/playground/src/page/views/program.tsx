/** The program as text and as a graph. */
import type { Extension } from '@codemirror/state';
import { useState } from 'preact/hooks';
import { FigureLine, Findings } from '../common.tsx';
import { Editor } from '../editor.tsx';
import { Graph } from '../graph.tsx';
import type { Session } from '../session.ts';

export function ProgramView({ session }: { readonly session: Session }) {
  const { document, change, program, findings, client } = session;
  const isFile = document.file !== undefined;
  const [services, setServices] = useState<Extension>();
  const enter = (): void => {
    if (services !== undefined) return;
    void import('../services.ts').then(({ servicesOf }) => setServices(servicesOf(client)));
  };
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
          onEnter={enter}
          findings={isFile ? [] : findings}
          {...(isFile || services === undefined ? {} : { services })}
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
