/** Exports a program: files, code, and a link. */
import { useState } from 'preact/hooks';
import type { BugReport, ExportForm, Step } from '../../protocol.ts';
import { ruleLines } from '../../rule-lines.ts';
import { Block, SubjectChoice, save } from '../common.tsx';
import { linkTo, type Session } from '../session.ts';

const FORMS: ReadonlyArray<readonly [ExportForm, string]> = [
  ['onnx', 'ONNX'],
  ['relay', 'Relay text'],
  ['json', 'JSON'],
  ['module', 'ES module'],
];

export function ExportView({ session }: { readonly session: Session }) {
  const { document, change, client, ask, trail } = session;
  const [link, setLink] = useState('');
  const [written, setWritten] = useState('');
  const { subject, steps } = document;
  const write = async (form: ExportForm): Promise<void> => {
    const found = await ask(client.call('exported', subject, form));
    if (found === undefined) return;
    save(found.files, found.type);
    setWritten(found.files.map(({ name, bytes }) => `${name}, ${bytes.length} bytes`).join('; '));
  };
  return (
    <div class="stack">
      <SubjectChoice
        value={subject}
        hasRun={trail !== undefined}
        onChange={(next) => change({ subject: next })}
      />
      <p>
        {FORMS.map(([form, name]) => (
          <button key={form} type="button" onClick={() => write(form)}>
            {name}
          </button>
        ))}{' '}
        <output>{written}</output>
      </p>
      <h2>This pipeline as code</h2>
      <Block kind="code" text={codeOf(steps)} />
      <h2>As a command</h2>
      <Block kind="code" text={commandOf(steps)} />
      <h2>Report a bug</h2>
      <BugReportForm session={session} />
      <h2>As a link</h2>
      <p>
        <button type="button" onClick={async () => setLink(await linkTo(document))}>
          Make a link
        </button>{' '}
        <span class="muted">It holds the program, the pipeline and the view; nothing is sent.</span>
      </p>
      {link === '' ? null : (
        <textarea class="wide mono" aria-label="Link" readOnly rows={4} value={link} />
      )}
    </div>
  );
}

/** Runs the pipeline on the program, shrinks the program, and writes a report. */
function BugReportForm({ session: { document, client, ask } }: { readonly session: Session }) {
  const [text, setText] = useState('');
  const write = async (): Promise<void> => {
    const found = await ask(client.call('bugReport', document.steps));
    if (found !== undefined) setText(reportOf(found, document.steps));
  };
  return (
    <>
      <p>
        <button type="button" onClick={write}>
          Write a report
        </button>{' '}
        {text === '' ? null : (
          <button
            type="button"
            onClick={() => {
              const bytes = new TextEncoder().encode(text);
              save([{ name: 'baton-bug.md', bytes }], 'text/markdown');
            }}
          >
            Save
          </button>
        )}{' '}
        <span class="muted">
          Runs the pipeline, and shrinks the program to a small one on which it still goes wrong.
        </span>
      </p>
      {text === '' ? null : (
        <textarea class="wide mono" aria-label="Report" readOnly rows={16} value={text} />
      )}
    </>
  );
}

export function reportOf(
  { version, program, fault, detail, tried }: BugReport,
  steps: ReadonlyArray<Step>,
): string {
  const on = steps.filter(({ isOn }) => isOn).map(({ key }) => `- \`${key}\``);
  return [
    `## ${fault ?? 'The pipeline runs, and keeps what the program computes'}`,
    '',
    `Baton ${version}${tried === 0 ? '' : `; the program was shrunk in ${tried} steps`}.`,
    '',
    ...(detail === '' ? [] : ['```text', detail, '```', '']),
    '### Program',
    '',
    '```relay',
    program,
    '```',
    '',
    '### Pipeline',
    '',
    ...(on.length === 0 ? ['none'] : on),
    '',
    '```ts',
    codeOf(steps),
    '```',
    '',
    '### Expected',
    '',
    fault === undefined ? '(what is wrong?)' : 'The same results as before the pipeline.',
    '',
  ].join('\n');
}

export function codeOf(steps: ReadonlyArray<Step>): string {
  const on = steps.filter(({ isOn }) => isOn);
  const levels = new Set(on.flatMap(({ key }) => /^level:(\d)/.exec(key)?.[1] ?? []));
  const lines = on.map(({ key, options }) => `  ${expressionOf(key, options)},`);
  const own = on.find(({ key }) => key.endsWith(':own'))?.options.rules;
  return [
    "import { greedy, optimize, passes, rewrites, rule, ruleSet, runPass, saturate, sequential } from 'batonjs';",
    '',
    ...[...levels].map(
      (level) =>
        `const level${level} = optimize({ level: ${level} }).passes.filter((pass) => pass.level <= ${level});`,
    ),
    ...(typeof own === 'string' ? [ownSet(own)] : []),
    'const pipeline = sequential([',
    ...lines,
    ']);',
    'const result = runPass(pipeline, { level: 99 })(module);',
  ].join('\n');
}

function ownSet(text: string): string {
  const lines = ruleLines(text);
  if ('wrong' in lines) return `const own = ruleSet('own'); // not a rule: ${lines.wrong}`;
  const rules = lines.map(({ name, left, right, isBothWays, needs }) => {
    const options = {
      ...(isBothWays ? { orient: 'both' } : {}),
      ...(needs.length === 0 ? {} : { needs }),
    };
    const more = Object.keys(options).length === 0 ? '' : `, ${JSON.stringify(options)}`;
    return `  rule(${[name, left, right].map((one) => JSON.stringify(one)).join(', ')}${more}),`;
  });
  return ["const own = ruleSet('own',", ...rules, ');'].join('\n');
}

function expressionOf(key: string, options: Step['options']): string {
  const [kind, name = '', index] = key.split(':');
  if (kind === 'level') return `level${name}[${index}]`;
  if (kind === 'rules' || kind === 'search') {
    const engine = kind === 'rules' ? 'greedy' : 'saturate';
    const sets: Readonly<Record<string, string>> = {
      common: 'rewrites.commonSets',
      all: 'rewrites.ruleSets',
      own: 'own',
    };
    const set =
      sets[name] ??
      `rewrites.ruleSets.filter((set) => set._tag === 'Right' && set.right.name === ${JSON.stringify(name)})`;
    return `${engine}(${set}), passes.foldConstant, passes.deadCodeElimination`;
  }
  const given = Object.keys(options).length === 0 ? '' : `(${JSON.stringify(options)})`;
  return `passes.${key}${given}`;
}

/** The closest command line. */
export function commandOf(steps: ReadonlyArray<Step>): string {
  const on = steps.filter(({ isOn }) => isOn);
  const level = on.flatMap(({ key }) => /^level:(\d)/.exec(key)?.[1] ?? [])[0] ?? '3';
  const ruled = on.filter(({ key }) => /^(rules|search):/.test(key));
  const sets = ruled.map(({ key }) => ` --rules ${key.split(':')[1]}`);
  const search = ruled.some(({ key }) => key.startsWith('search')) ? ' --search' : '';
  return `npx baton optimize model.onnx -o smaller.onnx --level ${level}${sets.length === 0 ? ' --rules none' : sets.join('')}${search}`;
}
