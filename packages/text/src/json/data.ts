/**
 * A module as plain data. Every shared or nested part is a row of a table, referred to by its
 * index; a row refers only to earlier rows of its table, so that neither the data nor its readers
 * nest with the depth of the program.
 */
import type { ParamKind } from '@baton/ir';

/** The version of the format that this package writes and reads. */
export const FORMAT_VERSION = 2;

/** A place in a table. */
export type Index = number;

/** A number that JSON does not have. */
export type SpecialNumber = 'NaN' | 'inf' | '-inf' | '-0';

/** An attribute's value. */
export type JsonAttrValue =
  | number
  | boolean
  | string
  | null
  | ReadonlyArray<JsonAttrValue>
  | { readonly number: SpecialNumber }
  /** The digits of an integer that a number cannot hold. */
  | { readonly integer: string };

/** Attributes as pairs, so that no name can be a property of the data. */
export type JsonAttrs = ReadonlyArray<readonly [string, JsonAttrValue]>;

/** A variable or a hole, by its row among the types. */
export interface JsonVariable {
  readonly variable: Index;
}

/** A dimension: a size, `?`, or a sum of products. */
export type JsonDim =
  | number
  | '?'
  | { readonly constant: number; readonly terms: ReadonlyArray<JsonTerm> };

/** A product. */
export interface JsonTerm {
  readonly coefficient: number;
  readonly atoms: ReadonlyArray<JsonAtom>;
}

/** A factor of a product: a variable or a division. */
export type JsonAtom =
  | JsonVariable
  | { readonly numerator: JsonDim; readonly denominator: JsonDim };

export type JsonShape = ReadonlyArray<JsonDim> | JsonVariable;
export type JsonDTypeTerm = string | JsonVariable;

export type JsonTypeArg =
  | { readonly tag: 'Type'; readonly value: Index }
  | { readonly tag: 'Shape'; readonly value: JsonShape }
  | { readonly tag: 'BaseType'; readonly value: JsonDTypeTerm }
  | { readonly tag: 'ShapeVar'; readonly value: JsonDim };

export interface JsonRelation {
  readonly name: string;
  readonly args: ReadonlyArray<Index>;
  readonly inputCount: number;
  readonly attrs?: JsonAttrs | undefined;
}

type Literal = { readonly literal?: 'int' | 'float' | undefined };

export type JsonType =
  | { readonly tag: 'TensorType'; readonly shape: JsonShape; readonly dtype: JsonDTypeTerm }
  | { readonly tag: 'TupleType'; readonly fields: ReadonlyArray<Index> }
  | {
      readonly tag: 'FuncType';
      readonly params: ReadonlyArray<Index>;
      readonly result: Index;
      readonly typeParams: ReadonlyArray<Index>;
      readonly constraints: ReadonlyArray<JsonRelation>;
    }
  | { readonly tag: 'TypeVar'; readonly name: string; readonly kind: ParamKind }
  | { readonly tag: 'GlobalTypeVar'; readonly name: string }
  | { readonly tag: 'TypeCall'; readonly name: string; readonly args: ReadonlyArray<JsonTypeArg> }
  | { readonly tag: 'RefType'; readonly value: Index }
  | ({ readonly tag: 'IncompleteType'; readonly kind: ParamKind } & Literal);

/** The name of a text, and the text. */
export type JsonSource = readonly [string, string];

export type JsonSpan =
  | {
      readonly tag: 'TextSpan';
      readonly source: Index;
      /** Line, column, end line, end column. */
      readonly range: readonly [number, number, number, number];
    }
  | {
      readonly tag: 'NodeSpan';
      readonly source: string;
      readonly name: string;
      readonly op: string;
    }
  | { readonly tag: 'BuilderSpan'; readonly name: string }
  | { readonly tag: 'MergedSpan'; readonly parts: ReadonlyArray<Index> };

/** The origin of a row. */
interface Place {
  readonly span?: Index | undefined;
}

