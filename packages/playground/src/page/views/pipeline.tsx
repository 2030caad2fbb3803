/** The pipeline: a list of passes, and the program before and after each. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PassInfo, Step, StepView, Trail, WhyNot } from '../../protocol.ts';
import { cutText, Delta, FigureLine, Findings, milliseconds, short } from '../common.tsx';
import { Difference } from '../later.tsx';
import { Pair } from '../pair.tsx';
import type { Session } from '../session.ts';

export function PipelineView({ session }: { readonly session: Session }) {
  const { document, trail, program } = session;
  return (
    <div class="split narrow">
      <div class="column">
        <Presets session={session} />
        <StepList session={session} />
        <AddStep session={session} />
      </div>
      <div class="column">
        {program === undefined ? (
          <p class="muted">Open a program first.</p>
        ) : trail === undefined ? (
          <p class="muted">Choose a level, or add a pass.</p>
        ) : (
          <>
            <Findings findings={trail.findings} />
            <Totals trail={trail} />
            <Slider session={session} trail={trail} />
            <StepDetail
              session={session}
              trail={trail}
              at={Math.min(document.at, trail.steps.length - 1)}
            />
          </>
        )}
      </div>
    </div>
  );
}

/** The options of fusion as a good backend does it. */
const FUSION = { level: 3, movements: true, composites: true };

function Presets({ session }: { readonly session: Session }) {
  const { catalogue, change } = session;
  return (
    <p class="presets">
      <span>Level</span>
      {catalogue?.levels.map((steps, level) => (
        <button key={level} type="button" onClick={() => change({ steps, at: 0 })}>
          {level}
        </button>
      ))}
      <button
        type="button"
        disabled={catalogue === undefined}
        onClick={() =>
          change({
            steps: [
              ...(catalogue?.levels[3] ?? []),
              { key: 'rules:common', options: {}, isOn: true },
              // The fusion with which the estimate compares programs.
              { key: 'fuseOps', options: FUSION, isOn: true },
            ],
            at: 0,
          })
        }
      >
        3, rules, fusion
      </button>
      <button type="button" onClick={() => change({ steps: [], at: 0 })}>
        none
      </button>
    </p>
  );
}

function StepList({ session }: { readonly session: Session }) {
  const { document, change, catalogue, trail } = session;
  const { steps, at } = document;
  const infos = useMemo(
    () => new Map(catalogue?.passes.map((info) => [info.key, info])),
    [catalogue],
  );
  const replace = (index: number, step: Step): void =>
    change({ steps: steps.map((old, i) => (i === index ? step : old)) });
  const move = (index: number, by: number): void => {
    const moved = [...steps];
    const [step] = moved.splice(index, 1);
    if (step === undefined) return;
    moved.splice(Math.max(0, index + by), 0, step);
    change({ steps: moved });
  };
  let ran = -1;
  return (
    <ol class="steps">
      {steps.map((step, i) => {
        const info = infos.get(step.key);
        const name = info?.name ?? step.key;
        if (step.isOn) ran += 1;
        const own = ran;
        const result = step.isOn ? trail?.steps[own] : undefined;
        const isShown = step.isOn && own === at;
        return (
          <li
            key={`${step.key} ${i}`}
            class={`${result?.isChanged === true ? 'changed' : ''} ${isShown ? 'shown' : ''}`}
            data-pass={name}
          >
            <input
              type="checkbox"
              checked={step.isOn}
              aria-label={`run ${name}`}
              onChange={() => replace(i, { ...step, isOn: !step.isOn })}
            />
            <button
              type="button"
              class="name"
              title={info?.doc ?? ''}
              aria-current={isShown ? 'step' : undefined}
              onClick={() => step.isOn && change({ at: own }, true)}
            >
              {name}
            </button>
            <span class="muted">
              {result === undefined ? (
                ''
              ) : (
                <Delta before={result.before.nodes} after={result.after.nodes} />
              )}
            </span>
            <button type="button" aria-label={`move ${name} up`} onClick={() => move(i, -1)}>
              ↑
            </button>
            <button type="button" aria-label={`move ${name} down`} onClick={() => move(i, 1)}>
              ↓
            </button>
            <button
              type="button"
              aria-label={`remove ${name}`}
              onClick={() => change({ steps: steps.filter((_, other) => other !== i) })}
            >
              ×
            </button>
            <Options
              info={info}
              step={step}
              onChange={(options) => replace(i, { ...step, options })}
            />
          </li>
        );
      })}
    </ol>
  );
}

