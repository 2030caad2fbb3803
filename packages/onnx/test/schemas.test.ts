/**
 * The table of schemas says what `schemas.json` does, which was read off `onnx.defs` of the Python
 * package onnx 1.23, and off the schemas of onnxruntime 1.32 for its own operators.
 */
import { readFileSync } from 'node:fs';
import { onnxColumn, standardOps } from '@baton/ops';
import { full, tensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { onnxImporters } from '../src/catalogue.ts';
import { LATEST_OPSET } from '../src/import/coverage.ts';
import { nodeAttributes } from '../src/operator-api/attributes.ts';
import { operatorKey } from '../src/operator-api/importer.ts';
import { factsOf, type Schema, schemasOf } from '../src/schemas/schemas.ts';
import { nameOf } from './helpers/catalogue.ts';
import { imported } from './helpers/import.ts';
import { one } from './helpers/one.ts';
import { run } from './helpers/run.ts';

interface Stated {
  readonly since: number;
  readonly deprecated?: boolean;
  readonly inputs: ReadonlyArray<string>;
  readonly outputs: ReadonlyArray<string>;
  readonly types: Readonly<Record<string, ReadonlyArray<number>>>;
  readonly attributes: ReadonlyArray<string>;
}

const stated = JSON.parse(
  readFileSync(new URL('schemas.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, ReadonlyArray<Stated>>>;

const importers = [...onnxImporters].map(([key, operator]) => ({
  key,
  name: nameOf(operator),
  operator,
}));

const read = new Set(importers.map(({ name }) => name));
const names = Object.keys(stated).filter((name) => !name.includes('.') || read.has(name));

/** The parameters of a side: their marks, and the element types of each. */
const parametersOf = (list: ReadonlyArray<string>, types: Stated['types']) =>
  list.map((text) => {
    const [, name = '', mark = '', least = ''] = /^(.+?)(?:([?*+])(\d*))?$/.exec(text) ?? [];
    return {
      mark,
      least: mark === '?' ? 0 : Number(least || 1),
      mask: (types[name] ?? []).reduce((bits, number) => bits + 2 ** number, 0),
    };
  });

const plain = ({ since, isDeprecated, inputs, outputs, attributes }: Schema) => ({
  since,
  isDeprecated,
  inputs: inputs.map(({ mark, least, mask }) => ({ mark, least, mask })),
  outputs: outputs.map(({ mark, least, mask }) => ({ mark, least, mask })),
  attributes: [...attributes].map(([name, { kind, isRequired, defaultValue }]) => {
    const value = defaultValue === undefined ? '' : `=${JSON.stringify(defaultValue)}`;
    return `${name}:${kind === 'opaque' ? 'type_proto' : kind}${isRequired ? '!' : value}`;
  }),
});

/** An attribute as the table has it: floats are float32. */
const rounded = (text: string): string =>
  text.replace(
    /(:floats?=)(.*)$/,
    (_, kind: string, value: string) =>
      `${kind}${JSON.stringify(JSON.parse(value, (_key, one) => (typeof one === 'number' ? Math.fround(one) : one)))}`,
  );

test.each(names)('%s', (name) => {
  const at = name.lastIndexOf('.');
  const found = schemasOf(name.slice(at + 1), name.slice(0, Math.max(at, 0)));
  expect(found.map(plain)).toEqual(
    stated[name]?.map(({ since, deprecated = false, inputs, outputs, types, attributes }) => ({
      since,
      isDeprecated: deprecated,
      inputs: parametersOf(inputs, types),
      outputs: parametersOf(outputs, types),
      attributes: attributes.map(rounded),
    })),
  );
});

/** The operators that are one of Baton's under another name. */
const forms = standardOps.names.flatMap((name) => standardOps.read(onnxColumn, name) ?? []);

test.each(forms)('$opType has the versions and the attributes that its form states', (form) => {
  const { versions, attributes } = factsOf({ opType: form.opType, since: form.versions[0] ?? 1 });
  expect(versions).toEqual(form.versions);
  for (const { name, kind } of form.attributes ?? []) expect(attributes.get(name)).toBe(kind);
});

describe('an importer', () => {
  test.each(importers)(
    '$name has a schema, and states of it only what it lacks',
    ({ key, name, operator }) => {
      const { since, lacks = [] } = operator;
      const known = stated[name] ?? [];
      expect(known.length).toBeGreaterThan(0);
      expect(key).toBe(operatorKey(operator.domain ?? '', operator.opType));
      const sets = known.map((version) => version.since);
      if (since !== undefined) expect(sets).toContain(since);
      const attributes = known.flatMap((version) =>
        version.attributes.map((text) => text.split(':')[0]),
      );
      for (const name of lacks) expect(attributes).toContain(name);
      expect(Math.max(...factsOf(operator).versions)).toBeLessThanOrEqual(LATEST_OPSET);
    },
  );
});

describe('an attribute that a node leaves out', () => {
  const plain = ['int', 'float', 'string'] as const;
  const cases = names.flatMap((name) => {
    const at = name.lastIndexOf('.');
    const [opType, domain] = [name.slice(at + 1), name.slice(0, Math.max(at, 0))];
    return schemasOf(opType, domain).flatMap(({ since, attributes }) =>
      [...attributes].flatMap(([attribute, { kind, defaultValue }]) => {
        const read = plain.find((one) => one === kind);
        return read === undefined || defaultValue === undefined
          ? []
          : [{ opType, domain, since, attribute, read, defaultValue }];
      }),
    );
  });

  test('has the default of its version', () => {
    expect(cases.length).toBeGreaterThan(500);
    for (const { opType, domain, since, attribute, read, defaultValue } of cases) {
      const node = {
        name: '',
        opType,
        domain,
        overload: '',
        inputs: [],
        outputs: [],
        attributes: [],
      };
      expect(nodeAttributes(node, since)[read](attribute)).toBe(defaultValue);
    }
  });

  test('has the first default if it came later', () => {
    const node = {
      name: '',
      opType: 'ReduceMax',
      domain: '',
      overload: '',
      inputs: [],
      outputs: [],
      attributes: [],
    };
    expect(nodeAttributes(node, 1).int('noop_with_empty_axes')).toBe(0);
  });
});

test('an epsilon that the file leaves out is the one of onnxruntime', () => {
  const op = 'SkipSimplifiedLayerNormalization';
  const { inputs } = one(op, { x: [1, 1, 4], s: [1, 1, 4], w: [4] });
  const nodes = [{ op, domain: 'com.microsoft', in: ['x', 's', 'w'], out: ['y'] }];
  const f = imported({ nodes, ...(inputs && { inputs }), outputs: ['y'] });
  const small = tensor([1e-6, -1e-6, 1e-6, -1e-6], [1, 1, 4], 'float32');
  const [zeros, ones] = [full([1, 1, 4], 'float32', 0), full([4], 'float32', 1)];
  const [found] = run(f, [small, zeros, ones]);
  // Both the mean square and the epsilon are 1e-12.
  expect(found && toNumbers(found)[0]).toBeCloseTo(Math.SQRT1_2, 5);
});
