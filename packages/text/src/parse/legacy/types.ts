/** Types in the forms of the legacy dialect. */
import { run, type Steps } from '@baton/base';
import { type Dim, type DTypeTerm, type Shape, type Type, tensorType, tupleType } from '@baton/ir';
import { type DType, isDType } from '@baton/tensor';
import { dtypeNamed, readDim, readDType, readShape } from '../dims.ts';
import { type Parser, readList } from '../parser.ts';
import { namedType, readType, readTypeCall } from '../types.ts';

const DTYPES: ReadonlyMap<string, DType> = new Map([
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

/** A dtype by its name of today or an older one. */
export function legacyDType(name: string): DTypeTerm | undefined {
  const [, letter = '', bits = ''] = SHORT_DTYPE.exec(name) ?? [];
  const long = `${FAMILIES.get(letter)}${bits}`;
  return dtypeNamed(name) ?? DTYPES.get(name) ?? (isDType(long) ? long : undefined);
}

/** `Tensor<dtype, shape>`, or today's meaning; a data type hides the dtype of its name. */
export function legacyNamedType(s: Parser, name: string): Type | undefined {
  if (s.peek(1) === '<') return name === 'Tensor' ? readTensorType(s) : undefined;
  return s.typeVars.get(name) === undefined && s.adts.has(name) ? undefined : namedType(s, name);
}

function readTensorType(s: Parser): Type {
  s.at += 2;
  const dtype = readDType(s);
  s.expect(',');
  const shape = readTensorShape(s);
  s.expect('>');
  return tensorType(shape, dtype);
}

/** A list in parentheses, dimensions one by one, or one name, which may name an entire shape. */
function readTensorShape(s: Parser): Shape {
  const { partners, kinds } = s.tokens;
  const kind = s.peek();
  const end = kind === '(' ? (partners[s.at] ?? s.at) : s.at;
  const isAlone = kinds[end + 1] === '>';
  const isShape = kind === '(' || kind === '_' || s.typeVars.get(s.peekText())?.kind === 'Shape';
  if (isAlone && isShape) return readShape(s);
  const dims: Dim[] = [];
  do dims.push(readDim(s));
  while (s.accept(','));
  return dims;
}

/** `Tuple<A, B>`, the type being defined by its bare name, or today's forms. */
export function* readLegacyTypeCall(s: Parser): Steps<Type> {
  const name = s.peekText();
  const adt = s.adts.get(name);
  if (adt === undefined && name === 'Tuple' && s.peek(1) === '<') {
    s.at += 2;
    return tupleType(yield* run(readList(s, '>', (at) => readType(at))));
  }
  const isBare = !s.dialect.typeBrackets.has(s.peek(1));
  if (adt === undefined || !isBare || adt.header !== s.selfType?.func) {
    return yield* run(readTypeCall(s));
  }
  s.at++;
  return s.selfType;
}