export interface JsonTensor {
  readonly dtype: string;
  readonly shape: ReadonlyArray<number>;
  /** Raw little-endian bytes as base64: of every element, or of the one that fills the tensor. */
  readonly data: string;
  readonly isFilled?: boolean | undefined;
}

export interface JsonConstructor extends Place {
  readonly name: string;
  readonly inputs: ReadonlyArray<Index>;
  readonly belongTo: string;
  readonly tag: number;
}

export type JsonPattern = Place &
  (
    | { readonly tag: 'PatternWildcard' }
    | { readonly tag: 'PatternVar'; readonly variable: Index }
    | {
        readonly tag: 'PatternConstructor';
        readonly ctor: Index;
        readonly patterns: ReadonlyArray<Index>;
      }
    | { readonly tag: 'PatternTuple'; readonly patterns: ReadonlyArray<Index> }
  );

export interface JsonClause {
  readonly pattern: Index;
  readonly body: Index;
}

export type JsonNode = Place &
  (
    | { readonly tag: 'Var'; readonly name: string; readonly type?: Index | undefined }
    | { readonly tag: 'GlobalVar'; readonly name: string }
    | ({ readonly tag: 'Constant'; readonly tensor: Index } & Literal)
    | { readonly tag: 'Op'; readonly name: string }
    | { readonly tag: 'Constructor'; readonly ctor: Index }
    | { readonly tag: 'Tuple'; readonly fields: ReadonlyArray<Index> }
    | { readonly tag: 'TupleGetItem'; readonly tuple: Index; readonly index: number }
    | {
        readonly tag: 'Function';
        readonly params: ReadonlyArray<Index>;
        readonly body: Index;
        readonly retType?: Index | undefined;
        readonly typeParams: ReadonlyArray<Index>;
        readonly attrs: JsonAttrs;
        readonly constraints: ReadonlyArray<JsonRelation>;
      }
    | {
        readonly tag: 'Call';
        readonly op: Index;
        readonly args: ReadonlyArray<Index>;
        readonly attrs?: JsonAttrs | undefined;
        readonly attrsTypeKey?: string | undefined;
        readonly typeArgs: ReadonlyArray<JsonTypeArg>;
      }
    | { readonly tag: 'Let'; readonly variable: Index; readonly value: Index; readonly body: Index }
    | {
        readonly tag: 'If';
        readonly cond: Index;
        readonly trueBranch: Index;
        readonly falseBranch: Index;
      }
    | {
        readonly tag: 'Match';
        readonly data: Index;
        readonly clauses: ReadonlyArray<JsonClause>;
        readonly complete: boolean;
      }
    | { readonly tag: 'RefCreate'; readonly value: Index }
    | { readonly tag: 'RefRead'; readonly ref: Index }
    | { readonly tag: 'RefWrite'; readonly ref: Index; readonly value: Index }
  );

export interface JsonTypeData {
  readonly name: string;
  readonly typeVars: ReadonlyArray<Index>;
  readonly constructors: ReadonlyArray<{
    readonly name: string;
    readonly inputs: ReadonlyArray<Index>;
  }>;
  readonly extern: boolean;
}

/** A module as plain JSON data, without nesting. */
export interface JsonModule {
  readonly baton: typeof FORMAT_VERSION;
  readonly sources: ReadonlyArray<JsonSource>;
  readonly spans: ReadonlyArray<JsonSpan>;
  readonly types: ReadonlyArray<JsonType>;
  readonly tensors: ReadonlyArray<JsonTensor>;
  readonly constructorRows: ReadonlyArray<JsonConstructor>;
  readonly patterns: ReadonlyArray<JsonPattern>;
  readonly nodes: ReadonlyArray<JsonNode>;
  readonly functions: ReadonlyArray<readonly [string, Index]>;
  readonly typeDefinitions: ReadonlyArray<JsonTypeData>;
  readonly constructors: ReadonlyArray<readonly [string, Index]>;
  readonly attrs: JsonAttrs;
  readonly imports: ReadonlyArray<string>;
}
