/** The report of a file: its type, the outcome of each of its objects, and the reasons. */
import type { ReadIssue } from '@clew/model';
import type { FileFault } from './fileFault.ts';
import type { CollectionFormat, CollectionHeader } from './header.ts';

export interface CollectionReport {
  readonly name: string;
  /** Absent if the file could not be recognized. */
  readonly format?: CollectionFormat;
  /** `meta.type`; absent for OpenGraph. */
  readonly type?: string;
  /** `meta.version`; absent if the file does not have it. */
  readonly version?: number;
  /** `meta.methods`; absent if the file does not have it. */
  readonly methods?: bigint;
  readonly collectorVersion?: string;
  /** `metadata.source_kind` of an OpenGraph file. */
  readonly sourceKind?: string;
  /** Number of bytes of text read. */
  readonly bytes: number;
  /** Every object is in exactly one of these. */
  readonly objects: { readonly read: number; readonly repaired: number; readonly rejected: number };
  /** The first issues. A shared issue is kept once, with the number of objects; each rejected object has its own. */
  readonly issues: readonly ReadIssue[];
  /** Number of issues beyond those kept. */
  readonly issuesOmitted: number;
  /** Why the file, or the rest of it, could not be read. Objects delivered before stay valid. */
  readonly fault?: FileFault;
}

/** Writes the report while a file is read. */
export class ReportWriter {
  readonly #name: string;
  readonly #maxIssues: number;
  readonly #objects = { read: 0, repaired: 0, rejected: 0 };
  readonly #issues: ReadIssue[] = [];
  /** Index in `#issues` of each shared issue, by severity and reason. */
  readonly #shared = new Map<string, number>();
  #issuesOmitted = 0;
  #header: CollectionHeader | undefined;
  #fault: FileFault | undefined;

  bytes = 0;

  constructor(name: string, maxIssues: number) {
    this.#name = name;
    this.#maxIssues = maxIssues;
  }

  /** Whether the file had no objects so far. */
  get isEmpty(): boolean {
    const { read, repaired, rejected } = this.#objects;
    return read + repaired + rejected === 0;
  }

  recognize(header: CollectionHeader): void {
    this.#header = header;
  }

  /** Records the outcome of one object. */
  count(issues: readonly ReadIssue[]): 'read' | 'repaired' | 'rejected' {
    let outcome: 'read' | 'repaired' | 'rejected' = 'read';
    for (const issue of issues) {
      if (issue.severity === 'rejected') outcome = 'rejected';
      else if (issue.severity === 'repaired' && outcome === 'read') outcome = 'repaired';
      this.add(issue);
    }
    this.#objects[outcome]++;
    return outcome;
  }

  add(issue: ReadIssue): void {
    const key = issue.severity === 'rejected' ? undefined : `${issue.severity} ${issue.reason}`;
    const known = key === undefined ? undefined : this.#shared.get(key);
    if (known !== undefined) {
      const first = this.#issues[known] as ReadIssue;
      this.#issues[known] = { ...first, count: (first.count ?? 1) + 1 };
    } else if (this.#issues.length < this.#maxIssues) {
      if (key !== undefined) this.#shared.set(key, this.#issues.length);
      this.#issues.push(issue);
    } else {
      this.#issuesOmitted++;
    }
  }

  /** Called if the rest of the file cannot be read. Keeps the first fault, because later ones follow from it. */
  fail(fault: FileFault): void {
    this.#fault ??= fault;
  }

  report(): CollectionReport {
    const { format, type, version, methods, collectorVersion, sourceKind } = this.#header ?? {};
    return {
      name: this.#name,
      format,
      type,
      version,
      methods,
      collectorVersion,
      ...(sourceKind === undefined ? {} : { sourceKind }),
      bytes: this.bytes,
      objects: { ...this.#objects },
      issues: [...this.#issues],
      issuesOmitted: this.#issuesOmitted,
      fault: this.#fault,
    };
  }
}
