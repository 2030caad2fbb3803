/** Programs of the full language: their steps, and the other definitions of their modules. */
import { type Func, type IRModule, irModule, type OpTable } from '@baton/ir';
import type { Builder } from '../generate/builder.ts';
import type { Step } from '../steps.ts';
import { someDataType } from './data-types.ts';
import type { Globals } from './globals.ts';
import { libraryOf, reachedBy } from './library.ts';
import { languageStep } from './steps.ts';
import { termSite } from './terms.ts';

/** The additions of the full language to the steps of dataflow. */
export interface FullLanguage {
  readonly step: Step;
  /** The module of the program, with the definitions that it uses. */
  readonly module: (functions: ReadonlyMap<string, Func>, ops: OpTable) => IRModule;
}

export function fullLanguage(b: Builder): FullLanguage {
  const { random } = b;
  const dataTypes = Array.from({ length: random.int(0, 2) }, (_, i) =>
    someDataType(random, i, b.float),
  );
  const library = libraryOf(b.ops);
  const globals: Globals = new Map();
  const types = library === undefined ? dataTypes : [...dataTypes, library.list, library.option];
  return {
    step: languageStep(termSite({ b, dataTypes, library }), globals),
    module: (own, ops) => {
      const functions = new Map([...globals, ...own]);
      const reached = library === undefined ? [] : reachedBy(library, functions);
      return irModule({
        functions: new Map([...reached, ...functions]),
        ops,
        typeDefinitions: new Map(types.map(({ data }) => [data.header.nameHint, data])),
        constructors: new Map(types.flatMap((t) => t.constructors).map((c) => [c.nameHint, c])),
      });
    },
  };
}
