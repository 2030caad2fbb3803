/** Components that several views use. */
import type { ComponentChildren } from 'preact';
import type { Figures, Finding } from '../protocol.ts';

export function Findings({ findings }: { readonly findings: ReadonlyArray<Finding> }) {
  if (findings.length === 0) return null;
  return (
    <ul class="findings" role="alert">
      {findings.map((finding) => (
        <li class={finding.severity} key={`${finding.code}${finding.from}${finding.message}`}>
          <code>{finding.code}</code> {cutText(finding.message)}
          {finding.hint === undefined ? null : (
            <span class="muted"> — {cutText(finding.hint)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Names come from files and may have any length. */
export const cutText = (text: string): string =>
  text.length <= 2_000 ? text : `${text.slice(0, 2_000)}…`;

const UNITS = ['', 'k', 'M', 'G', 'T'] as const;

/** A number with a unit of thousands: `1.2 M`. */
export function short(value: number): string {
  let [rest, unit] = [value, 0];
  while (rest >= 1000 && unit < UNITS.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  const digits = unit === 0 ? rest.toFixed(rest % 1 === 0 ? 0 : 2) : rest.toPrecision(3);
  return `${digits}${unit === 0 ? '' : ` ${UNITS[unit]}`}`;
}

export const milliseconds = (ms: number): string =>
  ms >= 100
    ? `${ms.toFixed(0)} ms`
    : ms >= 1
      ? `${ms.toFixed(2)} ms`
      : `${(ms * 1000).toFixed(1)} µs`;

export function FigureLine({ figures }: { readonly figures: Figures }) {
  return (
    <dl class="figures">
      <Figure name="nodes" value={short(figures.nodes)} />
      <Figure name="kernels" value={short(figures.kernels)} />
      <Figure name="FLOPs" value={short(figures.flops)} />
      <Figure name="bytes moved" value={short(figures.bytesMoved)} />
      <Figure name="weights" value={`${short(figures.paramBytes)}B`} />
      {figures.estimatedMs === undefined ? null : (
        <Figure name="estimated" value={milliseconds(figures.estimatedMs)} />
      )}
    </dl>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The change of a figure: smaller is better. */
export function Delta({ before, after }: { readonly before: number; readonly after: number }) {
  if (before === after) return <span class="muted">=</span>;
  const share = before === 0 ? '' : ` ${(((after - before) / before) * 100).toFixed(0)} %`;
  const words = after < before ? 'less' : 'more';
  return (
    <span class={after < before ? 'good' : 'bad'} title={words}>
      {after < before ? '▼' : '▲'}
      {share}
    </span>
  );
}

/** Buttons of which one is selected. */
export function Choice<A extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: A;
  readonly options: ReadonlyArray<readonly [A, ComponentChildren]>;
  readonly onChange: (value: A) => void;
}) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {options.map(([option, words]) => (
        <label key={option}>
          <input
            type="radio"
            name={label}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

/** Selects the program that is run or exported: the original one, or the pipeline's result. */
export function SubjectChoice({
  value,
  hasRun,
  onChange,
}: {
  readonly value: 'a' | 'optimized';
  readonly hasRun: boolean;
  readonly onChange: (value: 'a' | 'optimized') => void;
}) {
  return (
    <Choice
      label="Program"
      value={value}
      options={[
        ['a', 'as it came'],
        ['optimized', hasRun ? 'after the pipeline' : 'after the pipeline (not run)'],
      ]}
      onChange={onChange}
    />
  );
}

export function Block({ text, kind }: { readonly text: string; readonly kind?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus
    <pre class={kind ?? ''} tabIndex={0}>
      {text}
    </pre>
  );
}

/** Saves files from memory. */
export function save(
  files: ReadonlyArray<{ readonly name: string; readonly bytes: Uint8Array }>,
  type: string,
): void {
  for (const { name, bytes } of files) {
    // The bytes come from the worker, in their own buffer.
    const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}
