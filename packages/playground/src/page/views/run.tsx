/** Running a program: its inputs, its results, and the time of each kernel. */
import { useState } from 'preact/hooks';
import type { Execution, GivenInput } from '../../protocol.ts';
import { Block, Choice, cutText, milliseconds, SubjectChoice } from '../common.tsx';
import { Graph } from '../graph.tsx';
import { keyOf } from '../graph-model.ts';
import { Memory } from '../memory.tsx';
import type { Session } from '../session.ts';

export function RunView({ session }: { readonly session: Session }) {
  const { document, change, client, ask, program, trail } = session;
  const [inputs, setInputs] = useState<Readonly<Record<string, GivenInput>>>({});
  const [found, setFound] = useState<Execution>();
  const { subject, executor } = document;
  const run = async (): Promise<void> =>
    setFound(await ask(client.call('run', subject, executor, inputs)));
  return (
    <div class="split narrow">
      <div class="column">
        <SubjectChoice
          value={subject}
          hasRun={trail !== undefined}
          onChange={(next) => change({ subject: next })}
        />
        <Choice
          label="Executor"
          value={executor}
          options={[
            ['wasm', 'WebAssembly'],
            ['reference', 'reference'],
          ]}
          onChange={(next) => change({ executor: next })}
        />
        {program?.inputs.map(({ name, type }) => (
          <Input
            key={name}
            name={name}
            type={type}
            value={inputs[name] ?? ''}
            onChange={(value) => setInputs({ ...inputs, [name]: value })}
          />
        ))}
        <p>
          <button type="button" class="primary" onClick={run}>
            Run
          </button>
        </p>
      </div>
      <div class="column">{found === undefined ? null : <Results found={found} />}</div>
    </div>
  );
}

/** An input from the user: JSON, a NumPy array, or an image. */
function Input({
  name,
  type,
  value,
  onChange,
}: {
  readonly name: string;
  readonly type: string;
  readonly value: GivenInput;
  readonly onChange: (value: GivenInput) => void;
}) {
  const [file, setFile] = useState('');
  const isFile = typeof value !== 'string';
  return (
    <label>
      %{name} <span class="muted">{type}</span>
      <textarea
        class="wide mono"
        rows={2}
        aria-label={`Input ${name}`}
        placeholder={
          isFile
            ? `${file}, ${value.length} bytes`
            : 'made up, always the same; or JSON, such as [[1, 2], [3, 4]]'
        }
        value={isFile ? '' : value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <input
        type="file"
        aria-label={`File for ${name}: .npy or an image`}
        accept="image/*,.npy"
        onChange={async (event) => {
          const [given] = event.currentTarget.files ?? [];
          if (given === undefined) return;
          setFile(given.name);
          const isArray = /\.npy$/i.test(given.name);
          onChange(
            isArray ? new Uint8Array(await given.arrayBuffer()) : await imageText(given, type),
          );
        }}
      />
    </label>
  );
}

/** The pixels of an image, scaled to an input of 3 channels, as JSON: numbers from 0 to 1. */
async function imageText(file: File, type: string): Promise<string> {
  const [, channels = '3', height = '224', width = '224'] =
    /\((?:\d+, )?(\d+), (\d+), (\d+)\)/.exec(type) ?? [];
  const [h, w] = [Number(height), Number(width)];
  const canvas = new OffscreenCanvas(w, h);
  const context = canvas.getContext('2d');
  if (context === null) return '';
  context.drawImage(await createImageBitmap(file), 0, 0, w, h);
  const { data } = context.getImageData(0, 0, w, h);
  const plane = (channel: number): number[][] =>
    Array.from({ length: h }, (_, y) =>
      Array.from(
        { length: w },
        (__, x) => Math.round((data[4 * (y * w + x) + channel] ?? 0) / 0.255) / 1000,
      ),
    );
  return JSON.stringify([Array.from({ length: Number(channels) }, (_, c) => plane(c % 3))]);
}

function Results({ found }: { readonly found: Execution }) {
  const { outputs, ms, low, high, runs, prepareMs, kernels, memory, picture } = found;
  const longest = Math.max(1e-9, ...kernels.map((kernel) => kernel.ms));
  const total = kernels.reduce((sum, kernel) => sum + kernel.ms, 0);
  const heat = new Map(
    kernels.flatMap((kernel) =>
      kernel.rows.map((at) => [keyOf({ card: at[0], row: at[1] }), kernel.ms / longest] as const),
    ),
  );
  return (
    <>
      <p class="time">
        <strong>{milliseconds(ms)}</strong>{' '}
        <span class="muted">
          the middle of {runs} runs, from {milliseconds(low)} to {milliseconds(high)}; prepared in{' '}
          {milliseconds(prepareMs)}
        </span>
      </p>
      {outputs.map(({ name, type, text }) => (
        <figure key={name} class="output">
          <figcaption>
            <code>{name}</code> <span class="muted">{type}</span>
          </figcaption>
          <Block text={cutText(text)} />
        </figure>
      ))}
      {kernels.length === 0 ? null : (
        <table class="kernels">
          <caption>Time of each kernel in a run</caption>
          <thead>
            <tr>
              <th>kernel</th>
              <th>from</th>
              <th>time</th>
              <th>share</th>
            </tr>
          </thead>
          <tbody>
            {kernels
              .toSorted((one, next) => next.ms - one.ms)
              .slice(0, 100)
              .map(({ name, place, ms: time }, i) => (
                <tr key={i}>
                  <td>
                    <code>{name}</code>
                  </td>
                  <td>{place}</td>
                  <td>{milliseconds(time)}</td>
                  <td>
                    <meter min={0} max={1} value={total === 0 ? 0 : time / total} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      <Graph title="Time on the graph" picture={picture} marks={{ heat }} />
      {memory === undefined ? null : <Memory memory={memory} />}
    </>
  );
}
