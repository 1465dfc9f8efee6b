/** The results of the last `npm run clients` (`docs/clients.json`), and the code that they are of. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ClientResults {
  readonly version: string;
  /** `2026-12-31`. */
  readonly date: string;
  /** The digest of the code that answered (`codeDigest`). */
  readonly code: string;
  /** Requests with another answer, by client. */
  readonly changed: Readonly<Record<string, readonly string[]>>;
}

export const RESULTS = 'docs/clients.json';

/** Sources, libraries, recordings and their answers. Tests and recorded examples do not answer clients. */
const ANSWERING = [
  ...['packages/*/src/*', 'package-lock.json', ':(exclude)*.test.ts', ':(exclude)*/examples.json'],
  ...['packages/service/test/clients', 'packages/service/test/publicRequests'],
];

/** @returns the digest of all code that answers recorded requests, as it is in the folder */
export function codeDigest(root: string): string {
  const digest = createHash('sha256');
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...ANSWERING],
    {
      ...{ cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
    },
  );
  for (const name of listed
    .split('\0')
    .filter((one) => one !== '')
    .toSorted())
    digest
      .update(name)
      .update('\0')
      .update(readFileSync(join(root, name)))
      .update('\0');
  return digest.digest('hex');
}

/** @throws Error unless all clients were played on the day and against the code, and got the recorded answers */
export function requirePlayed(
  { date, code, changed }: ClientResults,
  expected: { readonly clients: readonly string[]; readonly date: string; readonly code: string },
): void {
  const fail = (reason: string): never => {
    throw new Error(`${reason}: run "npm run clients", and commit its results`);
  };
  if (date !== expected.date) fail(`the clients were played on ${date}, not today`);
  if (code !== expected.code) fail('the clients were played against other code');
  const missing = expected.clients.filter((client) => changed[client] === undefined);
  if (missing.length > 0) fail(`some clients were not played: ${missing.join(', ')}`);
  const others = Object.values(changed).flat();
  if (others.length > 0) fail(`some clients got other answers: ${others.join(', ')}`);
}
