/**
 * Dimensions, shapes and dtypes in text: [types §1](https://batonjs.github.io/baton/spec/types#1),
 * [§10.1](https://batonjs.github.io/baton/spec/types#10.1).
 */
import {
  addDims,
  anyDim,
  type Dim,
  type DTypeTerm,
  dimOf,
  divideDims,
  incompleteType,
  type LaneDType,
  multiplyDims,
  type ParamKind,
  type Shape,
  subtractDims,
  type TypeVar,
  typeVar,
} from '@baton/ir';
import { DTYPES, type DType, isDType } from '@baton/tensor';
import { badDimension, dimensionTooLarge, unknownTypeVariable } from '../diagnostics.ts';
import { readNumberToken } from '../tokens/number.ts';
import {
  abandon,
  accept,
  expect,
  type ParserState,
  peek,
  peekText,
  report,
  spanFrom,
  spanHere,
  suggestion,
  unexpected,
} from './state.ts';

/**
 * The most operations and brackets in one dimension, and the most terms of its normal form. It
 * bounds the recursion of this file, and what a product of sums can grow to.
 */
export const MAX_DIMENSION_SIZE = 64;

/** `(d1, .., dn)`, the name of a Shape variable, or `_`. */
export function readShape(s: ParserState): Shape {
  if (accept(s, '_')) return incompleteType('Shape');
  if (peek(s) === 'name') return kindVariable(s, 'Shape', 'no shape variable');
  if (peek(s) === 'int') unexpected(s, 'a shape', `write \`(${peekText(s)})\``);
  expect(s, '(', 'a shape');
  const dims: Dim[] = [];
  while (peek(s) !== ')') {
    dims.push(readDim(s));
    if (!accept(s, ',')) break;
  }
  expect(s, ')');
  return dims;
}

/**
 * The shape of a legacy `Tensor<d, ..>`: a list in parentheses, dimensions one by one, or one name,
 * which is the whole shape if it is declared as one.
 */
export function readLegacyShape(s: ParserState): Shape {
  const { partners, kinds } = s.tokens;
  const kind = peek(s);
  const end = kind === '(' ? (partners[s.at] ?? s.at) : s.at;
  const isAlone = kinds[end + 1] === '>';
  const isShape = kind === '(' || kind === '_' || s.typeVars.get(peekText(s))?.kind === 'Shape';
  if (isAlone && isShape) return readShape(s);
  const dims: Dim[] = [];
  do dims.push(readDim(s));
  while (accept(s, ','));
  return dims;
}

/** One dimension: a size, `?`, `_`, or arithmetic over sizes and names. */
export function readDim(s: ParserState): Dim {
  if (peek(s) === '?' || peek(s) === '_') {
    return s.tokens.kinds[s.at++] === '?' ? anyDim : dimOf(incompleteType('ShapeVar'));
  }
  const first = s.at;
  const dim = readSum(s, { left: MAX_DIMENSION_SIZE, first });
  if (typeof dim === 'number' && !(Number.isSafeInteger(dim) && dim >= 0)) {
    report(s, badDimension(`a dimension is at least 0, found ${dim}`, spanFrom(s, first)));
    return 0;
  }
  return dim;
}

/** A dtype, the name of a BaseType variable, or `_`. */
export function readDType(s: ParserState): DTypeTerm {
  if (accept(s, '_')) return incompleteType('BaseType');
  if (peek(s) !== 'name') return unexpected(s, 'a dtype');
  const name = peekText(s);
  if (s.typeVars.get(name) === undefined) {
    const dtype = dtypeHere(s);
    if (dtype !== undefined) {
      s.at++;
      return dtype;
    }
  }
  return kindVariable(s, 'BaseType', 'no dtype, and no dtype variable');
}

/** The next token as a dtype, if it is one: in the legacy dialect under its older names too. */
export function dtypeHere(s: ParserState): DType | LaneDType | undefined {
  const name = peekText(s);
  return dtypeNamed(name) ?? (s.isLegacy ? legacyDType(name) : undefined);
}

const LEGACY_DTYPES: ReadonlyMap<string, DType> = new Map([
  ['Float', 'float32'],
  ['Real', 'float32'],
  ['Int', 'int32'],
  ['Bool', 'bool'],
]);

const SHORT_DTYPE = /^([fiu])(\d{1,3})$/;
const FAMILIES: ReadonlyMap<string, string> = new Map([
  ['f', 'float'],
  ['i', 'int'],
  ['u', 'uint'],
]);

function legacyDType(name: string): DType | undefined {
  const [, letter = '', bits = ''] = SHORT_DTYPE.exec(name) ?? [];
  const long = `${FAMILIES.get(letter)}${bits}`;
  return LEGACY_DTYPES.get(name) ?? (isDType(long) ? long : undefined);
}

