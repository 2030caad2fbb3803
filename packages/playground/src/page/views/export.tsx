/** Taking a program away: files, code, and a link. */
import { useState } from 'preact/hooks';
import type { ExportForm, Step } from '../../protocol.ts';
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

/** The pipeline in TypeScript. */
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
    ...(typeof own === 'string'
      ? [`const own = ruleSet('own', /* ${own.replaceAll('*/', '* /')} */);`]
      : []),
    'const pipeline = sequential([',
    ...lines,
    ']);',
    'const result = runPass(pipeline, { level: 99 })(module);',
  ].join('\n');
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

/** The nearest command. */
export function commandOf(steps: ReadonlyArray<Step>): string {
  const on = steps.filter(({ isOn }) => isOn);
  const level = on.flatMap(({ key }) => /^level:(\d)/.exec(key)?.[1] ?? [])[0] ?? '3';
  const ruled = on.filter(({ key }) => /^(rules|search):/.test(key));
  const sets = ruled.map(({ key }) => ` --rules ${key.split(':')[1]}`);
  const search = ruled.some(({ key }) => key.startsWith('search')) ? ' --search' : '';
  return `npx baton optimize model.onnx -o smaller.onnx --level ${level}${sets.length === 0 ? ' --rules none' : sets.join('')}${search}`;
}
