/** A preparation for EtaExpand: calls of constructors and of global functions go through variables. */
import { call, letIn, variable } from '@baton/ir';
import { type Pass, rewriteFunc, rewritingPass } from '@baton/pass-manager';

/** Binds each callee that is a constructor or a global function, which is then a value. */
export const throughVariables: Pass = rewritingPass({
  name: 'ThroughVariables',
  doc: 'Binds constructors and functions of the module before calling them.',
  level: 0,
  run: (f, m) =>
    rewriteFunc(f, m, (node, get) => {
      if (node._tag !== 'Call') return undefined;
      const { op } = node;
      if (op._tag !== 'Constructor' && op._tag !== 'GlobalVar') return undefined;
      const callee = variable('callee');
      return letIn(callee, op, call(callee, node.args.map(get), { span: node.span }));
    }),
});
