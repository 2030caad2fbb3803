/** E-graphs as DOT graphs. */
import { dotText } from '@baton/base';
import { type GraphSource, listClasses, readable } from '../extract/readable.ts';

/** An e-graph as a DOT graph: a dashed box for each class, an edge from each child to its class. */
export function toDot(source: GraphSource): string {
  const lines = ['digraph egraph {', '  compound=true'];
  const edges: string[] = [];
  for (const [eclass, nodes] of listClasses(readable(source))) {
    lines.push(`  subgraph cluster_${eclass} {`, '    style=dotted');
    nodes.forEach(({ label, children }, index) => {
      const id = `${eclass}.${index}`;
      lines.push(`    "${id}" [label="${dotText(label)}"]`);
      children.forEach((target, position) => {
        // Graphviz cuts an edge at a box only from outside: a node of its own class is named.
        const head = target === eclass ? '' : `lhead=cluster_${target}, `;
        edges.push(`  "${id}" -> "${target}.0" [${head}taillabel="${position}"]`);
      });
    });
    lines.push('  }');
  }
  return [...lines, ...edges, '}', ''].join('\n');
}
