/**
 * The format of golden files.
 *
 * ```
 * // What the file shows.
 * // RUN: fold-scale-axis(tvm-only), fold-constant
 * def @main(%x: Tensor[(2, 4), float32]) { .. }
 * // ----- equal
 * def @main(%x: Tensor[(2, 4), float32]) { .. }      // written by hand: the same structure
 * // ----- rows
 * FoldConstant: call × 2                             // what the passes count; blessed
 * // ----- expect
 * ..                                                 // the whole printed output; blessed
 * ```
 *
 * In place of `equal`, `unchanged` says that the passes return the object that they are given, and
 * `error: CODE` that reading or typing the input fails with this code. `// REPEAT: changes` says
 * that the passes do more when they are run again; `// POSITIVE: v` that inputs for the parameter
 * `%v` are above 0.
 */

/** A part of a golden file, after its separator. */
export interface GoldenSection {
  /** `equal`, `unchanged`, `rows`, `expect` or `error: CODE`. */
  readonly kind: string;
  readonly text: string;
}

/** A golden file, taken apart. */
export interface GoldenFile {
  /** The comments at the top and the input, as in the file. */
  readonly input: string;
  /** The text after `// RUN:`. */
  readonly run: string;
  /** Whether a second run of the passes changes nothing. */
  readonly isIdempotent: boolean;
  readonly positive: ReadonlyArray<string>;
  readonly sections: ReadonlyArray<GoldenSection>;
}

const SEPARATOR = /^\/\/ -----(.*)$/;

/** Parses a golden file. A file without a `RUN` line, or with an unknown section, throws. */
export function parseGolden(text: string): GoldenFile {
  const blocks: { kind: string; lines: string[] }[] = [{ kind: 'input', lines: [] }];
  for (const line of text.split('\n')) {
    const separator = SEPARATOR.exec(line);
    if (separator !== null) blocks.push({ kind: (separator[1] ?? '').trim(), lines: [] });
    else blocks.at(-1)?.lines.push(line);
  }
  const [input, ...sections] = blocks.map(({ kind, lines }) => ({ kind, text: lines.join('\n') }));
  const run = directive(input?.text ?? '', 'RUN');
  if (input === undefined || run === undefined) throw new Error('a golden file has a RUN line');
  for (const { kind } of sections) {
    if (!/^(equal|unchanged|rows|expect|error: [A-Z0-9_]+)$/.test(kind)) {
      throw new Error(`unknown section: ${kind}`);
    }
  }
  return {
    input: input.text,
    run,
    isIdempotent: directive(input.text, 'REPEAT') !== 'changes',
    positive: (directive(input.text, 'POSITIVE') ?? '').split(/[ ,]+/),
    sections,
  };
}

/** The file with another `rows` and another `expect` section. */
export function withExpected(file: GoldenFile, rows: string, expected: string): string {
  const kept = file.sections.filter(({ kind }) => kind !== 'rows' && kind !== 'expect');
  const counted = rows === '' ? [] : [{ kind: 'rows', text: rows }];
  const made = { kind: 'expect', text: `${expected.trimEnd()}\n` };
  const sections = [...kept, ...counted, made];
  return [file.input, ...sections.map(({ kind, text }) => `// ----- ${kind}\n${text}`)].join('\n');
}

function directive(text: string, name: string): string | undefined {
  return new RegExp(`^// ${name}: (.*)$`, 'm').exec(text)?.[1]?.trim();
}
