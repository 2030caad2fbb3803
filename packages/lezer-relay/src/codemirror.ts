/** Relay as a language of CodeMirror 6: the grammar with indentation, folding and comments. */
import {
  continuedIndent,
  delimitedIndent,
  foldInside,
  foldNodeProp,
  indentNodeProp,
  LanguageSupport,
  LRLanguage,
} from '@codemirror/language';
import { parser } from './relay.ts';

/** Nodes in brackets: their content is indented, and can be folded. */
const BRACKETED = [
  'Block',
  'ClauseList',
  'ConstructorList',
  'ArgList',
  'ParamList',
  'Parenthesized',
  'Tuple',
  'TensorLiteral',
  'AttributeList',
  'TupleType',
  'TypeList',
  'PatternList',
].join(' ');

export const relayLanguage: LRLanguage = LRLanguage.define({
  name: 'relay',
  parser: parser.configure({
    props: [
      indentNodeProp.add({
        'Block ClauseList ConstructorList': delimitedIndent({ closing: '}' }),
        'ArgList ParamList Parenthesized Tuple TupleType TypeList PatternList': delimitedIndent({
          closing: ')',
          align: false,
        }),
        'TensorLiteral AttributeList': delimitedIndent({ closing: ']', align: false }),
        'LetBinding GraphBinding InfixExpression': continuedIndent(),
      }),
      foldNodeProp.add({
        [BRACKETED]: foldInside,
        BlockComment: ({ from, to }) => ({ from: from + 2, to: to - 2 }),
      }),
    ],
  }),
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
    indentOnInput: /^\s*[)\]}]$/,
    wordChars: '%@._',
  },
});

/** The language for the extensions of an editor: add completion and diagnostics of `@baton/editor`. */
export const relay = (): LanguageSupport => new LanguageSupport(relayLanguage);
