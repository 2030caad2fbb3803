/** Two programs: whether they compute the same, and the first node that differs. */
import { useState } from 'preact/hooks';
import type { Comparison } from '../../protocol.ts';
import { Block } from '../common.tsx';
import { filesOf } from '../files.ts';
import { Graph } from '../graph.tsx';
import type { Session } from '../session.ts';

export function CompareView({ session }: { readonly session: Session }) {
  const { document, change, client, ask, program, other, openOther } = session;
  const [found, setFound] = useState<Comparison>();
  const compare = async (): Promise<void> => setFound(await ask(client.call('compare')));
  return (
    <div class="stack">
      <div class="pair" data-slot="pair">
        <section class="drop" data-slot="a">
          <h2>First</h2>
          <p>{program === undefined ? 'Open a program.' : describe(program)}</p>
        </section>
        <section class="drop" data-slot="b">
          <h2>Second</h2>
          <p>
            {other === undefined
              ? 'Drop a file here, or type a program. Without one, the first is compared with what the pipeline made of it.'
              : describe(other)}
          </p>
          <input
            type="file"
            multiple
            aria-label="Open the second model"
            onChange={async (event) => {
              const { files } = event.currentTarget;
              if (files !== null) openOther({ kind: 'files', files: filesOf(files) });
            }}
          />
          <details>
            <summary>as text</summary>
            <textarea
              class="wide mono"
              aria-label="Second program as text"
              rows={8}
              value={document.other}
              onInput={(event) => change({ other: event.currentTarget.value }, true)}
            />
            <button type="button" onClick={() => openOther({ kind: 'text', text: document.other })}>
              Use this text
            </button>
          </details>
        </section>
      </div>
      <p>
        <button type="button" class="primary" onClick={compare}>
          Compare
        </button>
      </p>
      {found === undefined ? null : <Findings found={found} />}
    </div>
  );
}

const describe = ({ name, figures }: NonNullable<Session['program']>): string =>
  `${name}, ${figures.nodes} nodes`;

function Findings({ found }: { readonly found: Comparison }) {
  const { verdict, regimes, first, counterexample, a, b, gone, come } = found;
  const colours = (keys: ReadonlyArray<string>, colour: string) =>
    new Map(keys.map((key) => [key, colour] as const));
  const place =
    first?.card === undefined || first.row === undefined
      ? undefined
      : { card: first.card, row: first.row };
  return (
    <>
      <p class={`verdict ${verdict}`} data-verdict={verdict}>
        {VERDICTS[verdict]}
      </p>
      {first === undefined ? null : (
        <p class="first">
          The first node of the second program that differs: <strong>{first.node}</strong>
          {first.closest === undefined
            ? '; the first program has no value of its shape.'
            : `; the closest of the first program is ${first.closest}, off by ${first.error?.toExponential(1)}.`}
        </p>
      )}
      {counterexample === undefined ? null : <Block text={counterexample} />}
      <table>
        <thead>
          <tr>
            <th>inputs</th>
            <th>verdict</th>
          </tr>
        </thead>
        <tbody>
          {regimes.map(({ name, verdict: one }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{one}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="pair">
        <Graph title="First" picture={a} marks={{ colours: colours(gone, 'bad') }} />
        <Graph
          title="Second"
          picture={b}
          marks={{ colours: colours(come, 'good') }}
          centre={place}
          selected={place}
        />
      </div>
    </>
  );
}

const VERDICTS: Readonly<Record<Comparison['verdict'], string>> = {
  equal: 'Equal on inputs of every kind that applies.',
  different: 'Different.',
  unknown: 'Not comparable by running them.',
};
