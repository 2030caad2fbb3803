/** Types in text: [language §3](https://batonjs.github.io/baton/spec/language#3). */
import { run, type Steps } from '@baton/base';
import {
  adtArgumentCount,
  type FuncType,
  funcType,
  holeArg,
  incompleteType,
  type ParamKind,
  refType,
  scalarType,
  type Type,
  type TypeArg,
  type TypeRelation,
  type TypeVar,
  tensorType,
  tupleType,
  typeCall,
  typeRelation,
  typeVar,
} from '@baton/ir';
import { DTYPES } from '@baton/tensor';
import { strayWhere, unknownRelation, unknownType, wrongArgumentKind } from '../diagnostics.ts';
import type { TokenKind } from '../tokens/tokens.ts';
import { isAttrAhead, readAttrs, relationAttrs, type WrittenAttr } from './attrs.ts';
import { readDim, readDType, readShape } from './dims.ts';
import { type Parser, readList } from './parser.ts';

/** Any type. With `allowsWhere`, constraints may follow a function type. */
export function* readType(s: Parser, allowsWhere = false): Steps<Type> {
  const simple = simpleType(s);
  if (simple !== undefined) {
    if (allowsWhere) refuseWhere(s);
    return simple;
  }
  switch (s.peek()) {
    case '(':
      return yield* run(readParenthesized(s));
    case 'fn':
      return yield* run(readFuncType(s, allowsWhere));
    case 'ref': {
      s.at++;
      s.expect('(');
      const value = yield* run(readType(s));
      s.expect(')');
      return refType(value);
    }
    case 'name':
      return yield* run(s.dialect.readTypeCall(s));
    default:
      return s.unexpected('a type');
  }
}

/** A type without types inside it, if the next tokens are one: the common case, without a step. */
export function simpleType(s: Parser): Type | undefined {
  if (s.accept('_')) return incompleteType('Type');
  if (s.peek() !== 'name') return undefined;
  const name = s.peekText();
  if (name === 'Tensor' && s.peek(1) === '[') return readTensorType(s);
  return s.dialect.namedType(s, name);
}

export function namedType(s: Parser, name: string): Type | undefined {
  const declared = s.typeVars.get(name);
  if (declared !== undefined) {
    if (s.peek(1) === '[') return undefined;
    s.note(s.at, { _tag: 'TypeVariable', node: declared });
    s.at++;
    return declared;
  }
  const dtype = s.dialect.dtypeNamed(name);
  if (dtype === undefined) return undefined;
  s.at++;
  return scalarType(dtype);
}

/** `[A, n: ShapeVar]` or `<A, n: ShapeVar>`, declared in the scope of type variables. */
export function readTypeParams(s: Parser): ReadonlyArray<TypeVar> {
  const closer = s.accept('[') ? ']' : s.accept('<') ? '>' : undefined;
  if (closer === undefined) return [];
  const params: TypeVar[] = [];
  do {
    if (params.length > 0 && s.peek() === closer) break;
    if (s.peek() !== 'name') return s.unexpected('the name of a type parameter');
    const name = s.peekText();
    const nameAt = s.at++;
    const param = typeVar(name, s.accept(':') ? readKind(s) : 'Type');
    s.notes?.typeVar(nameAt, param);
    s.typeVars.declare(name, param);
    params.push(param);
  } while (s.accept(','));
  s.expect(closer);
  return params;
}

export const PARAM_KINDS: ReadonlyArray<ParamKind> = ['Type', 'Shape', 'BaseType', 'ShapeVar'];

function readKind(s: Parser): ParamKind {
  const kind = PARAM_KINDS.find((k) => s.isWord(k));
  if (kind === undefined) return s.unexpected('a kind', `the kinds are ${PARAM_KINDS.join(', ')}`);
  s.at++;
  return kind;
}

/** `where R(..), S(..)`, if present. A bare relation holds between parameters and result. */
export function* readWhere(
  s: Parser,
  params: ReadonlyArray<Type>,
  result: Type,
): Steps<ReadonlyArray<TypeRelation>> {
  if (!s.isWord('where')) return [];
  s.at++;
  const relations: TypeRelation[] = [];
  do relations.push(yield* run(readRelation(s, params, result)));
  while (s.accept(','));
  return relations;
}

