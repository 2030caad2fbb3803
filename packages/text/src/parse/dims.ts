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
import type { Parser } from './parser.ts';

/** The most operations and brackets in one dimension, and terms of its normal form. */
export const MAX_DIMENSION_SIZE = 64;

/** `(d1, .., dn)`, the name of a Shape variable, or `_`. */
export function readShape(s: Parser): Shape {
  if (s.accept('_')) return incompleteType('Shape');
  if (s.peek() === 'name') return kindVariable(s, 'Shape', 'no shape variable');
  if (s.peek() === 'int') s.unexpected('a shape', `write \`(${s.peekText()})\``);
  s.expect('(', 'a shape');
  const dims: Dim[] = [];
  while (s.peek() !== ')') {
    dims.push(readDim(s));
    if (!s.accept(',')) break;
  }
  s.expect(')');
  return dims;
}

/** One dimension: a size, `?`, `_`, or arithmetic over sizes and names. */
export function readDim(s: Parser): Dim {
  if (s.peek() === '?' || s.peek() === '_') {
    return s.tokens.kinds[s.at++] === '?' ? anyDim : dimOf(incompleteType('ShapeVar'));
  }
  const first = s.at;
  const dim = readSum(s, { left: MAX_DIMENSION_SIZE, first });
  if (typeof dim === 'number' && !(Number.isSafeInteger(dim) && dim >= 0)) {
    s.report(badDimension(`a dimension is at least 0, found ${dim}`, s.spanFrom(first)));
    return 0;
  }
  return dim;
}

/** A dtype, the name of a BaseType variable, or `_`. */
export function readDType(s: Parser): DTypeTerm {
  if (s.accept('_')) return incompleteType('BaseType');
  if (s.peek() !== 'name') return s.unexpected('a dtype');
  const name = s.peekText();
  if (s.typeVars.get(name) === undefined) {
    const dtype = s.dialect.dtypeNamed(name);
    if (dtype !== undefined) {
      s.at++;
      return dtype;
    }
  }
  return kindVariable(s, 'BaseType', 'no dtype, and no dtype variable');
}

const DTYPE = /^(int|uint|float|bfloat|bool)(\d{0,3})(?:x(\d{1,4}))?$/;
const DEFAULT_BITS: ReadonlyMap<string, string> = new Map([
  ['int', '32'],
  ['uint', '32'],
  ['float', '32'],
  ['bfloat', '16'],
]);

export function dtypeNamed(name: string): DType | LaneDType | undefined {
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

function kindVariable(s: Parser, kind: ParamKind, what: string): TypeVar {
  const name = s.peekText();
  const found = s.typeVars.get(name);
  if (found !== undefined && found.kind === kind) {
    s.note(s.at, { _tag: 'TypeVariable', node: found });
    s.at++;
    return found;
  }
  const known = (): ReadonlyArray<string> => {
    const ofKind = [...s.typeVars.names()].filter((n) => s.typeVars.get(n)?.kind === kind);
    return kind === 'BaseType' ? [...ofKind, ...DTYPES] : ofKind;
  };
  s.report(unknownTypeVariable(what, name, s.spanHere(), s.suggestion(name, known)));
  s.at++;
  return typeVar(name, kind);
}

interface Budget {
  left: number;
  readonly first: number;
}

function spend(s: Parser, budget: Budget): void {
  if (budget.left-- > 0) return;
  s.report(dimensionTooLarge(MAX_DIMENSION_SIZE, s.spanFrom(budget.first)));
  s.abandon();
}

function readSum(s: Parser, budget: Budget): Dim {
  let sum = readProduct(s, budget);
  for (;;) {
    const kind = s.peek();
    if (kind !== '+' && kind !== '-') return sum;
    s.at++;
    spend(s, budget);
    const term = readProduct(s, budget);
    sum = kind === '+' ? addDims(sum, term) : subtractDims(sum, term);
  }
}

function readProduct(s: Parser, budget: Budget): Dim {
  let product = readAtom(s, budget);
  for (;;) {
    const kind = s.peek();
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

function quotient(s: Parser, a: Dim, b: Dim, budget: Budget): Dim {
  const result = b === 0 ? undefined : divideDims(a, b);
  if (result !== undefined) return result;
  s.report(badDimension('this division of dimensions is not exact', s.spanFrom(budget.first)));
  return 1;
}

const termCount = (dim: Dim): number =>
  typeof dim === 'number' || dim._tag === 'AnyDim' ? 1 : dim.terms.length + 1;

function readAtom(s: Parser, budget: Budget): Dim {
  const kind = s.peek();
  if (kind === 'int') return readSize(s);
  if (kind === 'name') return readDimName(s);
  if (kind !== '(') return s.unexpected('a dimension');
  spend(s, budget);
  s.at++;
  const inner = readSum(s, budget);
  s.expect(')');
  return inner;
}

function readSize(s: Parser): number {
  const token = readNumberToken(s.peekText());
  const size = typeof token === 'object' && token.dtype === undefined ? Number(token.value) : -1;
  const isNegative = s.peekText().startsWith('-');
  if (!Number.isSafeInteger(size) || (size < 0 && !isNegative)) {
    s.report(badDimension(`\`${s.peekText().slice(0, 40)}\` is no dimension`, s.spanHere()));
    s.at++;
    return 1;
  }
  s.at++;
  return size;
}

/** A declared dimension variable; an undeclared one is declared by the current signature. */
function readDimName(s: Parser): Dim {
  const name = s.peekText();
  if (s.typeVars.get(name) !== undefined || s.openSignature === undefined) {
    return dimOf(kindVariable(s, 'ShapeVar', 'no dimension variable'));
  }
  if (isDType(name)) {
    s.report(badDimension(`\`${name}\` is a dtype and names no dimension`, s.spanHere()));
    s.at++;
    return anyDim;
  }
  const declared = typeVar(name, 'ShapeVar');
  s.notes?.typeVar(s.at, declared);
  s.at++;
  s.openSignature.push(declared);
  s.typeVars.declare(name, declared);
  return dimOf(declared);
}
