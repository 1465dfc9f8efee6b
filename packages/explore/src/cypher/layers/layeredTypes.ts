/** The parts of an answer that a layer makes or changes, as threads pass them on. */

export interface LayeredPart {
  /** Whether the layer made it. */
  readonly isMade: boolean;
  /** Whether the stored properties do not apply. */
  readonly isReplaced: boolean;
  /** Plain data as in the cells of the answer; null for a removed property. */
  readonly properties: readonly (readonly [key: string, value: unknown])[];
}

export interface LayeredNode extends LayeredPart {
  readonly id: number;
  readonly labels: readonly string[];
}

export interface LayeredEdge extends LayeredPart {
  /** Numbers of nodes. */
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** Keyed by the numbers that the answer has. */
export interface ShownLayer {
  readonly nodes: ReadonlyMap<number, LayeredNode>;
  readonly edges: ReadonlyMap<number, LayeredEdge>;
}
