/** The report of one file: what it is, what became of each of its objects, and why. */
import type { ReadIssue } from '@clew/model';
import type { FileFault } from './fileFault.ts';

export type CollectionFormat = 'sharphound' | 'azurehound' | 'opengraph';

export interface CollectionReport {
  readonly name: string;
  /** Absent when the file could not be recognised. */
  readonly format?: CollectionFormat;
  /** `meta.type`; absent for OpenGraph. */
  readonly type?: string;
  /** `meta.version`; absent when the file does not say. */
  readonly version?: number;
  /** `meta.methods`; absent when the file does not say. */
  readonly methods?: bigint;
  readonly collectorVersion?: string;
  /** Bytes of text read. */
  readonly bytes: number;
  /** Every object is in exactly one of the three. */
  readonly objects: { readonly read: number; readonly repaired: number; readonly rejected: number };
  /** The first issues. A note that many objects share is kept once, with the number of objects. */
  readonly issues: readonly ReadIssue[];
  /** Issues beyond those kept. */
  readonly issuesOmitted: number;
  /** Why the file, or the rest of it, could not be read. Objects handed over before it stay good. */
  readonly fault?: FileFault;
}
