/** Findings on their way: parallel columns, one entry a finding. */
import { NO_NODE } from '@clew/graph';

/** What was found, before it is rated. */
export interface FoundColumns {
  readonly count: number;
  /** Places in `FINDING_TYPES`. */
  readonly types: Uint16Array;
  /** Ids of zones; 0 for findings of no zone. */
  readonly zones: Uint32Array;
  /** `NO_NODE` for list findings. */
  readonly sources: Uint32Array;
  /** Kind of the edge; 0 for list findings. */
  readonly edgeKinds: Uint16Array;
  /** Bits of the edge. */
  readonly edgeFlags: Uint8Array;
  /** For list findings the object itself. */
  readonly targets: Uint32Array;
  /** Places in `Environments.nodes`. */
  readonly environments: Uint32Array;
  /** By finding: smaller default groups that hold the same right. */
  readonly alsoFrom: ReadonlyMap<number, readonly number[]>;
}

export interface NewFinding {
  readonly type: number;
  readonly zone: number;
  readonly source?: number;
  readonly edgeKind?: number;
  readonly edgeFlags?: number;
  readonly target: number;
  readonly environment: number;
  readonly alsoFrom?: readonly number[];
}

export class FindingList {
  readonly #findings: NewFinding[] = [];

  add(finding: NewFinding): void {
    this.#findings.push(finding);
  }

  seal(): FoundColumns {
    const all = this.#findings;
    const alsoFrom = new Map<number, readonly number[]>();
    for (const [at, finding] of all.entries()) {
      if (finding.alsoFrom !== undefined) alsoFrom.set(at, finding.alsoFrom);
    }
    return {
      count: all.length,
      types: Uint16Array.from(all, ({ type }) => type),
      zones: Uint32Array.from(all, ({ zone }) => zone),
      sources: Uint32Array.from(all, ({ source }) => source ?? NO_NODE),
      edgeKinds: Uint16Array.from(all, ({ edgeKind }) => edgeKind ?? 0),
      edgeFlags: Uint8Array.from(all, ({ edgeFlags }) => edgeFlags ?? 0),
      targets: Uint32Array.from(all, ({ target }) => target),
      environments: Uint32Array.from(all, ({ environment }) => environment),
      alsoFrom,
    };
  }
}
