/** An e-class. Any id of a class names it; `EGraph.find` gives the canonical one. */
export type ClassId = number & { readonly ClassId: true };

/** An e-node. Ids count up from 0 in the order of creation and are never reused. */
export type NodeId = number & { readonly NodeId: true };
