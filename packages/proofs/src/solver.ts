/** A session with the solver Z3, which reads SMT-LIB. */
import { init, killThreads } from 'z3-solver';

/** What the solver says of a question: `sat` with values, or that there are none, or nothing. */
export interface Found {
  readonly answer: 'sat' | 'unsat' | 'unknown';
  readonly model: string;
}

/** Answers questions of one session. */
export interface Session {
  /** Whether the assertions of a text can all be true. */
  readonly check: (text: string) => Promise<Found>;
  readonly end: () => void;
}

/** The solver. It has threads, which keep the process alive until `close`. */
export interface Solver {
  /** Questions that belong together: what others have asked changes no answer. */
  readonly session: () => Session;
  readonly close: () => Promise<void>;
}

/** The steps that a question may take: unlike seconds, they are the same on every machine. */
const LIMIT = 12_000_000;

const ANSWERS = { 1: 'sat', 0: 'unknown', [-1]: 'unsat' } as const;

type Api = Awaited<ReturnType<typeof init>>['Z3'];

/** Starts the solver. */
export async function openSolver(): Promise<Solver> {
  const { Z3, em } = await init();
  return { session: () => sessionOf(Z3), close: () => killThreads(em) };
}

/** A session has a context of its own, made when it is first asked. */
function sessionOf(Z3: Api): Session {
  let made: ReturnType<typeof contextOf> | undefined;
  return {
    check: async (text) => {
      made ??= contextOf(Z3);
      const { context, limits } = made;
      const solver = Z3.mk_solver(context);
      Z3.solver_inc_ref(context, solver);
      Z3.solver_set_params(context, solver, limits);
      // The text is read here: a call that runs in a thread would read it from a stack that has moved on.
      Z3.solver_from_string(context, solver, text);
      const error = Z3.get_error_code(context);
      if (error !== 0) throw new Error(`${Z3.get_error_msg(context, error)}\n${text}`);
      const answer = ANSWERS[(await Z3.solver_check(context, solver)) as -1 | 0 | 1];
      const model =
        answer === 'sat' ? Z3.model_to_string(context, Z3.solver_get_model(context, solver)) : '';
      Z3.solver_dec_ref(context, solver);
      return { answer, model };
    },
    end: () => {
      if (made !== undefined) Z3.del_context(made.context);
      made = undefined;
    },
  };
}

/** A context, with the limit of its questions. */
function contextOf(Z3: Api) {
  const context = Z3.mk_context(Z3.mk_config());
  const limits = Z3.mk_params(context);
  Z3.params_inc_ref(context, limits);
  Z3.params_set_uint(context, limits, Z3.mk_string_symbol(context, 'rlimit'), LIMIT);
  return { context, limits };
}
