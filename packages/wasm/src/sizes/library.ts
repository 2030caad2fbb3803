/** The code of kernels for all sizes of a program: what is new is compiled, the rest is found. */
import { present, remember } from '@baton/base';
import type { KernelCode } from '../compile.ts';
import { MEMORY } from '../crew.ts';
import { call, type FunctionRef, i32, makeModule } from '../emit/index.ts';
import { instanceOf } from '../thread.ts';
import type { WasmMemory, WebAssemblyHost } from '../web-assembly.ts';
import { decoded } from './decode.ts';
import {
  constantsIn,
  differences,
  type Layout,
  layoutOf,
  type Sample,
  type SkeletonFunction,
  sampleOf,
  skeletonOf,
  textOf,
  written,
} from './template.ts';

/** A kernel that can be called. */
export interface ReadyKernel {
  /** Calls it: at the address lie those that it takes, and after them its constants. */
  readonly run: (at: number) => void;
  /** The number of addresses. */
  readonly arity: number;
  readonly constants: Uint8Array;
}

/** Code that is kept. */
export interface Library {
  /** The code of kernels in their order; what is missing is compiled as one module. */
  readonly ready: (kernels: ReadonlyArray<KernelCode>) => ReadonlyArray<ReadyKernel>;
  /** The modules that were compiled so far, and their bytes. */
  readonly modules: () => number;
  readonly codeBytes: () => number;
}

/** What the code of several sizes has in common, and the newest version of it. */
interface Template {
  readonly sample: Sample;
  readonly varying: Set<number>;
  version: Version | undefined;
}

/** Compiled code in which some constants vary. */
interface Version {
  readonly layout: Layout;
  run: ((at: number) => void) | undefined;
}

/** A kernel at one size. */
interface Found {
  readonly template: Template;
  readonly sample: Sample;
}

/** The most kernels with their sizes that are kept, and the most templates. */
const MOST_KERNELS = 1024;
const MOST_TEMPLATES = 1024;

/** Functions that are written before the next ones are written without them. */
const MOST_FUNCTIONS = 8192;

/** A library of code on a memory; `isFused` as for a module. */
export function makeLibrary(host: WebAssemblyHost, memory: WasmMemory, isFused: boolean): Library {
  /** By the text of a kernel with its sizes. */
  const kernels = new Map<string, ReadyKernel>();
  /** By skeleton. */
  const families = new Map<string, Template[]>();
  /** By the place of the kernel in the program, and skeleton: kernels of one place share a template. */
  const places = new Map<string, Template>();
  let [modules, codeBytes] = [0, 0];
  /** Numbers for texts of functions, of which skeletons are made. */
  const texts = new Map<string, number>();
  let numbers = 0;
  const numberOf = (text: string): number => remember(texts, text, () => numbers++);
  let source = makeSource(isFused, numberOf);

  const templateOf = (sample: Sample, place: number): Template =>
    remember(places, `${place} ${sample.skeleton}`, () => {
      const family = remember(families, sample.skeleton, () => []);
      const found = family.find(({ sample: other, varying }) =>
        differences(other, sample).every((i) => varying.has(i)),
      );
      if (found !== undefined) return found;
      const made = { sample, varying: new Set<number>(), version: undefined };
      family.push(made);
      return made;
    });

  const find = (kernel: KernelCode, place: number): Found => {
    const sample = source.sampleOf(kernel);
    const template = templateOf(sample, place);
    for (const i of differences(template.sample, sample)) {
      if (template.varying.has(i)) continue;
      template.varying.add(i);
      template.version = undefined;
    }
    return { template, sample };
  };

  const compile = (missing: ReadonlyArray<Template>): void => {
    const code = moduleOf(missing, isFused);
    modules++;
    codeBytes += code.length;
    const { exports } = instanceOf(new host.Module(code), memory, host);
    missing.forEach(({ version }, i) => {
      if (version) version.run = exports[nameOf(i)];
    });
  };

  return {
    ready: (all) => {
      if (places.size > MOST_TEMPLATES) for (const map of [families, places, texts]) map.clear();
      for (const key of kernels.keys()) {
        if (kernels.size <= MOST_KERNELS) break;
        kernels.delete(key);
      }
      if (source.size() > MOST_FUNCTIONS) source = makeSource(isFused, numberOf);
      const found = new Map<string, Found>();
      all.forEach((kernel, place) => {
        if (!kernels.has(kernel.key)) remember(found, kernel.key, () => find(kernel, place));
      });
      const missing = [...new Set([...found.values()].map(({ template }) => template))].filter(
        ({ version }) => version === undefined,
      );
      for (const template of missing) {
        const layout = layoutOf(template.sample, template.varying);
        template.version = { layout, run: undefined };
      }
      if (missing.length > 0) compile(missing);
      for (const [key, { template, sample }] of found) kernels.set(key, readyOf(template, sample));
      return all.map(({ key }) => present(kernels.get(key)));
    },
    modules: () => modules,
    codeBytes: () => codeBytes,
  };
}

const nameOf = (i: number): string => `kernel${i}`;

function readyOf({ version }: Template, sample: Sample): ReadyKernel {
  const { layout, run } = present(version);
  return { run: present(run), arity: arityOf(sample), constants: constantsIn(sample, layout) };
}

/** The number of addresses that the function of a kernel takes. */
const arityOf = ({ functions }: Sample): number => present(functions.at(-1)).params.length;

/** The code of kernels as it is written for their sizes. What several kernels call is written once. */
function makeSource(isFused: boolean, numberOf: (text: string) => number) {
  const module = makeModule({ isFused, isOpen: true });
  const known = new Map<number, SkeletonFunction>();
  const functionAt = (index: number) =>
    remember(known, index, () => {
      const func = decoded(present(module.functions[index]));
      return { ...func, skeleton: `${numberOf(skeletonOf(func))}` };
    });
  return {
    size: () => module.functions.length,
    sampleOf: ({ key, emit }: KernelCode): Sample => {
      const { index } = module.once(key, () => emit(module));
      const sample = sampleOf(index, functionAt);
      // No other kernel calls it, and its constants are taken from it once.
      known.delete(index);
      return sample;
    },
  };
}

/** A module with the newest versions of templates. Functions of equal code are one. */
function moduleOf(templates: ReadonlyArray<Template>, isFused: boolean): Uint8Array<ArrayBuffer> {
  const module = makeModule({ isFused });
  module.importMemory(...MEMORY, { minimum: 1 });
  const constants = module.global('i32');
  templates.forEach(({ sample, version }, i) => {
    const arity = arityOf(sample);
    const refs: FunctionRef[] = [];
    for (const { params, result, bodyOf } of written(sample, present(version).layout)) {
      const body = bodyOf((place) => present(refs[place]).index);
      const key = `${params} ${result} ${textOf(body)}`;
      refs.push(module.once(key, () => module.encoded(params, result, body)));
    }
    const kernel = present(refs.at(-1)) as FunctionRef<ReadonlyArray<'i32'>, 'none'>;
    const run = module.procedure(['i32'], (f, at) => {
      f.do(constants.set(i32.add(at, 4 * arity)));
      f.do(call(kernel, ...Array.from({ length: arity }, (_, n) => i32.load(at, 4 * n))));
    });
    module.exportFunction(nameOf(i), run);
  });
  return module.finish();
}