/** The options of a pass, as JSON or as the text of rules. */
function Options({
  info,
  step,
  onChange,
}: {
  readonly info: PassInfo | undefined;
  readonly step: Step;
  readonly onChange: (options: Step['options']) => void;
}) {
  if (info === undefined || info.options.length === 0) return null;
  const set = (name: string, text: string): void => {
    const { [name]: _, ...rest } = step.options;
    onChange(
      text.trim() === '' ? rest : { ...rest, [name]: name === 'rules' ? text : optionOf(text) },
    );
  };
  return (
    <details class="options">
      <summary>options{Object.keys(step.options).length === 0 ? '' : ' •'}</summary>
      {info.options.map(({ name, expected }) => {
        const value = step.options[name];
        const text =
          value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
        return (
          <div key={name}>
            {name} <span class="muted">{expected}</span>
            {name === 'rules' ? (
              <textarea
                rows={3}
                aria-label={name}
                value={text}
                onChange={(event) => set(name, event.currentTarget.value)}
              />
            ) : (
              <input
                aria-label={name}
                value={text}
                onChange={(event) => set(name, event.currentTarget.value)}
              />
            )}
          </div>
        );
      })}
    </details>
  );
}

/** The value of an option: JSON, or else the text itself. */
function optionOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function AddStep({ session }: { readonly session: Session }) {
  const { catalogue, document, change } = session;
  const groups = [
    ['pass', 'Passes'],
    ['rules', 'Rules, one after another'],
    ['search', 'Search with rules'],
  ] as const;
  return (
    <select
      aria-label="Add a pass"
      value=""
      onChange={(event) => {
        const key = event.currentTarget.value;
        if (key !== '') change({ steps: [...document.steps, { key, options: {}, isOn: true }] });
      }}
    >
      <option value="">Add a pass …</option>
      {groups.map(([group, label]) => (
        <optgroup key={group} label={label}>
          {catalogue?.passes
            .filter((info) => info.group === group && !info.key.startsWith('level:'))
            .map(({ key, name, doc }) => (
              <option key={key} value={key} title={doc}>
                {name}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

/** Compares the program before the first step with that after the last. */
function Totals({ trail }: { readonly trail: Trail }) {
  const [before, after] = [trail.steps[0]?.before, trail.steps.at(-1)?.after];
  if (before === undefined || after === undefined) return null;
  return (
    <p class="totals" data-nodes={`${before.nodes} ${after.nodes}`}>
      In all: {short(before.nodes)} → <strong>{short(after.nodes)}</strong> nodes{' '}
      <Delta before={before.nodes} after={after.nodes} />, {short(before.kernels)} →{' '}
      <strong>{short(after.kernels)}</strong> kernels, estimated{' '}
      {milliseconds(before.estimatedMs ?? 0)} →{' '}
      <strong>{milliseconds(after.estimatedMs ?? 0)}</strong>{' '}
      <Delta before={before.estimatedMs ?? 0} after={after.estimatedMs ?? 0} />
    </p>
  );
}

function Slider({ session, trail }: { readonly session: Session; readonly trail: Trail }) {
  const { document, change } = session;
  const last = trail.steps.length - 1;
  const at = Math.min(document.at, last);
  const nextChange = (by: number): void => {
    for (let i = at + by; i >= 0 && i <= last; i += by) {
      if (trail.steps[i]?.isChanged === true) {
        change({ at: i }, true);
        return;
      }
    }
  };
  if (last < 0) return null;
  return (
    <p class="slider">
      <button type="button" onClick={() => nextChange(-1)}>
        ‹ change
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label="Step of the pipeline"
        aria-valuetext={trail.steps[at]?.name ?? ''}
        onInput={(event) => change({ at: Number(event.currentTarget.value) }, true)}
      />
      <button type="button" onClick={() => nextChange(1)}>
        change ›
      </button>
      <output>
        {at + 1} of {last + 1}
      </output>
    </p>
  );
}

function StepDetail({
  session,
  trail,
  at,
}: {
  readonly session: Session;
  readonly trail: Trail;
  readonly at: number;
}) {
  const { client, ask } = session;
  const [view, setView] = useState<StepView>();
  const [isText, setText] = useState(false);
  useEffect(() => {
    let isWanted = true;
    if (at < 0) return;
    void ask(client.call('step', at)).then((found) => {
      if (isWanted) setView(found);
    });
    return () => {
      isWanted = false;
    };
  }, [trail, at]);
  const step = trail.steps[at];
  if (step === undefined || view === undefined) return null;
  return (
    <section class="step" data-step={step.name}>
      <h2>{step.name}</h2>
      <p>
        {step.doc} <span class="muted">{milliseconds(step.ms)}</span>
      </p>
      <FigureLine figures={step.after} />
      <Fate view={view} />
      <WhyNotForm session={session} trail={trail} at={at} />
      <p>
        <label>
          <input type="checkbox" checked={isText} onChange={() => setText(!isText)} /> as text
        </label>
      </p>
      {isText ? (
        <Difference before={view.textBefore} after={view.textAfter} />
      ) : (
        <Pair titles={['Before', 'After']} graphs={view.graphs} />
      )}
    </section>
  );
}

/** Explains why a rule does not apply to the program before a step. */
function WhyNotForm({
  session: { client, ask, catalogue },
  trail,
  at,
}: {
  readonly session: Session;
  readonly trail: Trail;
  readonly at: number;
}) {
  const [rule, setRule] = useState('');
  const [found, setFound] = useState<WhyNot>();
  useEffect(() => setFound(undefined), [trail, at]);
  return (
    <form
      class="why"
      onSubmit={async (event) => {
        event.preventDefault();
        setFound(await ask(client.call('whyNot', at, rule)));
      }}
    >
      <label>
        Why not{' '}
        <input
          type="search"
          class="mono rule"
          list="rule-names"
          aria-label="A rule, by name or as an equation"
          placeholder="a rule: its name, or multiply(?x, 1) = ?x"
          value={rule}
          onInput={(event) => setRule(event.currentTarget.value)}
        />
      </label>
      <datalist id="rule-names">
        {catalogue?.rules.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="submit" disabled={rule.trim() === ''}>
        Ask
      </button>
      {found === undefined ? null : (
        <p class="answer" data-used={found.isUsed}>
          <code>{found.equation}</code>
          <br />
          {cutText(found.text)}
        </p>
      )}
    </form>
  );
}

/** The calls that a step removed, added and merged, and the rules that fired. */
function Fate({ view }: { readonly view: StepView }) {
  const groups = [
    ['removed', view.removed],
    ['added', view.added],
    ['took in others', view.rewritten],
  ] as const;
  return (
    <>
      <ul class="fate">
        {groups.flatMap(([name, calls]) =>
          calls.map(({ op, into, count }) => (
            <li key={`${name} ${op} ${into}`}>
              <span class="muted">{name}</span> {count} × <code>{op}</code>
              {into === '' ? null : <span class="muted"> → {into}</span>}
            </li>
          )),
        )}
      </ul>
      {view.fired.length === 0 ? null : (
        <table class="fired">
          <caption>What applied</caption>
          <thead>
            <tr>
              <th>rule or case</th>
              <th>times</th>
              <th>equation</th>
              <th>known</th>
            </tr>
          </thead>
          <tbody>
            {view.fired.map(({ row, count, equation, state }) => (
              <tr key={row}>
                <td>{row}</td>
                <td>{count}</td>
                <td>{equation === undefined ? '' : <code>{equation}</code>}</td>
                <td>{state ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
