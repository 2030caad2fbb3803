/**
 * All of `@baton/ir` and `@baton/text`: the namespace `ir`. Functions that take an operator table have the standard
 * one bound here, too: a name listed here shadows the same name of the package.
 */
export * from '@baton/ir';
export * from '@baton/text';
export {
  decodeModule,
  fromJson,
  irModule,
  moduleFromExpr,
  parseExpr,
  parseModule,
  printExpr,
  structuralEqual,
} from './bound.ts';
