/** Findings as files: the model, its inputs, the expected outputs, and what went wrong. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from '@baton/base';
import { outputFile } from '@baton/cli';
import { pathName } from './check.ts';
import { bytesOf, type Feeds, graphOf, opsetOf } from './model.ts';
import type { Reduced } from './reduce.ts';

export interface Origin {
  readonly seed: number;
  readonly index: number;
  /** The options that choose the same paths. */
  readonly options: string;
}

/** Writes a finding; returns the name of its files without their endings. */
export function writeFinding(
  folder: string,
  { subject, finding }: Reduced,
  wanted: ReadonlyArray<Feeds>,
  origin: Origin,
): string {
  mkdirSync(folder, { recursive: true });
  const path = pathName(finding.path, finding.isSized).replaceAll(' ', '-');
  const name = `${path}-${finding.kind}-${origin.seed}-${origin.index}`;
  const put = (ending: string, content: string | Uint8Array): void =>
    writeFileSync(join(folder, `${name}${ending}`), content);
  put('.onnx', bytesOf(subject.model));
  for (const [i, feeds] of subject.samples.entries()) {
    const ending = i === 0 ? '' : `.${i + 1}`;
    put(`${ending}.npz`, archive(feeds));
    put(`${ending}.expected.npz`, archive(wanted[i] ?? new Map()));
  }
  put('.txt', description(name, { subject, finding }, origin));
  return join(folder, name);
}

function archive(values: Feeds): Uint8Array {
  const file = outputFile('values.npz', Object.fromEntries(values));
  if (isLeft(file)) throw new Error(file.left[0].message);
  return Buffer.concat(Array.from(file.right.pieces, (piece) => Buffer.from(piece)));
}

function description(
  name: string,
  { subject, finding }: Reduced,
  { seed, index, options }: Origin,
): string {
  const { nodes, inputs, initializers, outputs } = graphOf(subject.model);
  const shown = nodes.map(({ opType, inputs: from, outputs: to, attributes }) => {
    const written = attributes.map(
      ({ name: key, value }) =>
        `${key}=${'value' in value && typeof value.value !== 'object' ? value.value : value.kind === 'ints' ? `[${value.value}]` : value.kind}`,
    );
    return `  ${to.join(', ')} = ${opType}(${from.join(', ')})${written.length > 0 ? ` {${written.join(', ')}}` : ''}`;
  });
  const sizes = subject.samples.map((feeds) =>
    [...feeds].map(([key, t]) => `${key}: ${t.dtype}[${t.shape}]`).join(', '),
  );
  return `${pathName(finding.path, finding.isSized)}: ${finding.kind}
${finding.detail}

operator set ${opsetOf(subject.model)}
inputs: ${inputs.map((input) => input.name).join(', ')}
${sizes.map((line) => `  ${line}`).join('\n')}
constants: ${initializers.map((t) => `${t.name}[${t.dims}]`).join(', ')}
${shown.join('\n')}
outputs: ${outputs.map((output) => output.name).join(', ')}

The graph before it was reduced: pnpm hunt --seed ${seed} --from ${index} --graphs 1${options}
This one: baton run ${name}.onnx --input ${name}.npz; onnxruntime gives ${name}.expected.npz
`;
}
