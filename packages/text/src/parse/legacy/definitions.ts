/**
 * Definitions of the legacy dialect only: `data` and attribute blocks
 * ([language §13.2](https://batonjs.github.io/baton/spec/language#13.2)).
 */
import { didYouMean, run, type Steps, type TextSpan } from '@baton/base';
import { type Attrs, type AttrValue, type ConstructorDef, func, typeCall, varArg } from '@baton/ir';
import {
  repeatedAttribute,
  unknownAttributeOwner,
  wrongConstructorResult,
} from '../../diagnostics.ts';
import { readAttrValue } from '../attrs.ts';
import { declareConstructor, declareType, defineType, startDefinition } from '../definitions.ts';
import { type DefinitionForm, type Parser, readList } from '../parser.ts';
import { readType, readTypeParams } from '../types.ts';

/** `data List<a> { Nil : () -> List  Cons : (a, List[a]) -> List }`. */
export const dataForm: DefinitionForm = {
  keywords: ['data'],
  // The keyword may be the name of an attribute: `data=1`.
  startsAt: (kinds, at) => kinds[at + 1] === 'name' && kinds[at - 1] !== 'extern',
  declare: (s, start, next) => declareType(s, start + 1, next),
  read: readData,
};

/** `attributes f { inline: true }`. */
export const attributesForm: DefinitionForm = {
  keywords: ['attributes'],
  startsAt: (kinds, at) => kinds[at + 1] !== '=',
  declare: () => undefined,
  read: readAttributeBlock,
};

type PlacedConstructor = readonly [ConstructorDef, TextSpan];

/** The bare name of the type means the type applied to its own parameters. */
function* readData(s: Parser): Steps<void> {
  s.at++;
  const name = s.textAt(s.expect('name', 'the name of a type'));
  startDefinition(s);
  const typeVars = readTypeParams(s);
  const header = s.adts.get(name)?.header;
  s.selfType = header && typeCall(header, typeVars.map(varArg));
  const placed: PlacedConstructor[] = [];
  s.expect('{');
  while (s.peek() !== '}') {
    placed.push(yield* run(readDataConstructor(s, name)));
    s.accept(',');
  }
  s.expect('}');
  for (const [i, [ctor, span]] of placed.entries()) declareConstructor(s, name, i, ctor, span);
  defineType(s, { name, typeVars, constructors: placed.map(([ctor]) => ctor), extern: false });
}

function* readDataConstructor(s: Parser, typeName: string): Steps<PlacedConstructor> {
  const nameAt = s.expect('name', 'the name of a constructor');
  s.expect(':');
  s.expect('(');
  const inputs = yield* run(readList(s, ')', (at) => readType(at)));
  s.expect('->');
  const resultAt = s.at;
  const result = yield* run(readType(s));
  const isSelf = result._tag === 'TypeCall' && result.func.nameHint === typeName;
  if (!isSelf) s.report(wrongConstructorResult(typeName, s.spanFrom(resultAt)));
  return [{ name: s.textAt(nameAt), inputs }, s.spanAt(nameAt)];
}

/** Gives the attributes of the block to the named function. */
// biome-ignore lint/correctness/useYield: a step, as all definitions are; what it reads does not nest.
function* readAttributeBlock(s: Parser): Steps<void> {
  s.at++;
  if (s.peek() !== 'global' && s.peek() !== 'name') s.unexpected('the name of a function');
  const nameAt = s.at++;
  const name = s.sigilName(nameAt);
  const attrs = readBlockAttrs(s);
  const f = s.functions.get(name);
  if (f !== undefined) {
    s.functions.set(name, func(f.params, f.body, { ...f, attrs: { ...f.attrs, ...attrs } }));
  } else if (!s.definedNames.has(name)) {
    const hint = didYouMean(name, s.definedNames);
    s.report(unknownAttributeOwner(name, s.spanAt(nameAt), hint));
  }
}

function readBlockAttrs(s: Parser): Attrs {
  const attrs: [string, AttrValue][] = [];
  const seen = new Set<string>();
  s.expect('{');
  while (s.peek() !== '}') {
    if (s.peek() !== 'name') return s.unexpected('the name of an attribute');
    const keyAt = s.at++;
    const key = s.textAt(keyAt);
    s.expect(':');
    const meant = modernAttr(key, readAttrValue(s));
    s.accept(',');
    if (meant === undefined) continue;
    if (seen.has(meant[0])) s.report(repeatedAttribute(key, s.spanAt(keyAt)));
    seen.add(meant[0]);
    attrs.push(meant);
  }
  s.expect('}');
  return Object.fromEntries(attrs);
}

const MODERN_NAMES: ReadonlyMap<string, string> = new Map([
  ['inline', 'Inline'],
  ['primitive', 'Primitive'],
  ['composite', 'Composite'],
  ['skip_optimization', 'SkipOptimization'],
]);

/** An attribute in today's form. `noinline: false` has no meaning. */
function modernAttr(name: string, value: AttrValue): [string, AttrValue] | undefined {
  if (name === 'noinline' && typeof value === 'boolean') return value ? ['Inline', 0] : undefined;
  const modern = MODERN_NAMES.get(name);
  if (modern === undefined) return [name, value];
  return [modern, typeof value === 'boolean' ? Number(value) : value];
}