/** The arguments of a call's `[..]` or `<..>`, after the opening bracket, up to `closer`. */
export function* readTypeArgs(
  s: Parser,
  closer: ']' | '>',
  kinds: ReadonlyArray<ParamKind> = [],
): Steps<ReadonlyArray<TypeArg>> {
  if (closer === '>') s.openAngles.push(s.at - 1);
  let index = 0;
  const args = yield* run(
    readList(s, closer, () => readTypeArg(s, kinds[index++] ?? guessKind(s))),
  );
  if (closer === '>') s.openAngles.pop();
  return args;
}

function* readTypeArg(s: Parser, kind: ParamKind): Steps<TypeArg> {
  const looks = kindByLooks(s) ?? (isTupleFor(s, kind) ? 'Type' : undefined);
  if (looks !== undefined && looks !== kind) {
    // Reading it by its own form makes a wrong kind one error.
    const first = s.at;
    yield* run(readArgOfKind(s, looks));
    s.report(wrongArgumentKind(kind, looks, s.spanFrom(first)));
    return holeArg(incompleteType(kind));
  }
  return yield* run(readArgOfKind(s, kind));
}

function* readArgOfKind(s: Parser, kind: ParamKind): Steps<TypeArg> {
  switch (kind) {
    case 'Type':
      return { _tag: 'TypeArg', kind, value: yield* run(readType(s)) };
    case 'Shape':
      return { _tag: 'TypeArg', kind, value: readShape(s) };
    case 'BaseType':
      return { _tag: 'TypeArg', kind, value: readDType(s) };
    case 'ShapeVar':
      return { _tag: 'TypeArg', kind, value: readDim(s) };
  }
}

/** The kind of a type argument whose parameter is not known yet. */
const guessKind = (s: Parser): ParamKind =>
  kindByLooks(s) ?? (s.peek() === 'name' ? (s.typeVars.get(s.peekText())?.kind ?? 'Type') : 'Type');

/** The kind of a type argument, if its first tokens leave no doubt. */
function kindByLooks(s: Parser): ParamKind | undefined {
  const next = s.peek(1);
  switch (s.peek()) {
    case 'int':
    case '?':
      return 'ShapeVar';
    case 'fn':
    case 'ref':
      return 'Type';
    case '(': {
      const end = s.tokens.partners[s.at] ?? -1;
      if (DIM_SIGNS.has(s.tokens.kinds[end + 1] ?? 'eof')) return 'ShapeVar';
      if (holdsTypes(s)) return 'Type';
      return holdsDimensions(s) ? 'Shape' : undefined;
    }
    case 'name':
      if (s.dialect.typeBrackets.has(next)) return 'Type';
      return DIM_SIGNS.has(next) ? 'ShapeVar' : undefined;
    default:
      return undefined;
  }
}

const DIM_SIGNS: ReadonlySet<TokenKind> = new Set<TokenKind>(['+', '-', '*', '/']);

/** Whether the content of the next bracket, without inner brackets, can only be dimensions. */
function holdsDimensions(s: Parser): boolean {
  const { kinds, partners, starts, ends } = s.tokens;
  const { text } = s.tokens.source;
  const end = partners[s.at] ?? -1;
  for (let i = s.at + 1; i < end; i++) {
    const kind = kinds[i] ?? 'eof';
    const isApplied = s.dialect.typeBrackets.has(kinds[i + 1] ?? 'eof');
    if (kind === 'fn' || kind === 'ref' || (kind === 'name' && isApplied)) return false;
    if (kind === 'int' || kind === '?' || DIM_SIGNS.has(kind)) return true;
    if (kind === 'name' && s.typeVars.get(text.slice(starts[i], ends[i]))?.kind === 'ShapeVar') {
      return true;
    }
    i = Math.max(i, partners[i] ?? -1);
  }
  return false;
}

/** Whether the next bracket is neither a dtype nor one dimension, where one of them is due. */
function isTupleFor(s: Parser, kind: ParamKind): boolean {
  if (s.peek() !== '(' || kind === 'Type' || kind === 'Shape') return false;
  const { kinds, partners } = s.tokens;
  const end = partners[s.at] ?? -1;
  if (kind === 'BaseType' || end === s.at + 1) return true;
  for (let i = s.at + 1; i < end; i = Math.max(i, partners[i] ?? -1) + 1) {
    if (kinds[i] === ',') return true;
  }
  return false;
}

/** Whether the content of the next bracket can only start a type. */
function holdsTypes(s: Parser): boolean {
  let ahead = 1;
  while (s.peek(ahead) === '(') ahead++;
  const first = s.peek(ahead);
  const next = s.peek(ahead + 1);
  const isApplied = s.dialect.typeBrackets.has(next);
  return first === 'fn' || first === 'ref' || (first === 'name' && isApplied);
}

