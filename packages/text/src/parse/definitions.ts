/**
 * The definitions of a module: [language §1](https://batonjs.github.io/baton/spec/language#1),
 * [§3](https://batonjs.github.io/baton/spec/language#3).
 */
import { hashText, run, runSteps, type Steps, type TextSpan } from '@baton/base';
import {
  adtConstructor,
  type ConstructorDef,
  globalTypeVar,
  globalVar,
  type ParamKind,
  type TypeData,
} from '@baton/ir';
import { definedTwice, externConstructors } from '../diagnostics.ts';
import { readBlock } from './exprs.ts';
import { readFunction } from './functions.ts';
import { attempt, type DefinitionForm, type Parser, readList } from './parser.ts';
import { PARAM_KINDS, readType, readTypeParams } from './types.ts';

/**
 * Reads the definitions of a module, all of one kind before the next kind, in any textual order:
 * all names of a module see each other. After an error, reading goes on at the next definition.
 */
export function readDefinitions(s: Parser): void {
  const forms = new Map(s.dialect.definitions.flatMap((f) => f.keywords.map((k) => [k, f])));
  const { kinds } = s.tokens;
  const found: { readonly form: DefinitionForm; readonly start: number }[] = [];
  for (let start = s.at; start < kinds.length; start++) {
    const form = forms.get(kinds[start] ?? 'eof');
    if (form?.startsAt(kinds, start) === true) found.push({ form, start });
  }
  const nextOf = (i: number): number | undefined => found[i + 1]?.start;
  expectEnd(s, nextOf(-1));
  for (const [i, { form, start }] of found.entries()) {
    form.declare(s, start, nextOf(i) ?? kinds.length);
  }
  for (const wanted of s.dialect.definitions) {
    for (const [i, { form, start }] of found.entries()) {
      if (form === wanted) readOne(s, start, nextOf(i), form.read(s));
    }
  }
}

/** Reads the definition at `start`, and reports leftover tokens before the next one. */
function readOne(s: Parser, start: number, next: number | undefined, read: Steps<void>): void {
  if (s.isFull()) return;
  s.at = start;
  attempt(() => {
    runSteps(read);
    expectEnd(s, next);
  });
}

/** Reports a token outside of definitions. */
function expectEnd(s: Parser, next: number | undefined): void {
  if (s.at === (next ?? s.tokens.kinds.length - 1)) return;
  const what = next === undefined ? 'a definition or the end of the text' : 'a definition';
  attempt(() => s.unexpected(what));
}

/** `def @f() { .. }`. */
export const functionForm: DefinitionForm = {
  keywords: ['def'],
  startsAt: () => true,
  declare: (s, start) => {
    const kind = s.tokens.kinds[start + 1];
    if (kind === 'global' || kind === 'name') s.definedNames.add(s.sigilName(start + 1));
  },
  read: readDef,
};

/** `type List[A] { Cons(A, List[A]), Nil }` or `extern type T`. */
export const typeForm: DefinitionForm = {
  keywords: ['type', 'extern'],
  startsAt: (kinds, at) =>
    kinds[at] === 'extern' || (kinds[at + 1] === 'name' && kinds[at - 1] !== 'extern'),
  declare: (s, start, next) =>
    declareType(s, start + (s.tokens.kinds[start] === 'extern' ? 2 : 1), next),
  read: readTypeDefinition,
};

/** Declares the name of a type definition, with its parameters' kinds. */
export function declareType(s: Parser, nameAt: number, next: number): void {
  const { kinds } = s.tokens;
  if (kinds[nameAt] !== 'name') return;
  const name = s.textAt(nameAt);
  const earlier = s.adts.get(name);
  const span = s.spanAt(nameAt);
  if (earlier !== undefined) {
    s.report(definedTwice('type', name, span, earlier.span));
    return;
  }
  const opener = kinds[nameAt + 1];
  const isList = opener === '[' || opener === '<';
  const closer = opener === '[' ? ']' : '>';
  const paramKinds = isList ? parameterKinds(s, nameAt + 2, next, closer) : [];
  s.adts.set(name, { header: globalTypeVar(name), kinds: paramKinds, span });
  s.note(nameAt, { _tag: 'DataType', name });
}

