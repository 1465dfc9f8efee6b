/** The result of one file: the report of the reader and the issues of the store, in stored and displayed form. */
import type { CollectionReport, FileFault } from '@clew/collections';
import type { ReadIssue } from '@clew/model';

/** `ok`: everything is in the graph; `partial`: some records are missing; `failed`: nothing is in the graph. */
export type FileOutcome = 'ok' | 'partial' | 'failed';

export interface FileReport {
  readonly format?: string;
  readonly type?: string;
  readonly version?: number;
  /** Decimal text, because it may exceed 2^53. */
  readonly methods?: string;
  readonly collectorVersion?: string;
  readonly bytes: number;
  readonly objects: { readonly read: number; readonly repaired: number; readonly rejected: number };
  readonly issues: readonly ReadIssue[];
  readonly issuesOmitted: number;
  readonly fault?: FileFault;
}

export interface FileResult {
  readonly outcome: FileOutcome;
  /** Shown by `completed-tasks`; empty if the outcome is `ok`. */
  readonly errors: readonly string[];
  readonly report: FileReport;
}

const MAX_ISSUES = 200;
const MAX_ERRORS = 50;

/** Collects the parts of a file that could not be stored; issues of one kind are reported once, with a count. */
export class StoreIssues {
  readonly issues: ReadIssue[] = [];
  omitted = 0;
  rejected = 0;
  readonly #reported = new Set<string>();

  add(issue: ReadIssue): void {
    if (issue.severity === 'rejected') this.rejected++;
    const key = `${issue.index} ${issue.reason}`;
    if (this.#reported.has(key) || this.issues.length >= MAX_ISSUES) {
      this.omitted++;
      return;
    }
    this.#reported.add(key);
    this.issues.push(issue);
  }
}

/** Result of a file that could not be opened. */
export function faultyFile(fault: FileFault): FileResult {
  const objects = { read: 0, repaired: 0, rejected: 0 };
  return {
    outcome: 'failed',
    errors: [fault.message],
    report: { bytes: 0, objects, issues: [], issuesOmitted: 0, fault },
  };
}

export function fileResult(reader: CollectionReport, store: StoreIssues): FileResult {
  const { read, repaired, rejected } = reader.objects;
  const issues = [...reader.issues, ...store.issues];
  const rejections = issues.filter((issue) => issue.severity === 'rejected');
  const errors = [
    ...(reader.fault === undefined ? [] : [faultText(reader.fault)]),
    ...rejections.map(issueText),
  ];
  const nothingKept = read + repaired === 0 && (reader.fault !== undefined || rejected > 0);
  return {
    outcome: nothingKept ? 'failed' : errors.length > 0 || rejected > 0 ? 'partial' : 'ok',
    errors: cut(errors, Math.max(0, rejected + store.rejected - rejections.length)),
    report: {
      format: reader.format,
      type: reader.type,
      version: reader.version,
      methods: reader.methods?.toString(),
      collectorVersion: reader.collectorVersion,
      bytes: reader.bytes,
      objects: { read, repaired, rejected },
      issues,
      issuesOmitted: reader.issuesOmitted + store.omitted,
      fault: reader.fault,
    },
  };
}

const MAX_WARNINGS = 50;

/**
 * Lists repairs and omissions, one text per reason, with the number of objects and the position of the first.
 * Rejections are among the errors.
 */
export function fileWarnings({ issues, issuesOmitted }: FileReport): string[] {
  const byReason = Map.groupBy(
    issues.filter(({ severity }) => severity !== 'rejected'),
    ({ reason }) => reason,
  );
  const texts = [...byReason].map(([reason, all]) => {
    const count = all.reduce((sum, issue) => sum + (issue.count ?? 1), 0);
    const place = placeOf(all[0]);
    if (place === '') return reason;
    return `${reason} (${count === 1 ? place : `${count} objects, the first: ${place}`})`;
  });
  const untold = Math.max(0, texts.length - MAX_WARNINGS);
  const shown = untold === 0 ? texts : [...texts.slice(0, MAX_WARNINGS), `and ${untold} more reasons`];
  return issuesOmitted === 0
    ? shown
    : [...shown, `and ${issuesOmitted} more that were not recorded individually`];
}

function faultText(fault: FileFault): string {
  return fault.offset === undefined ? fault.message : `${fault.message} (at byte ${fault.offset})`;
}

function issueText(issue: ReadIssue): string {
  const place = placeOf(issue);
  return place === '' ? issue.reason : `${place}: ${issue.reason}`;
}

function placeOf(issue: ReadIssue): string {
  return [
    issue.index === undefined ? undefined : `object ${issue.index}`,
    issue.object,
    issue.offset === undefined ? undefined : `at byte ${issue.offset}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

function cut(errors: readonly string[], untold: number): string[] {
  const more = Math.max(0, errors.length - MAX_ERRORS) + untold;
  return more === 0 ? [...errors] : [...errors.slice(0, MAX_ERRORS), `and ${more} more`];
}
