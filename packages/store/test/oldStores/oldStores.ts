/** Stores of earlier versions, which `scripts/oldStores.ts` makes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const STORES = import.meta.dirname;
/** CLEW_SECRET_KEY of the services that filled them. */
export const OLD_KEY = 'root key of the stores of earlier versions';
export const OLD_PASSWORD = 'correct horse battery staple';

export const OLD_STORES = [
  { name: 'early', commit: 'f16a706c', title: 'a store of 25 migrations' },
  { name: 'v0.2.0', commit: 'a19a007e', title: 'a store of version 0.2.0' },
] as const;

export type OldStoreName = (typeof OLD_STORES)[number]['name'];

/** Answers of the old service. */
export interface RecordedAnswers {
  readonly jobs: { readonly complete: number; readonly interrupted: number };
  readonly user: string;
  readonly token: { readonly id: string; readonly key: string };
  readonly query: string;
  readonly zone: string;
  readonly collected: { readonly nodes?: Readonly<Record<string, number>> } | null;
  readonly findings: number | null;
}

export const backupOf = (name: OldStoreName): string => join(STORES, `${name}.backup`);

export function recordedAnswers(name: OldStoreName): RecordedAnswers {
  return JSON.parse(readFileSync(join(STORES, `${name}.json`), 'utf8')) as RecordedAnswers;
}
