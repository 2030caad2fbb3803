/**
 * The older forms of the language:
 * [language §13](https://batonjs.github.io/baton/spec/language#13). All other forms are today's.
 */
import { legacyLexis } from '../../tokens/legacy.ts';
import { functionForm, typeForm } from '../definitions.ts';
import type { Dialect } from '../parser.ts';
import { relay } from '../relay.ts';
import { attributesForm, dataForm } from './definitions.ts';
import {
  endsLegacyBinding,
  legacyMeaningOf,
  namesLocal,
  readLegacyClauses,
  readLegacyForm,
  readLegacyStatement,
  resumesAtLine,
} from './exprs.ts';
import { legacyDType, legacyNamedType, readLegacyTypeCall } from './types.ts';

export const legacy: Dialect = {
  ...relay,
  lexis: legacyLexis,
  needsVersion: false,
  // Line ends matter, and names have more meanings.
  readsFlat: false,
  definitions: [typeForm, dataForm, functionForm, attributesForm],
  localNames: new Set(['local', 'name']),
  globalNames: new Set(['global', 'name']),
  graphNames: new Set(['graph', 'local', 'name']),
  attrNames: new Set([...relay.attrNames, 'attributes', 'case', 'data', 'ret']),
  attrWords: new Map([...relay.attrWords, ['true', true], ['false', false]]),
  typeBrackets: new Map([...relay.typeBrackets, ['<', '>']]),
  dtypeNamed: legacyDType,
  meaningOf: legacyMeaningOf,
  namedType: legacyNamedType,
  readTypeCall: readLegacyTypeCall,
  isNoType: namesLocal,
  readStatement: readLegacyStatement,
  endsBinding: endsLegacyBinding,
  resumesAt: resumesAtLine,
  readForm: readLegacyForm,
  readClauses: readLegacyClauses,
};
