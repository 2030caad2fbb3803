/** The engine of the page: two programs, a pipeline, and requests about them. No DOM. */
import { type Diagnostic, diagnostic, fail, isLeft, type Result, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import type { Answer, Engine, Slot, Subject } from '../protocol.ts';
import { answerOf } from './findings.ts';
import type { EngineHost } from './host.ts';
import { type Read, read, shown } from './programs.ts';
import type { Ran } from './steps.ts';

export function makeEngine({ now, progress, limits }: EngineHost): Engine {
  const programs = new Map<Slot, Read>();
  let ran: Ran | undefined;
  const shouldStop = (): boolean => limits.shouldStop?.() === true;
  const moduleOf = (subject: Subject): Result<IRModule> => {
    const module = subject === 'optimized' ? ran?.modules.at(-1) : programs.get(subject)?.module;
    return module === undefined ? fail(NOTHING_OPEN) : right(module);
  };
  const withModule = <A>(subject: Subject, use: (m: IRModule) => Result<A>): Answer<A> => {
    const module = moduleOf(subject);
    return answerOf(isLeft(module) ? module : use(module.right));
  };
  return {
    open: async (slot, source) => {
      const warnings: Diagnostic[] = [];
      const text = source.kind === 'text' ? source.text : '';
      progress('reading');
      const found = await read(source, (warning) => warnings.push(warning));
      if (isLeft(found)) return answerOf(found, text);
      programs.set(slot, found.right);
      if (slot === 'a') ran = undefined;
      return answerOf(right(shown(found.right)), text, warnings);
    },
    ...WITHOUT_PROGRAMS,
    optimize: async (steps) => {
      const { runSteps } = await import('./steps.ts');
      return withModule('a', (m) => {
        ran = runSteps(m, steps, limits, { now, progress });
        return right(ran.trail);
      });
    },
    step: async (index) => {
      const { stepView } = await import('./steps.ts');
      const view = ran && stepView(ran, index);
      return answerOf(view === undefined ? fail(NO_STEP) : right(view));
    },
    searchTerm: async (term, rules) => {
      const { searchTerm } = await import('./search-terms.ts');
      return answerOf(searchTerm(term, rules, shouldStop));
    },
    searchProgram: async (rules) => {
      const { searchProgram } = await import('./search-program.ts');
      return withModule('a', (m) => searchProgram(m, rules, limits));
    },
    tryRules: async (rules) => {
      const { tryRules } = await import('./try-rules.ts');
      return answerOf(tryRules(programs.get('a')?.module, rules));
    },
    whyNot: async (index, rule) => {
      const { whyNot } = await import('./why-not.ts');
      const m = ran?.modules[index];
      return answerOf(m === undefined ? fail(NO_STEP) : whyNot(m, rule));
    },
    bugReport: async (steps) => {
      const { bugReport } = await import('./bug-report.ts');
      return withModule('a', (m) => bugReport(m, steps, limits, progress));
    },
    compare: async () => {
      const { compare } = await import('./compare.ts');
      return withModule('a', (a) => {
        const other = programs.get('b');
        const b = moduleOf(other === undefined ? 'optimized' : 'b');
        if (isLeft(b)) return b;
        // Nodes of files have names; lines of two texts do not.
        const isText = programs.get('a')?.form === 'relay' && other?.form === 'relay';
        return compare(a, b.right, { hasSharedOrigins: !isText, limits });
      });
    },
    run: async (subject, executor, inputs) => {
      const { execute } = await import('./execute.ts');
      return withModule(subject, (m) => execute(m, { executor, inputs, limits, now }));
    },
    exported: async (subject, form) => {
      const { exported } = await import('./exported.ts');
      return withModule(subject, (m) => exported(m, form, nameOf(programs.get('a')), limits));
    },
  };
}

/** The requests that need no open program. */
const WITHOUT_PROGRAMS: Pick<Engine, 'hover' | 'complete' | 'catalogue'> = {
  hover: async (text, offset) => {
    const { hover } = await import('./services.ts');
    return hover(text, offset);
  },
  complete: async (text, offset) => {
    const { complete } = await import('./services.ts');
    return complete(text, offset);
  },
  catalogue: async () => {
    const { catalogue } = await import('./catalogue.ts');
    return catalogue();
  },
};

const NOTHING_OPEN = diagnostic('PLAYGROUND_NOTHING_OPEN', 'no program is open', {
  hint: 'type one, or drop a file',
});

const NO_STEP = diagnostic('PLAYGROUND_STEP', 'the pipeline has no such step', {
  hint: 'run it first',
});

/** A file name for a program, without ending and without characters that file systems forbid. */
const nameOf = (program: Read | undefined): string =>
  (program?.name ?? '')
    .replace(/\.[a-z]+$/i, '')
    .replace(/[^\w-]+/g, '-')
    .slice(0, 60) || 'program';
