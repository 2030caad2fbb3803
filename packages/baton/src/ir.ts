/**
 * All of `@baton/ir` and `@baton/text`: the namespace `ir`. The standard operator table is bound in
 * functions that take one: a name listed here shadows the same name of the package.
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
