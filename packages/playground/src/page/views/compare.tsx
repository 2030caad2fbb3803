/** Two programs: whether they are equivalent, the error of each node, the first difference. */
import type { RowAt } from '@baton/drawing';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Comparison, NodeErrorRow } from '../../protocol.ts';
import { Block } from '../common.tsx';
import { filesOf } from '../files.ts';
import { keyOf } from '../graph-model.ts';
import { Pair } from '../pair.tsx';
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
  const { verdict, regimes, first, counterexample, errors, graphs } = found;
  const [wanted, setWanted] = useState<RowAt | undefined>(first?.at);
  useEffect(() => setWanted(first?.at), [found]);
  const isEqual = verdict === 'equal';
  const heat = useMemo(() => {
    // Equal programs may differ inside: a factor that moved between nodes is no error.
    const shown = isEqual ? [] : errors;
    return [
      new Map(shown.flatMap((one) => heatOf(one.firstAt, one))),
      new Map(shown.flatMap((one) => heatOf(one.secondAt, one))),
    ] as const;
  }, [found]);
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
      <Errors errors={errors} first={first?.at} isEqual={isEqual} onShow={setWanted} />
      <Pair titles={['First', 'Second']} graphs={graphs} heat={heat} wanted={wanted} />
    </>
  );
}

const MOST_ERRORS = 300;

/** The largest error of each aligned node. A row links to its node in the graphs. */
function Errors({
  errors,
  first,
  isEqual,
  onShow,
}: {
  readonly errors: ReadonlyArray<NodeErrorRow>;
  readonly first: RowAt | undefined;
  readonly isEqual: boolean;
  readonly onShow: (row: RowAt | undefined) => void;
}) {
  const [isOnlyDifferent, setOnlyDifferent] = useState(false);
  if (errors.length === 0) return null;
  const shown = isOnlyDifferent ? errors.filter(({ isDifferent }) => isDifferent) : errors;
  const isFirst = ({ secondAt }: NodeErrorRow): boolean =>
    first !== undefined && secondAt?.card === first.card && secondAt.row === first.row;
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={isOnlyDifferent}
          onChange={() => setOnlyDifferent(!isOnlyDifferent)}
        />{' '}
        only nodes that differ
      </label>
      <table class="errors">
        <caption>
          The largest error at each node, {errors.length} in all
          {shown.length > MOST_ERRORS ? `, of which the first ${MOST_ERRORS} are listed` : ''}
        </caption>
        <thead>
          <tr>
            <th>node of the second</th>
            <th>node of the first</th>
            <th>error</th>
            <th>relative</th>
            <th>verdict</th>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, MOST_ERRORS).map((one, i) => (
            <tr key={i} data-first={isFirst(one) ? '' : undefined}>
              <td>
                <button type="button" onClick={() => onShow(one.secondAt && { ...one.secondAt })}>
                  {one.second}
                </button>
              </td>
              <td>{one.first}</td>
              <td>{errorText(one.absolute)}</td>
              <td>{errorText(one.relative)}</td>
              <td class={one.isDifferent && !isEqual ? 'bad' : 'muted'}>
                {isFirst(one)
                  ? 'the first difference'
                  : one.isDifferent
                    ? isEqual
                      ? 'another value inside'
                      : 'different'
                    : 'the same'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const errorText = (error: number): string => (error === 0 ? '0' : error.toExponential(1));

/** The number of float32 digits that an error destroys, relative to all digits. */
const heatOf = (
  at: RowAt | undefined,
  { relative, isDifferent }: NodeErrorRow,
): ReadonlyArray<readonly [string, number]> =>
  at === undefined || !isDifferent
    ? []
    : [[keyOf(at), Math.min(1, Math.max(0.05, (Math.log10(relative) + DIGITS) / DIGITS))]];

/** The decimal digits of a number in float32. */
const DIGITS = 7;

const VERDICTS: Readonly<Record<Comparison['verdict'], string>> = {
  equal: 'Equal on inputs of every kind that applies.',
  different: 'Different.',
  unknown: 'Not comparable by running them.',
};
