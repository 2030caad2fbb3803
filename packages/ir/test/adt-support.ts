/** `type List[A] { Cons(A, List[A]), Nil }`, built by hand. */
import {
  adtConstructor,
  globalTypeVar,
  type Pattern,
  type Type,
  type TypeData,
  typeCall,
  typeVar,
} from '@baton/ir';
import { ops } from './infer-support.ts';

const header = globalTypeVar('List');
const item = typeVar('A');
const of = (type: Type): Type => typeCall(header, [{ _tag: 'TypeArg', kind: 'Type', value: type }]);
const inputs = [item, of(item)];
const definition: TypeData = {
  _tag: 'TypeData',
  header,
  typeVars: [item],
  constructors: [
    { name: 'Cons', inputs },
    { name: 'Nil', inputs: [] },
  ],
  extern: false,
};
const cons = adtConstructor('Cons', inputs, header, 0);
const nil = adtConstructor('Nil', [], header, 1);
const wild: Pattern = { _tag: 'PatternWildcard', span: undefined };

export const list = {
  of,
  cons,
  nil,
  consPattern: (tail: Pattern, head: Pattern = wild): Pattern => ({
    _tag: 'PatternConstructor',
    ctor: cons,
    patterns: [head, tail],
    span: undefined,
  }),
  nilPattern: { _tag: 'PatternConstructor', ctor: nil, patterns: [], span: undefined } as Pattern,
  parts: {
    ops,
    typeDefinitions: new Map([['List', definition]]),
    constructors: new Map([
      ['Cons', cons],
      ['Nil', nil],
    ]),
  },
};
