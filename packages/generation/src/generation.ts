/**
 * A generation: one consistent graph with everything derived from it, published whole. Requests hold on to the generation they began with,
 * so no answer mixes two.
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

/** Members of a zone, of a label, or of the owned objects. */
export interface PublishedZone {
  readonly id: number;
  /** Node kind that members show: `Tag_Tier_Zero`. */
  readonly kind: string;
  /** One bit a node, over shared memory. */
  readonly members: Uint32Array;
}

export interface Generation {
  /** Strictly increasing. */
  readonly id: number;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  readonly publishedAt: string;
  readonly graph: AttackGraph;
  readonly marks: NodeMarks;
  /** Zones with members; absent before zones were computed. */
  readonly zones?: readonly PublishedZone[];
  readonly environments: readonly Environment[];
  readonly collected: KindCounts;
  readonly derived: KindCounts;
  /** Names of custom node and edge kinds by number; built-in ones are in `@clew/model`. */
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly customEdgeKinds: ReadonlyMap<number, string>;
}

/** Facts that the analysis of a generation has read: threads that prepare for it need not read them again. */
export interface GenerationFacts {
  /** They have the keys that plans read, and are of the same moment as the graph. */
  readonly nodeProperties: SharedProperties;
  readonly edgeProperties: SharedEdgeProperties;
  /** Computers that a collector looked at, for sessions and for local groups: one bit a node. */
  readonly scanned: { readonly sessions: Uint32Array; readonly localGroups: Uint32Array };
}

/** @param facts absent where another process made the generation, and where they were given with its graph before */
export type Prepare = (generation: Generation, facts: GenerationFacts | undefined) => Promise<void>;

/** Where the API finds the current generation. */
export interface GenerationSource {
  /** @returns the newest published generation; an empty one before the first ingest. */
  current(): Generation;
  /** Called after each swap. @returns a function that ends the subscription. */
  onSwap(listener: (generation: Generation) => void): () => void;
  /** Called before each swap, which waits for it, within bounds. @returns a function that ends the subscription. */
  beforeSwap(prepare: Prepare): () => void;
}

/** Where plans find the current generation, and the next one early. */
export interface EarlyGenerationSource extends GenerationSource {
  /**
   * Called, not always, once the graph of a generation is whole and its findings are being worked out. It has its number, but no zones, and
   * another time of publication. @returns a function that ends the subscription.
   */
  beforeFindings(prepare: Prepare): () => void;
}
