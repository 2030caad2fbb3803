/** E-graphs round by round, the proof, and the user's own rules. */
import type { RowAt } from '@baton/drawing';
import { useState } from 'preact/hooks';
import type { Moment, ProofLine, RuleVerdict, Search } from '../../protocol.ts';
import { Block, Choice, milliseconds } from '../common.tsx';
import { Graph } from '../graph.tsx';
import type { Session } from '../session.ts';

export function EgraphView({ session }: { readonly session: Session }) {
  const { document, change, client, ask } = session;
  const [search, setSearch] = useState<Search>();
  const [verdicts, setVerdicts] = useState<ReadonlyArray<RuleVerdict>>();
  const isTerm = document.searched === 'term';
  const start = async (): Promise<void> => {
    const found = await ask(
      isTerm
        ? client.call('searchTerm', document.term, document.termRules)
        : client.call('searchProgram', document.rules),
    );
    setSearch(found);
    change({ moment: 0 }, true);
  };
  const test = async (): Promise<void> =>
    setVerdicts(await ask(client.call('tryRules', document.rules)));
  return (
    <div class="split narrow">
      <div class="column">
        <Choice
          label="Search"
          value={document.searched}
          options={[
            ['term', 'a term'],
            ['program', 'the program'],
          ]}
          onChange={(searched) => {
            change({ searched });
            setSearch(undefined);
          }}
        />
        {isTerm ? (
          <>
            <label>
              Term
              <input
                class="wide mono"
                value={document.term}
                onInput={(event) => change({ term: event.currentTarget.value }, true)}
              />
            </label>
            <label>
              Rules, one on a line: <code>name: ?x * 1 = ?x</code>
              <textarea
                class="wide mono"
                rows={8}
                value={document.termRules}
                onInput={(event) => change({ termRules: event.currentTarget.value }, true)}
              />
            </label>
          </>
        ) : (
          <label>
            Your rules, besides the common ones: <code>mine: divide(?x, 1) = ?x</code>
            <textarea
              class="wide mono"
              aria-label="Your rules"
              rows={6}
              value={document.rules}
              onInput={(event) => change({ rules: event.currentTarget.value }, true)}
            />
          </label>
        )}
        <p>
          <button type="button" class="primary" onClick={start}>
            Saturate
          </button>{' '}
          {isTerm ? null : (
            <button type="button" onClick={test}>
              Test my rules
            </button>
          )}
        </p>
        {isTerm || verdicts === undefined ? null : <Verdicts verdicts={verdicts} />}
        {search === undefined ? null : <Result search={search} isTerm={isTerm} />}
      </div>
      <div class="column">
        {search === undefined ? (
          <p class="muted">
            An e-graph keeps both sides of every rule: a box is a class of equal terms, a row in it
            one way to compute them. Saturate, then step through the rounds.
          </p>
        ) : (
          <Moments session={session} search={search} />
        )}
      </div>
    </div>
  );
}

function Moments({
  session,
  search: { moments, unit },
}: {
  readonly session: Session;
  readonly search: Search;
}) {
  const { document, change } = session;
  const [chosen, setChosen] = useState<RowAt | undefined>();
  const at = Math.min(document.moment, moments.length - 1);
  const moment = moments[at];
  if (moment === undefined) return <p class="muted">No rule matches.</p>;
  const go = (to: number): void =>
    change({ moment: Math.max(0, Math.min(moments.length - 1, to)) }, true);
  const colours = new Map(
    moment.chosen.flatMap((row, card) =>
      row === undefined ? [] : [[`${card}:${row}`, 'good'] as const],
    ),
  );
  return (
    <>
      <p class="slider">
        <button type="button" onClick={() => go(at - 1)}>
          ‹ round
        </button>
        <input
          type="range"
          min={0}
          max={moments.length - 1}
          value={at}
          aria-label="Round"
          aria-valuetext={moment.title}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
        <button type="button" onClick={() => go(at + 1)}>
          round ›
        </button>
        <output>
          {moment.title}: {moment.nodes} nodes in {moment.classes} classes
        </output>
      </p>
      <ul class="fate">
        {moment.rules.map(({ name, matches, applied }) => (
          <li key={name}>
            <code>{name}</code>{' '}
            <span class="muted">
              {matches} matches, {applied} new
            </span>
          </li>
        ))}
      </ul>
      <Graph
        title="E-graph"
        note={`${moment.classes} classes`}
        picture={moment.picture}
        marks={{ colours }}
        selected={chosen}
        onSelect={setChosen}
      />
      {chosen === undefined ? null : (
        <Alternatives moment={moment} card={chosen.card} unit={unit} />
      )}
    </>
  );
}

