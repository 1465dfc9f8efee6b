/** Findings during the computation: parallel columns, one entry per finding. */
import { NO_NODE } from '@clew/graph';

/** The findings before rating. */
export interface FoundColumns {
  readonly count: number;
  /** Places in `findingTypesOf`. */
  readonly types: Uint16Array;
  /** Ids of zones; 0 for findings without a zone. */
  readonly zones: Uint32Array;
  /** `NO_NODE` for list findings. */
  readonly sources: Uint32Array;
  /** Kind of the edge; 0 for list findings. */
  readonly edgeKinds: Uint16Array;
  /** Bits of the edge. */
  readonly edgeFlags: Uint8Array;
  /** The object itself for list findings. */
  readonly targets: Uint32Array;
  /** Places in `Environments.nodes`. */
  readonly environments: Uint32Array;
  /** For each finding, smaller default groups that hold the same right. */
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
    const count = all.length;
    const alsoFrom = new Map<number, readonly number[]>();
    const columns = {
      types: new Uint16Array(count),
      zones: new Uint32Array(count),
      sources: new Uint32Array(count),
      edgeKinds: new Uint16Array(count),
      edgeFlags: new Uint8Array(count),
      targets: new Uint32Array(count),
      environments: new Uint32Array(count),
    };
    for (let at = 0; at < count; at++) {
      const finding = all[at];
      columns.types[at] = finding.type;
      columns.zones[at] = finding.zone;
      columns.sources[at] = finding.source ?? NO_NODE;
      columns.edgeKinds[at] = finding.edgeKind ?? 0;
      columns.edgeFlags[at] = finding.edgeFlags ?? 0;
      columns.targets[at] = finding.target;
      columns.environments[at] = finding.environment;
      if (finding.alsoFrom !== undefined) alsoFrom.set(at, finding.alsoFrom);
    }
    return { count, ...columns, alsoFrom };
  }
}
