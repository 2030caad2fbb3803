/**
 * The anchor of a heading. A heading that begins with a number has the number as its anchor, so
 * that references to the specification stay stable: `30` for "30. Default pipeline", `D15` for "D15
 * Effects", `A` for "Appendix A. Before and after". Any other has its words.
 */
export function anchorOf(heading: string): string {
  const numbered = /^(?:Appendix )?([A-Z]?\d+(?:\.\d+)*|[A-Z](?=\. ))\.?(?: |$)/.exec(heading);
  if (numbered?.[1] !== undefined) return numbered[1];
  const words = heading
    .replace(/`/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}_$]+/gu);
  return (words ?? []).join('-');
}
