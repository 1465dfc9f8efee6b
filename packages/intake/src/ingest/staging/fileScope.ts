/** Staging state of one file, and the current position in it. */
import type { ObjectFacts, ReadIssue } from '@clew/model';
import type { RecordNotes } from '../known/recordNotes.ts';
import type { IdSet } from './idSet.ts';

/** Observation time of a file's facts in COPY format: microseconds since 2000-01-01 UTC, as two halves. */
export interface Observed {
  readonly high: number;
  readonly low: number;
  readonly bySchedule: boolean;
}

export interface FileScope {
  /** Number of the file in the job; `stage_origin` has its source and time. */
  readonly origin: number;
  readonly sourceId: number;
  readonly observed: Observed;
  /** Objects of the file. */
  readonly seen: IdSet;
  /** Reports values that could not be stored, or were repaired. */
  readonly report: (issue: ReadIssue) => void;
}

/** One object of a file. */
export class Place {
  readonly scope: FileScope;
  readonly facts: ObjectFacts;
  readonly notes: RecordNotes;

  constructor(scope: FileScope, facts: ObjectFacts, notes: RecordNotes) {
    this.scope = scope;
    this.facts = facts;
    this.notes = notes;
  }

  reject(reason: string): void {
    this.#report('rejected', reason);
  }

  repair(reason: string): void {
    this.#report('repaired', reason);
  }

  #report(severity: ReadIssue['severity'], reason: string): void {
    const object = this.facts.nodes.find((node) => node.described)?.objectId.slice(0, 128);
    this.scope.report({
      severity,
      index: this.facts.index,
      ...(object === undefined ? {} : { object }),
      reason,
    });
  }
}
