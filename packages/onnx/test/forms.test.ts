/**
 * What becomes of one node: `forms.txt` holds a node on each line after `>`, and below it the body of
 * the function that it is imported as, or why it is refused; `pnpm bless` writes the latter.
 *
 * ```
 * > Gather [2,3] #i64[0,-1] axis=1 @13
 * ```
 *
 * A node has inputs, attributes, a number of outputs (`->2`) and operator sets (`@7,13`), of which
 * those are told together that give the same. An input is a type with dimensions (`i64[2,?]`; float
 * is the default), constants (`#i64[1,2]`, and `#=0.5` for a scalar) or absent (`_`). An attribute is
 * an integer, a float (`0.5f`), a text, or a list (`(1,2)`).
 */
import { readFileSync } from 'node:fs';
import { isLeft } from '@baton/base';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { expectFile, isBlessing, staleText } from '../../../test/blessed.ts';
import { type Attribute, type GraphParts, modelBytes, type TensorParts } from './helpers/encode.ts';
import { diagnosticText } from './helpers/import.ts';

const path = new URL('forms.txt', import.meta.url);

const TYPES: Readonly<Record<string, number>> = {
  f32: 1,
  u8: 2,
  i8: 3,
  u16: 4,
  i16: 5,
  i32: 6,
  i64: 7,
  bool: 9,
  f64: 11,
};

const INPUT = /^(#?)([a-z][a-z0-9]*)?(?:\[(.*)\]|=(.*))$/;

const list = (text: string): ReadonlyArray<string> => (text === '' ? [] : text.split(','));

function constant(type: string, text: string, isScalar: boolean): TensorParts {
  const texts = list(text);
  const dims = isScalar ? [] : [texts.length];
  if (type === 'i64') return { dims, ints: texts.map(BigInt) };
  const values = texts.map(Number);
  if (type === 'f32') return { dims, floats: values };
  const bytes = type === 'f64' ? new Float64Array(values).buffer : undefined;
  const small = type === 'i32' ? new Int32Array(values).buffer : Int8Array.from(values).buffer;
  return { dims, type: TYPES[type] ?? 0, raw: new Uint8Array(bytes ?? small) };
}

function attribute(text: string): Attribute {
  if (text.startsWith('"')) return { s: text.slice(1, -1) };
  if (text.startsWith('(')) {
    const parts = list(text.slice(1, -1));
    return parts.some((part) => part.endsWith('f'))
      ? { floats: parts.map((part) => Number.parseFloat(part)) }
      : { ints: parts.map(Number) };
  }
  if (text.startsWith('#')) {
    const [, , type = 'f32', several, one] = INPUT.exec(text) ?? [];
    return { t: constant(type, several ?? one ?? '', several === undefined) };
  }
  return text.endsWith('f') ? { f: Number.parseFloat(text) } : { i: Number(text) };
}

/** The graph of one node, and the operator sets to import it in. */
function parsed(line: string): { graph: GraphParts; opsets: ReadonlyArray<number> } {
  const [op = '', ...parts] = line.split(' ');
  const values: { name: string; dims: ReadonlyArray<number | string>; type: number }[] = [];
  const initializers: TensorParts[] = [];
  const names: string[] = [];
  const attrs: Record<string, Attribute> = {};
  let outputs = 1;
  let opsets: ReadonlyArray<number> = [13];
  for (const part of parts) {
    const name = `x${names.length}`;
    const [, sharp, type = 'f32', several, one] = INPUT.exec(part) ?? [];
    if (part === '_') names.push('');
    else if (part.startsWith('@')) opsets = part.slice(1).split(',').map(Number);
    else if (part.startsWith('->')) outputs = Number(part.slice(2));
    else if (sharp === '#') {
      names.push(name);
      initializers.push({ ...constant(type, several ?? one ?? '', several === undefined), name });
    } else if (several !== undefined && !part.includes('=')) {
      names.push(name);
      const dims = list(several).map((dim) => (dim === '?' ? 'n' : Number(dim)));
      values.push({ name, dims, type: TYPES[type] ?? 0 });
    } else {
      const at = part.indexOf('=');
      attrs[part.slice(0, at)] = attribute(part.slice(at + 1));
    }
  }
  const out = Array.from({ length: outputs }, (_, i) => `y${i}`);
  const nodes = [{ op, in: names, out, attrs }];
  return { graph: { nodes, inputs: values, initializers, outputs: out }, opsets };
}

function imported(graph: GraphParts, opset: number): string {
  const found = importOnnx(modelBytes(graph, opset), { ops: standardOps, source: 'test' });
  if (isLeft(found)) return found.left.map(diagnosticText).join('\n');
  const lines = printModule(found.right, { header: false, meta: 'section', showTypes: false });
  const [, ...rest] = lines.trim().split('\n');
  return rest
    .filter((line) => !['', '}', '#[metadata]', ']}', '{"relay.Constant": ['].includes(line))
    .join('\n');
}

/** What becomes of a node in its operator sets. */
function forms(line: string): string {
  const { graph, opsets } = parsed(line);
  const told = new Map<string, number[]>();
  for (const opset of opsets) {
    const text = imported(graph, opset);
    told.set(text, [...(told.get(text) ?? []), opset]);
  }
  if (told.size === 1) return [...told.keys()].join('');
  return [...told].map(([text, where]) => `@${where.join(',')}\n${text}`).join('\n');
}

const nodes = readFileSync(path, 'utf8')
  .split(/^> /m)
  .slice(1)
  .map((text) => {
    const [line = '', ...rest] = text.trim().split('\n');
    return { line, expected: rest.join('\n') };
  });

describe('a node becomes', () => {
  test.each(nodes)('$line', ({ line, expected }) => {
    if (!isBlessing) expect(forms(line), staleText(path)).toBe(expected);
  });

  test('something in all its cases', () => {
    expect(nodes.length).toBeGreaterThan(200);
    if (isBlessing) {
      expectFile(path, nodes.map(({ line }) => `> ${line}\n${forms(line)}\n`).join('\n'));
    }
  });
});
