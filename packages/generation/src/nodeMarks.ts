/**
 * One bit per node for each of the few properties that decide whether a query follows a step, keeps a result or displays a sign next to it.
 * They are in shared memory, like the columns of the graph, and are set when the generation is built.
 */

export interface NodeMarks {
  /** `blocksinheritance` of an organizational unit. */
  readonly blocksInheritance: Uint32Array;
  /** `isassignabletorole` of a group in Entra ID: its direct members have the roles of the group. */
  readonly roleAssignable: Uint32Array;
  /** The node belongs to Tier Zero. */
  readonly tierZero: Uint32Array;
  /** A user marked the node as owned. */
  readonly owned: Uint32Array;
}

export type MarkName = keyof NodeMarks;

/** @returns marks of a graph without marked nodes */
export function noMarks(nodeCount: number): NodeMarks {
  const bitmap = (): Uint32Array => new Uint32Array(new SharedArrayBuffer(Math.ceil(nodeCount / 32) * 4));
  return { blocksInheritance: bitmap(), roleAssignable: bitmap(), tierZero: bitmap(), owned: bitmap() };
}

export function isMarked(marks: NodeMarks, mark: MarkName, node: number): boolean {
  return ((marks[mark][node >>> 5] >>> (node & 31)) & 1) === 1;
}

/** Only while the generation is being built: queries share the marks. */
export function setMark(marks: NodeMarks, mark: MarkName, node: number): void {
  marks[mark][node >>> 5] |= 1 << (node & 31);
}
