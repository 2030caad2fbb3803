// An e-graph keeps every form of a term that the rules can reach; the cheapest is extracted at the end.
import { EGraph, extractTree, orThrow, rewrite, run, sizeCost } from '@baton/egraph';

const egraph = new EGraph();
const root = orThrow(egraph.addExpr('(/ (* (+ a 0) 2) 2)'));
const report = run(egraph, [
  rewrite('add-zero', '(+ ?x 0)', '?x'),
  rewrite('reassociate', '(/ (* ?x ?y) ?z)', '(* ?x (/ ?y ?z))'),
  rewrite('cancel', '(/ 2 2)', '1'),
  rewrite('mul-one', '(* ?x 1)', '?x'),
]);
const [best] = orThrow(extractTree(egraph, [root], sizeCost)).terms;
console.log(egraph.print(best));
console.log(report.stopReason ?? report);
