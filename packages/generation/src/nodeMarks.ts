/**
 * One bit a node for the few properties that decide whether a query takes a step, keeps a result or shows a sign next to it. Over shared
 * memory, like the columns of the graph; made when the generation is.
 */

export interface NodeMarks {
  /** `blocksinheritance` of an organizational unit. */
  readonly blocksInheritance: Uint32Array;
  /** `isassignabletorole` of a group in Entra ID: its direct members hold the roles it holds. */
  readonly roleAssignable: Uint32Array;
  /** The node belongs to Tier Zero. */
  readonly tierZero: Uint32Array;
  /** Somebody marked the node as taken over. */
  readonly owned: Uint32Array;
}

export type MarkName = keyof NodeMarks;

/** @returns marks of a graph in which no node carries one yet. */
export function noMarks(nodeCount: number): NodeMarks {
  const bitmap = (): Uint32Array => new Uint32Array(new SharedArrayBuffer(Math.ceil(nodeCount / 32) * 4));
  return { blocksInheritance: bitmap(), roleAssignable: bitmap(), tierZero: bitmap(), owned: bitmap() };
}

export function isMarked(marks: NodeMarks, mark: MarkName, node: number): boolean {
  return ((marks[mark][node >>> 5] >>> (node & 31)) & 1) === 1;
}

/** Only while the generation is being made: queries share the marks. */
export function setMark(marks: NodeMarks, mark: MarkName, node: number): void {
  marks[mark][node >>> 5] |= 1 << (node & 31);
}
