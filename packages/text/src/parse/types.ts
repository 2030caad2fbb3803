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
import { type TokenKind, tokenSpan } from '../tokens/tokens.ts';
import { isAttrAhead, readAttrs, relationAttrs, type WrittenAttr } from './attrs.ts';
import { dtypeHere, readDim, readDType, readLegacyShape, readShape } from './dims.ts';
import {
  abandon,
  accept,
  expect,
  isWord,
  type ParserState,
  peek,
  peekText,
  report,
  spanFrom,
  spanHere,
  suggestion,
  unexpected,
} from './state.ts';

/** Any type. With `allowsWhere`, a function type may be followed by its constraints. */
export function* readType(s: ParserState, allowsWhere = false): Steps<Type> {
  const simple = simpleType(s);
  if (simple !== undefined) {
    if (allowsWhere) refuseWhere(s);
    return simple;
  }
  switch (peek(s)) {
    case '(':
      return yield* run(readParenthesized(s));
    case 'fn':
      return yield* run(readFuncType(s, allowsWhere));
    case 'ref': {
      s.at++;
      expect(s, '(');
      const value = yield* run(readType(s));
      expect(s, ')');
      return refType(value);
    }
    case 'name':
      return yield* run(readTypeCall(s));
    default:
      return unexpected(s, 'a type');
  }
}

/** A type without types inside it, if the next tokens are one: the common case, without a step. */
export function simpleType(s: ParserState): Type | undefined {
  if (accept(s, '_')) return incompleteType('Type');
  if (peek(s) !== 'name') return undefined;
  const name = peekText(s);
  if (name === 'Tensor' && peek(s, 1) === '[') return readTensorType(s);
  if (s.isLegacy && peek(s, 1) === '<') {
    return name === 'Tensor' ? readLegacyTensorType(s) : undefined;
  }
  const declared = s.typeVars.get(name);
  if (declared !== undefined && peek(s, 1) !== '[') {
    s.at++;
    return declared;
  }
  if (declared !== undefined || (s.isLegacy && s.adts.has(name))) return undefined;
  const dtype = dtypeHere(s);
  if (dtype === undefined) return undefined;
  s.at++;
  return scalarType(dtype);
}

/** `[A, n: ShapeVar]` or `<A, n: ShapeVar>`, declared in the scope of type variables. */
export function readTypeParams(s: ParserState): ReadonlyArray<TypeVar> {
  const closer = accept(s, '[') ? ']' : accept(s, '<') ? '>' : undefined;
  if (closer === undefined) return [];
  const params: TypeVar[] = [];
  do {
    if (params.length > 0 && peek(s) === closer) break;
    if (peek(s) !== 'name') return unexpected(s, 'the name of a type parameter');
    const name = peekText(s);
    s.at++;
    const param = typeVar(name, accept(s, ':') ? readKind(s) : 'Type');
    s.typeVars.declare(name, param);
    params.push(param);
  } while (accept(s, ','));
  expect(s, closer);
  return params;
}

/** The kinds that a type parameter may have. */
export const PARAM_KINDS: ReadonlyArray<ParamKind> = ['Type', 'Shape', 'BaseType', 'ShapeVar'];

function readKind(s: ParserState): ParamKind {
  const kind = PARAM_KINDS.find((k) => isWord(s, k));
  if (kind === undefined) return unexpected(s, 'a kind', `the kinds are ${PARAM_KINDS.join(', ')}`);
  s.at++;
  return kind;
}

/**
 * `where R(..), S(..)`, if it is there. A relation without arguments holds between the parameters'
 * types and the result's.
 */
export function* readWhere(
  s: ParserState,
  params: ReadonlyArray<Type>,
  result: Type,
): Steps<ReadonlyArray<TypeRelation>> {
  if (!isWord(s, 'where')) return [];
  s.at++;
  const relations: TypeRelation[] = [];
  do relations.push(yield* run(readRelation(s, params, result)));
  while (accept(s, ','));
  return relations;
}

/** The arguments of a call's `[..]` or `<..>`, after the opening bracket, up to `closer`. */
export function* readTypeArgs(
  s: ParserState,
  closer: ']' | '>',
  kinds: ReadonlyArray<ParamKind> = [],
): Steps<ReadonlyArray<TypeArg>> {
  const args: TypeArg[] = [];
  if (closer === '>') s.openAngles.push(s.at - 1);
  while (peek(s) !== closer) {
    args.push(yield* run(readTypeArg(s, kinds[args.length] ?? guessKind(s))));
    if (!accept(s, ',')) break;
  }
  expect(s, closer);
  if (closer === '>') s.openAngles.pop();
  return args;
}

