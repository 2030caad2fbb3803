/** The stages of a program's way through Baton, each of which is to be linear in the program. */
import { globalVar } from '@baton/ir';
import { callOp } from '@baton/ops';
import {
  evaluate,
  exportOnnx,
  fromJson,
  func,
  greedy,
  type IRModule,
  importOnnx,
  inferTypes,
  makeWasm,
  optimize,
  orThrow,
  type Pass,
  parseModule,
  passes,
  printModule,
  rewrites,
  runPass,
  saturate,
  tensor,
  toJson,
} from 'batonjs';

/** The most nodes for rules and gradients, whose terms take kilobytes each: a tenth of the largest program. */
export const RULES_MOST = 100_000;

/** A stage, on what `prepare` makes of a program. */
export interface Stage {
  readonly name: string;
  readonly prepare: (m: IRModule) => unknown;
  readonly run: (input: unknown) => unknown;
  /**
   * The memory that the heap may take for each node. Near its limit a heap is collected without end, so that
   * most have twice the room of level 3, which has a bound of its own. **Units** MiB.
   */
  readonly room: number;
  /** The largest program that it is measured on; any by default. */
  readonly most?: number;
}

const stage = <A>(
  name: string,
  prepare: (m: IRModule) => A,
  run: (input: A) => unknown,
): Stage => ({ name, prepare, room: 6e-3, run: (input) => run(input as A) });

const same = (m: IRModule): IRModule => m;
const typed = (m: IRModule): IRModule => orThrow(inferTypes(m));
const input = tensor(new Float32Array([1, 2]), [2], 'float32');

const pass = (name: string, one: () => Pass): Stage =>
  stage(name, typed, (m) => orThrow(runPass(one())(m)));

/** A program whose `main` is the gradient of a function as deep as `main` was. */
function gradientOf(m: IRModule): IRModule {
  const main = m.functions.get('main');
  if (main === undefined) return m;
  const functions = new Map(m.functions).set('loss', main);
  const loss = callOp(m.ops, 'gradient', [globalVar('loss')]);
  return typed({ ...m, functions: functions.set('main', func([], loss)) });
}

/** In the order in which a program goes through them. */
export const STAGES: ReadonlyArray<Stage> = [
  stage('print', typed, printModule),
  stage('parse', printModule, (text) => orThrow(parseModule(text))),
  stage('infer', same, typed),
  stage('to JSON', typed, (m) => JSON.stringify(toJson(m))),
  stage('from JSON', toJson, (json) => orThrow(fromJson(json))),
  { ...pass('level 3', () => optimize({ level: 3 })), room: 3e-3 },
  pass('fuse', () => passes.fuseOps),
  pass('A-normal form', () => passes.toANormalForm),
  {
    ...stage('gradient', gradientOf, (m) => orThrow(runPass(passes.expandGradient)(m))),
    room: 4e-2,
    most: RULES_MOST,
  },
  { ...pass('greedy', () => greedy(rewrites.commonSets)), most: RULES_MOST },
  { ...pass('saturate', () => saturate(rewrites.commonSets)), most: RULES_MOST },
  stage('to ONNX', typed, (m) => orThrow(exportOnnx(m))),
  stage(
    'from ONNX',
    (m) => orThrow(exportOnnx(typed(m))),
    (bytes) => orThrow(importOnnx(bytes)),
  ),
  stage('evaluate', typed, (m) => orThrow(evaluate(m, [input]))),
  stage('wasm', typed, (m) =>
    orThrow(evaluate(m, [input], { executor: makeWasm({ leastElements: 1 }) })),
  ),
];