/** The kinds in a list of type parameters, read fully later; never past the definition. */
function parameterKinds(
  s: Parser,
  from: number,
  next: number,
  closer: ']' | '>',
): ReadonlyArray<ParamKind> {
  const found: ParamKind[] = [];
  for (let i = from; i < next && s.tokens.kinds[i] !== closer; i++) {
    if (s.tokens.kinds[i] !== 'name') continue;
    const isAnnotated = s.tokens.kinds[i + 1] === ':';
    const word = isAnnotated ? s.textAt(i + 2) : 'Type';
    found.push(PARAM_KINDS.find((kind) => kind === word) ?? 'Type');
    if (isAnnotated) i += 2;
  }
  return found;
}

function* readDef(s: Parser): Steps<void> {
  const first = s.at++;
  const nameAt = s.expectName(s.dialect.globalNames, 'global', 'the name of a global function');
  const name = s.sigilName(nameAt);
  const span = s.spanAt(nameAt);
  s.note(nameAt, { _tag: 'Global', node: globalVar(name, span) });
  const isFirst = !s.globals.has(name);
  if (!isFirst) s.report(definedTwice('global', `@${name}`, span, s.globals.get(name)));
  else s.globals.set(name, span);
  startDefinition(s);
  const f = yield* run(readFunction(s, first, readBlock));
  if (isFirst) s.functions.set(name, f);
}

/** Each definition has separate graph bindings and names, even after a broken one. */
export function startDefinition(s: Parser): void {
  s.graph = new Map();
  s.notes?.endGraph(s.at);
  s.locals.restore(0);
  s.typeVars.restore(0);
  s.openSignature = undefined;
  s.lineEnds = false;
  s.selfType = undefined;
  s.inDefinition = true;
}

function* readTypeDefinition(s: Parser): Steps<void> {
  const externSpan = s.spanHere();
  const extern = s.accept('extern');
  s.expect('type');
  const nameAt = s.expect('name', 'the name of a type');
  const name = s.textAt(nameAt);
  startDefinition(s);
  const typeVars = readTypeParams(s);
  if (extern && s.peek() === '{') s.report(externConstructors(externSpan));
  let count = 0;
  const constructors = s.accept('{')
    ? yield* run(readList(s, '}', () => readConstructor(s, name, count++)))
    : [];
  defineType(s, { name, typeVars, constructors, extern });
}

/** Adds a type definition, unless its name is taken. */
export function defineType(
  s: Parser,
  { name, ...rest }: Omit<TypeData, '_tag' | 'header'> & { readonly name: string },
): void {
  const header = s.adts.get(name)?.header;
  if (header === undefined || s.typeDefinitions.has(name)) return;
  s.typeDefinitions.set(name, { _tag: 'TypeData', header, ...rest });
}

/** `Cons(A, List[A])` or `Nil`. */
function* readConstructor(s: Parser, adtName: string, index: number): Steps<ConstructorDef> {
  const nameAt = s.expect('name', 'the name of a constructor');
  const name = s.textAt(nameAt);
  const span = s.spanAt(nameAt);
  const inputs = s.accept('(') ? yield* run(readList(s, ')', (at) => readType(at))) : [];
  declareConstructor(s, adtName, index, { name, inputs }, span);
  return { name, inputs };
}

export function declareConstructor(
  s: Parser,
  adtName: string,
  index: number,
  definition: ConstructorDef,
  span: TextSpan,
): void {
  const { name, inputs } = definition;
  const earlier = s.constructors.get(name);
  if (earlier !== undefined) {
    s.report(definedTwice('constructor', name, span, earlier.span));
    return;
  }
  const header = s.adts.get(adtName)?.header ?? globalTypeVar(adtName);
  const tag = constructorTag(adtName, index);
  const ctor = adtConstructor(name, inputs, header, tag, span);
  s.constructors.set(name, { ctor, span });
  s.notes?.mentions.set(s.notes.offsetOf(span), { _tag: 'Constructor', node: ctor });
}

/**
 * Eight bits of the type's name and the place in its definition:
 * [language §1](https://batonjs.github.io/baton/spec/language#1).
 */
const constructorTag = (adtName: string, index: number): number =>
  ((hashText(adtName) & 0xff) << 24) | (index & 0xffffff);