function* readTypeArg(s: ParserState, kind: ParamKind): Steps<TypeArg> {
  const looks = kindByLooks(s) ?? (isTupleFor(s, kind) ? 'Type' : undefined);
  if (looks !== undefined && looks !== kind) {
    // Read as what it is, so that the wrong kind costs one error.
    const first = s.at;
    yield* run(readArgOfKind(s, looks));
    report(s, wrongArgumentKind(kind, looks, spanFrom(s, first)));
    return holeArg(incompleteType(kind));
  }
  return yield* run(readArgOfKind(s, kind));
}

function* readArgOfKind(s: ParserState, kind: ParamKind): Steps<TypeArg> {
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

/** The kind of a type argument where the parameter is not known yet. */
const guessKind = (s: ParserState): ParamKind =>
  kindByLooks(s) ?? (peek(s) === 'name' ? (s.typeVars.get(peekText(s))?.kind ?? 'Type') : 'Type');

/** The kind of a type argument, if its first tokens leave no doubt. */
function kindByLooks(s: ParserState): ParamKind | undefined {
  const next = peek(s, 1);
  switch (peek(s)) {
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
      if (next === '[' || (s.isLegacy && next === '<')) return 'Type';
      return DIM_SIGNS.has(next) ? 'ShapeVar' : undefined;
    default:
      return undefined;
  }
}

const DIM_SIGNS: ReadonlySet<TokenKind> = new Set<TokenKind>(['+', '-', '*', '/']);

/** Whether what the next bracket holds, not counting inner brackets, can only be dimensions. */
function holdsDimensions(s: ParserState): boolean {
  const { kinds, partners, starts, ends } = s.tokens;
  const { text } = s.tokens.source;
  const end = partners[s.at] ?? -1;
  for (let i = s.at + 1; i < end; i++) {
    const kind = kinds[i] ?? 'eof';
    const isApplied = kinds[i + 1] === '[' || (s.isLegacy && kinds[i + 1] === '<');
    if (kind === 'fn' || kind === 'ref' || (kind === 'name' && isApplied)) return false;
    if (kind === 'int' || kind === '?' || DIM_SIGNS.has(kind)) return true;
    if (kind === 'name' && s.typeVars.get(text.slice(starts[i], ends[i]))?.kind === 'ShapeVar') {
      return true;
    }
    i = Math.max(i, partners[i] ?? -1);
  }
  return false;
}

/** Whether a bracket follows that is neither a dtype nor one dimension, where one of them is due. */
function isTupleFor(s: ParserState, kind: ParamKind): boolean {
  if (peek(s) !== '(' || kind === 'Type' || kind === 'Shape') return false;
  const { kinds, partners } = s.tokens;
  const end = partners[s.at] ?? -1;
  if (kind === 'BaseType' || end === s.at + 1) return true;
  for (let i = s.at + 1; i < end; i = Math.max(i, partners[i] ?? -1) + 1) {
    if (kinds[i] === ',') return true;
  }
  return false;
}

/** Whether what the next bracket holds starts as only a type can. */
function holdsTypes(s: ParserState): boolean {
  let ahead = 1;
  while (peek(s, ahead) === '(') ahead++;
  const first = peek(s, ahead);
  const next = peek(s, ahead + 1);
  const isApplied = next === '[' || (s.isLegacy && next === '<');
  return first === 'fn' || first === 'ref' || (first === 'name' && isApplied);
}

function readTensorType(s: ParserState): Type {
  s.at += 2;
  const shape = readShape(s);
  expect(s, ',');
  const dtype = readDType(s);
  expect(s, ']');
  return tensorType(shape, dtype);
}

/** `Tensor<dtype, shape>`. */
function readLegacyTensorType(s: ParserState): Type {
  s.at += 2;
  const dtype = readDType(s);
  expect(s, ',');
  const shape = readLegacyShape(s);
  expect(s, '>');
  return tensorType(shape, dtype);
}

/** `Tuple<A, B>`. */
function* readLegacyTupleType(s: ParserState): Steps<Type> {
  s.at += 2;
  const fields: Type[] = [];
  while (peek(s) !== '>') {
    fields.push(simpleType(s) ?? (yield* run(readType(s))));
    if (!accept(s, ',')) break;
  }
  expect(s, '>');
  return tupleType(fields);
}

function* readParenthesized(s: ParserState): Steps<Type> {
  expect(s, '(');
  if (accept(s, ')')) return tupleType([]);
  const first = yield* run(readType(s, true));
  if (accept(s, ')')) return first;
  const fields = [first];
  while (accept(s, ',')) {
    if (peek(s) === ')') break;
    fields.push(simpleType(s) ?? (yield* run(readType(s, true))));
  }
  expect(s, ')');
  return tupleType(fields);
}

function* readFuncType(s: ParserState, allowsWhere: boolean): Steps<FuncType> {
  expect(s, 'fn');
  const mark = s.typeVars.mark();
  const implied = s.openSignature?.length ?? 0;
  const typeParams = readTypeParams(s);
  expect(s, '(');
  const params: Type[] = [];
  while (peek(s) !== ')') {
    params.push(yield* run(readType(s)));
    if (!accept(s, ',')) break;
  }
  expect(s, ')');
  expect(s, '->');
  const result = yield* run(readType(s));
  const constraints = allowsWhere ? yield* run(readWhere(s, params, result)) : [];
  s.typeVars.restore(mark);
  // A dimension that is first mentioned in here belongs to the signature that this type is part of.
  for (const v of s.openSignature?.slice(implied) ?? []) s.typeVars.declare(v.nameHint, v);
  return funcType(params, result, typeParams, constraints);
}

function* readTypeCall(s: ParserState): Steps<Type> {
  const name = peekText(s);
  const first = s.at;
  const adt = s.adts.get(name);
  const closer = bracketOfArguments(s);
  if (s.isLegacy && adt === undefined && name === 'Tuple' && closer === '>') {
    return yield* run(readLegacyTupleType(s));
  }
  s.at += closer === undefined ? 1 : 2;
  if (adt === undefined) {
    if (name === 'Tensor') return unexpected(s, '`[`', 'write `Tensor[(2, 3), float32]`');
    const known = (): ReadonlyArray<string> => [
      ...s.adts.keys(),
      ...s.typeVars.names(),
      'Tensor',
      ...DTYPES,
    ];
    report(s, unknownType(name, tokenSpan(s.tokens, first), suggestion(s, name, known)));
    if (closer !== undefined) yield* run(readTypeArgs(s, closer));
    return incompleteType('Type');
  }
  if (closer === undefined && adt.header === s.selfType?.func) return s.selfType;
  const args = closer === undefined ? [] : yield* run(readTypeArgs(s, closer, adt.kinds));
  if (args.length !== adt.kinds.length) {
    report(s, adtArgumentCount(name, adt.kinds.length, args.length, spanFrom(s, first)));
  }
  return typeCall(adt.header, args);
}

/** What closes the arguments that follow the next token, if there are any. */
function bracketOfArguments(s: ParserState): ']' | '>' | undefined {
  if (peek(s, 1) === '[') return ']';
  return s.isLegacy && peek(s, 1) === '<' ? '>' : undefined;
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

function* readRelation(
  s: ParserState,
  params: ReadonlyArray<Type>,
  result: Type,
): Steps<TypeRelation> {
  if (peek(s) !== 'name') return unexpected(s, 'the name of a type relation');
  const name = peekText(s);
  const nameAt = s.at;
  if (!s.relations.has(name) && s.ops.get(name) === undefined) {
    const hint = suggestion(s, name, () => [...s.relations, ...s.ops.names]);
    report(s, unknownRelation(name, spanHere(s), hint));
  }
  s.at++;
  if (!accept(s, '(')) {
    const attrs = relationAttrs(s, name, nameAt, []);
    return typeRelation(name, [...params, result], params.length, attrs);
  }
  const args: Type[] = [];
  let written: ReadonlyArray<WrittenAttr> = [];
  while (peek(s) !== ')') {
    if (isAttrAhead(s)) {
      written = readAttrs(s);
      break;
    }
    args.push(yield* run(readType(s)));
    if (!accept(s, ',')) break;
  }
  expect(s, ')');
  const attrs = relationAttrs(s, name, nameAt, written);
  return typeRelation(name, args, Math.max(0, args.length - 1), attrs);
}

function refuseWhere(s: ParserState): void {
  if (!isWord(s, 'where')) return;
  report(s, strayWhere(spanHere(s)));
  abandon();
}