const DTYPE = /^(int|uint|float|bfloat|bool)(\d{0,3})(?:x(\d{1,4}))?$/;
const DEFAULT_BITS: ReadonlyMap<string, string> = new Map([
  ['int', '32'],
  ['uint', '32'],
  ['float', '32'],
  ['bfloat', '16'],
]);

/** The dtype that a name means, if it means one. */
function dtypeNamed(name: string): DType | LaneDType | undefined {
  if (isDType(name)) return name;
  const parts = DTYPE.exec(name);
  if (parts === null) return undefined;
  const [, family = '', bits = '', lanes] = parts;
  const isBool =
    (family === 'bool' && (bits === '' || bits === '1')) || `${family}${bits}` === 'uint1';
  const scalar = isBool ? 'bool' : `${family}${bits === '' ? DEFAULT_BITS.get(family) : bits}`;
  if (!isDType(scalar)) return undefined;
  if (lanes === undefined) return scalar;
  const count = Number(lanes);
  if (count === 0) return undefined;
  return count === 1 ? scalar : `${scalar}x${count}`;
}

/** The variable of this kind that the next token names. */
function kindVariable(s: ParserState, kind: ParamKind, what: string): TypeVar {
  const name = peekText(s);
  const found = s.typeVars.get(name);
  if (found !== undefined && found.kind === kind) {
    s.at++;
    return found;
  }
  const known = (): ReadonlyArray<string> => {
    const ofKind = [...s.typeVars.names()].filter((n) => s.typeVars.get(n)?.kind === kind);
    return kind === 'BaseType' ? [...ofKind, ...DTYPES] : ofKind;
  };
  report(s, unknownTypeVariable(what, name, spanHere(s), suggestion(s, name, known)));
  s.at++;
  return typeVar(name, kind);
}

interface Budget {
  left: number;
  readonly first: number;
}

function spend(s: ParserState, budget: Budget): void {
  if (budget.left-- > 0) return;
  report(s, dimensionTooLarge(MAX_DIMENSION_SIZE, spanFrom(s, budget.first)));
  abandon();
}

function readSum(s: ParserState, budget: Budget): Dim {
  let sum = readProduct(s, budget);
  for (;;) {
    const kind = peek(s);
    if (kind !== '+' && kind !== '-') return sum;
    s.at++;
    spend(s, budget);
    const term = readProduct(s, budget);
    sum = kind === '+' ? addDims(sum, term) : subtractDims(sum, term);
  }
}

function readProduct(s: ParserState, budget: Budget): Dim {
  let product = readAtom(s, budget);
  for (;;) {
    const kind = peek(s);
    if (kind !== '*' && kind !== '/') return product;
    s.at++;
    spend(s, budget);
    const factor = readAtom(s, budget);
    if (termCount(product) * termCount(factor) > MAX_DIMENSION_SIZE) {
      budget.left = 0;
      spend(s, budget);
    }
    product = kind === '*' ? multiplyDims(product, factor) : quotient(s, product, factor, budget);
  }
}

function quotient(s: ParserState, a: Dim, b: Dim, budget: Budget): Dim {
  const result = b === 0 ? undefined : divideDims(a, b);
  if (result !== undefined) return result;
  report(s, badDimension('this division of dimensions is not exact', spanFrom(s, budget.first)));
  return 1;
}

const termCount = (dim: Dim): number =>
  typeof dim === 'number' || dim._tag === 'AnyDim' ? 1 : dim.terms.length + 1;

function readAtom(s: ParserState, budget: Budget): Dim {
  const kind = peek(s);
  if (kind === 'int') return readSize(s);
  if (kind === 'name') return readDimName(s);
  if (kind !== '(') return unexpected(s, 'a dimension');
  spend(s, budget);
  s.at++;
  const inner = readSum(s, budget);
  expect(s, ')');
  return inner;
}

function readSize(s: ParserState): number {
  const token = readNumberToken(peekText(s));
  const size = typeof token === 'object' && token.dtype === undefined ? Number(token.value) : -1;
  const isNegative = peekText(s).startsWith('-');
  if (!Number.isSafeInteger(size) || (size < 0 && !isNegative)) {
    report(s, badDimension(`\`${peekText(s).slice(0, 40)}\` is no dimension`, spanHere(s)));
    s.at++;
    return 1;
  }
  s.at++;
  return size;
}

/** A declared dimension variable; an undeclared one is declared by the signature being read. */
function readDimName(s: ParserState): Dim {
  const name = peekText(s);
  if (s.typeVars.get(name) !== undefined || s.openSignature === undefined) {
    return dimOf(kindVariable(s, 'ShapeVar', 'no dimension variable'));
  }
  if (isDType(name)) {
    report(s, badDimension(`\`${name}\` is a dtype and names no dimension`, spanHere(s)));
    s.at++;
    return anyDim;
  }
  s.at++;
  const declared = typeVar(name, 'ShapeVar');
  s.openSignature.push(declared);
  s.typeVars.declare(name, declared);
  return dimOf(declared);
}
