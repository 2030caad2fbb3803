/** A module as plain data, as a codec and as a type. */
import * as t from 'io-ts';
import {
  attrs,
  flag,
  index,
  int,
  list,
  named,
  optional,
  place,
  record,
  span,
  tagged,
  text,
  type,
} from './codecs.ts';
import { nodeRows } from './node-rows.ts';
import { FORMAT_VERSION } from './rows.ts';

/** Raw little-endian bytes as base64: of every element, or of the one that fills the tensor. */
const tensor = record({ dtype: text, shape: list(index), data: text, isFilled: optional(flag) });

const constructorRow = record({
  name: text,
  inputs: list(index),
  belongTo: text,
  tag: int,
  ...place,
});

const pattern = tagged('a pattern', {
  PatternWildcard: record(place),
  PatternVar: record({ variable: index, ...place }),
  PatternConstructor: record({ ctor: index, patterns: list(index), ...place }),
  PatternTuple: record({ patterns: list(index), ...place }),
});

const node = tagged('an expression', nodeRows);

const source = named(text);

const typeData = record({
  name: text,
  typeVars: list(index),
  constructors: list(record({ name: text, inputs: list(index) })),
  extern: flag,
});

/** A module as plain data: what JSON can hold, and nothing that nests with the program. */
export type JsonModule = t.TypeOf<typeof moduleCodec>;
export type JsonTensor = t.TypeOf<typeof tensor>;
export type JsonConstructor = t.TypeOf<typeof constructorRow>;
export type JsonPattern = t.TypeOf<typeof pattern>;
export type JsonNode = t.TypeOf<typeof node>;
export type JsonTypeData = t.TypeOf<typeof typeData>;
export type JsonSource = t.TypeOf<typeof source>;

const moduleCodec = record(
  {
    baton: t.literal(FORMAT_VERSION),
    sources: list(source),
    spans: list(span),
    types: list(type),
    tensors: list(tensor),
    constructorRows: list(constructorRow),
    patterns: list(pattern),
    nodes: list(node),
    functions: list(named(index)),
    typeDefinitions: list(typeData),
    constructors: list(named(index)),
    attrs,
    imports: list(text),
  },
  'a module',
);

/** Checks the form of the data, but not the targets of its indexes and names. */
export const checkModule: t.Decode<unknown, JsonModule> = moduleCodec.decode;