/** The ways to compute a class, cheapest first, each with the cost of its cheapest term. */
function Alternatives({
  moment: { picture, ids, chosen, costs },
  card,
  unit,
}: {
  readonly moment: Moment;
  readonly card: number;
  readonly unit: Search['unit'];
}) {
  const own = picture.drawing.cards[card]?.rows;
  if (own === undefined) return null;
  const rows = own.map(({ op }, i) => ({
    words: picture.texts[op] ?? '',
    cost: costs?.[card]?.[i],
    isChosen: chosen[card] === i,
  }));
  return (
    <table class="alternatives">
      <caption>
        Class #{ids[card]}: {rows.length} {rows.length === 1 ? 'way' : 'ways'} to compute it
      </caption>
      <thead>
        <tr>
          <th>node</th>
          <th>cost with all it needs</th>
          <th>chosen</th>
        </tr>
      </thead>
      <tbody>
        {rows
          .toSorted((a, b) => (a.cost ?? 0) - (b.cost ?? 0))
          .map(({ words, cost, isChosen }, i) => (
            <tr key={i}>
              <td>
                <code>{words}</code>
              </td>
              <td>
                {cost === undefined
                  ? 'known at the end'
                  : unit === 'ms'
                    ? milliseconds(cost)
                    : `${cost} nodes`}
              </td>
              <td class="good">{isChosen ? 'chosen' : ''}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function Result({ search, isTerm }: { readonly search: Search; readonly isTerm: boolean }) {
  return (
    <section aria-label="Result" class="result">
      <p>
        The search ended: <strong>{search.stopped}</strong>.
      </p>
      <p>
        {isTerm
          ? `The smallest term, of ${search.cost} nodes`
          : `The cheapest program, estimated ${milliseconds(search.cost)}`}
        :
      </p>
      <Block kind="best" text={search.best} />
      <Proof lines={search.proof} isTerm={isTerm} />
    </section>
  );
}

/** A proof, line by line: a step is shown with those before it. */
function Proof({
  lines,
  isTerm,
}: {
  readonly lines: ReadonlyArray<ProofLine>;
  readonly isTerm: boolean;
}) {
  const [seen, setSeen] = useState(lines.length);
  if (lines.length === 0) return null;
  return (
    <section aria-label="Proof">
      <h3>{isTerm ? 'Proof' : 'Proof, each step after those that it needs'}</h3>
      <p>
        <button type="button" onClick={() => setSeen(Math.max(1, seen - 1))}>
          ‹ step
        </button>{' '}
        <button type="button" onClick={() => setSeen(Math.min(lines.length, seen + 1))}>
          step ›
        </button>
      </p>
      <ol class="proof">
        {lines.slice(0, seen).map(({ term, by, direction }, i) => (
          <li key={i}>
            <code>{term}</code>
            {by === '' ? null : (
              <span class="muted">
                {' '}
                {direction === 'backward' ? '⇐' : '⇒'} {by}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Verdicts({ verdicts }: { readonly verdicts: ReadonlyArray<RuleVerdict> }) {
  return (
    <ul class="verdicts">
      {verdicts.map(({ name, equation, verdict, detail }) => (
        <li key={name} data-verdict={verdict}>
          <strong class={verdict === 'refuted' ? 'bad' : verdict === 'fires' ? 'good' : ''}>
            {verdict}
          </strong>{' '}
          {name}: <code>{equation}</code>
          <Block text={detail} />
        </li>
      ))}
    </ul>
  );
}