function readTensorType(s: Parser): Type {
  s.at += 2;
  const shape = readShape(s);
  s.expect(',');
  const dtype = readDType(s);
  s.expect(']');
  return tensorType(shape, dtype);
}

function* readParenthesized(s: Parser): Steps<Type> {
  s.expect('(');
  if (s.accept(')')) return tupleType([]);
  const first = yield* run(readType(s, true));
  if (s.accept(')')) return first;
  const fields = [first];
  while (s.accept(',')) {
    if (s.peek() === ')') break;
    fields.push(simpleType(s) ?? (yield* run(readType(s, true))));
  }
  s.expect(')');
  return tupleType(fields);
}

function* readFuncType(s: Parser, allowsWhere: boolean): Steps<FuncType> {
  s.expect('fn');
  const mark = s.typeVars.mark();
  const implied = s.openSignature?.length ?? 0;
  const typeParams = readTypeParams(s);
  s.expect('(');
  const params = yield* run(readList(s, ')', (at) => readType(at)));
  s.expect('->');
  const result = yield* run(readType(s));
  const constraints = allowsWhere ? yield* run(readWhere(s, params, result)) : [];
  s.typeVars.restore(mark);
  // A dimension first mentioned in here belongs to the surrounding signature.
  for (const v of s.openSignature?.slice(implied) ?? []) s.typeVars.declare(v.nameHint, v);
  return funcType(params, result, typeParams, constraints);
}

/** The name of a data type and its arguments. */
export function* readTypeCall(s: Parser): Steps<Type> {
  const name = s.peekText();
  const first = s.at;
  const adt = s.adts.get(name);
  const closer = s.dialect.typeBrackets.get(s.peek(1));
  if (adt !== undefined) s.note(first, { _tag: 'DataType', name });
  s.at += closer === undefined ? 1 : 2;
  if (adt === undefined) {
    if (name === 'Tensor') return s.unexpected('`[`', 'write `Tensor[(2, 3), float32]`');
    const known = (): ReadonlyArray<string> => [
      ...s.adts.keys(),
      ...s.typeVars.names(),
      'Tensor',
      ...DTYPES,
    ];
    s.report(unknownType(name, s.spanAt(first), s.suggestion(name, known)));
    if (closer !== undefined) yield* run(readTypeArgs(s, closer));
    return incompleteType('Type');
  }
  const args = closer === undefined ? [] : yield* run(readTypeArgs(s, closer, adt.kinds));
  if (args.length !== adt.kinds.length) {
    s.report(adtArgumentCount(name, adt.kinds.length, args.length, s.spanFrom(first)));
  }
  return typeCall(adt.header, args);
}

/**
 * The relations of [types §9](https://batonjs.github.io/baton/spec/types#9), which every module may
 * use in `where`.
 */
export const STANDARD_RELATIONS: ReadonlySet<string> = new Set([
  'Identity',
  'IdentityComp',
  'Broadcast',
  'BroadcastComp',
  'TupleGetItem',
  'ShapeOf',
  'Cast',
  'CastLike',
  'Reduce',
  'ArgReduce',
]);

function* readRelation(s: Parser, params: ReadonlyArray<Type>, result: Type): Steps<TypeRelation> {
  if (s.peek() !== 'name') return s.unexpected('the name of a type relation');
  const name = s.peekText();
  const nameAt = s.at;
  if (!s.relations.has(name) && s.ops.get(name) === undefined) {
    const hint = s.suggestion(name, () => [...s.relations, ...s.ops.names]);
    s.report(unknownRelation(name, s.spanHere(), hint));
  }
  s.at++;
  if (!s.accept('(')) {
    const attrs = relationAttrs(s, name, nameAt, []);
    return typeRelation(name, [...params, result], params.length, attrs);
  }
  const args: Type[] = [];
  let written: ReadonlyArray<WrittenAttr> = [];
  while (s.peek() !== ')') {
    if (isAttrAhead(s)) {
      written = readAttrs(s);
      break;
    }
    args.push(yield* run(readType(s)));
    if (!s.accept(',')) break;
  }
  s.expect(')');
  const attrs = relationAttrs(s, name, nameAt, written);
  return typeRelation(name, args, Math.max(0, args.length - 1), attrs);
}

function refuseWhere(s: Parser): void {
  if (!s.isWord('where')) return;
  s.report(strayWhere(s.spanHere()));
  s.abandon();
}
