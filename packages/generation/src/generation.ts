/**
 * A generation: one consistent graph with all data derived from it, published as a unit. A request uses the same generation from beginning
 * to end, so no answer mixes two.
 */
import type { AttackGraph, SharedEdgeProperties, SharedProperties } from '@clew/graph';
import type { NodeMarks } from './nodeMarks.ts';

export interface Environment {
  /** Object id of the Domain or AZTenant node. */
  readonly id: string;
  readonly name: string;
  readonly type: 'active-directory' | 'azure' | string;
  readonly node: number;
  readonly collected: boolean;
}

export interface KindCounts {
  readonly nodes: Readonly<Record<string, number>>;
  readonly edges: Readonly<Record<string, number>>;
  readonly total_nodes: number;
  readonly total_edges: number;
}

/** Members of a zone or label, or the owned objects. */
export interface PublishedZone {
  readonly id: number;
  /** Node kind that members display: `Tag_Tier_Zero`. */
  readonly kind: string;
  /** One bit per node, in shared memory. */
  readonly members: Uint32Array;
}

export interface Generation {
  /** Strictly increasing. */
  readonly id: number;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  readonly publishedAt: string;
  readonly graph: AttackGraph;
  readonly marks: NodeMarks;
  /** Zones with their members; absent until zones are computed. */
  readonly zones?: readonly PublishedZone[];
  readonly environments: readonly Environment[];
  readonly collected: KindCounts;
  readonly derived: KindCounts;
  /** Names of custom node and edge kinds by number; built-in ones are in `@clew/model`. */
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly customEdgeKinds: ReadonlyMap<number, string>;
}

/** Facts that the analysis of a generation has already read, so threads that prepare for it need not read them again. */
export interface GenerationFacts {
  /** Values of the keys that plans read, of the same moment as the graph. */
  readonly nodeProperties: SharedProperties;
  readonly edgeProperties: SharedEdgeProperties;
  /** Computers whose sessions and local groups a collector examined: one bit per node. */
  readonly scanned: { readonly sessions: Uint32Array; readonly localGroups: Uint32Array };
}

/** @param facts absent if another process built the generation, or if they were passed with its graph before */
export type Prepare = (generation: Generation, facts: GenerationFacts | undefined) => Promise<void>;

/** Gives the API the current generation. */
export interface GenerationSource {
  /** @returns the newest published generation; an empty one before the first ingest. */
  current(): Generation;
  /** Called after each swap. @returns a function that ends the subscription */
  onSwap(listener: (generation: Generation) => void): () => void;
  /** Called before each swap, which waits for it up to a time limit. @returns a function that ends the subscription */
  beforeSwap(prepare: Prepare): () => void;
}

/** Gives plans the current generation, and the next one early. */
export interface EarlyGenerationSource extends GenerationSource {
  /**
   * May be called when the graph of a generation is complete and its findings are being computed. That generation has its final number, but
   * no zones, and a different publication time. @returns a function that ends the subscription
   */
  beforeFindings(prepare: Prepare): () => void;
}
