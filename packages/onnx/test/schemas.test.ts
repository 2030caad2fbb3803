/**
 * Each importer operator's own statement against ONNX's schemas: the versions of its definition
 * from the first handled one, the numbers of its inputs in any of them, and the kinds of its
 * attributes. `schemas.json` was read off `onnx.defs` of the Python package onnx 1.23, and off the
 * schemas of onnxruntime 1.32 for its own operators.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { onnxImporters } from '../src/catalogue.ts';
import { LATEST_OPSET } from '../src/import/coverage.ts';
import { type OnnxImporter, operatorKey } from '../src/operator-api/importer.ts';
import { nameOf } from './helpers/catalogue.ts';

interface Stated<Attribute> {
  readonly versions: ReadonlyArray<number>;
  /** `null` means any number. */
  readonly inputs: readonly [number, number | null];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** The kinds of attributes, and the version that introduced each. */
type Schema = Stated<readonly [string, number]>;

const schemas = JSON.parse(
  readFileSync(new URL('schemas.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Schema>>;

/** Versions without support, and attributes that are not read. */
const LACKING: Readonly<Record<string, ReadonlyArray<number | string>>> = {
  Constant: ['value_string', 'value_strings'],
};

const rows = [...onnxImporters].map(([key, operator]) => ({
  key,
  name: nameOf(operator),
  operator,
}));

function stated(operator: OnnxImporter): Stated<string> {
  const [least, most] = operator.inputs;
  return {
    versions: operator.versions,
    inputs: [least, Number.isFinite(most) ? most : null],
    attributes: operator.attributes ?? {},
  };
}

function expected(name: string): Stated<string> {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`no schema of ${name}`);
  const lacking = new Set(LACKING[name]);
  return {
    versions: schema.versions.filter((v) => v <= LATEST_OPSET && !lacking.has(v)),
    inputs: schema.inputs,
    attributes: Object.fromEntries(
      Object.entries(schema.attributes).flatMap(([attribute, [kind, since]]) =>
        since > LATEST_OPSET || lacking.has(attribute) ? [] : [[attribute, kind]],
      ),
    ),
  };
}

describe('an operator states the facts of its ONNX schema', () => {
  test.each(rows)('$name', ({ key, name, operator }) => {
    expect(stated(operator)).toEqual(expected(name));
    expect(key).toBe(operatorKey(operator.domain ?? '', operator.opType));
  });

  test('there is one for each schema', () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(schemas).toSorted());
  });
});
