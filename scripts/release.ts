/**
 * `npm run release -- VERSION`: creates a release of the present commit. It requires a clean tree, text under "Unreleased" in
 * CHANGELOG.md, and the results of `npm run clients` of today and of this code; sets the version of all packages and of these results, records
 * the digests of migrations, commits, and tags. Nothing is pushed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRecordings } from '../packages/service/test/clients/recordings.ts';
import { type ClientResults, codeDigest, RESULTS, requirePlayed } from './clientResults.ts';
import { PARTS, readDocument, withPart } from './documents.ts';

const UNRELEASED = '## Unreleased\n';

/** @returns the change log with the text of "Unreleased" under the version @throws Error without text */
export function releasedChangelog(changelog: string, version: string, date: string): string {
  const at = changelog.indexOf(UNRELEASED);
  const end = changelog.indexOf('\n## ', at + UNRELEASED.length);
  if (at < 0 || changelog.slice(at + UNRELEASED.length, end < 0 ? undefined : end).trim() === '')
    throw new Error('CHANGELOG.md has no text under "Unreleased"');
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${date})\n`);
}

/** @throws Error unless `version` is a release later than `present` */
export function requireLater(version: string, present: string): void {
  const numbers = (text: string) => {
    const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(text);
    if (match === null) throw new Error(`"${text}" is not a version like 1.2.3`);
    return match.slice(1).map(Number);
  };
  const [before, after] = [numbers(present), numbers(version)];
  const at = after.findIndex((number, index) => number !== before[index]);
  if (at < 0 || (after[at] as number) < (before[at] as number))
    throw new Error(`${version} does not come after ${present}`);
}

/** @returns the digest of each migration, by file name */
export function migrationDigests(directory: string): Readonly<Record<string, string>> {
  const names = globSync('[0-9]*.ts', { cwd: directory, exclude: ['*.test.ts'] }).sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(directory, name)))
        .digest('hex'),
    ]),
  );
}

const EXAMPLES = 'packages/server/src/apiReference/openapi/examples.json';

/** @returns examples of answers with the new version of the service */
export function withVersion(examples: string, present: string, version: string): string {
  return examples
    .replaceAll(`Server version ${present},`, `Server version ${version},`)
    .replaceAll(`"server_version": "${present}"`, `"server_version": "${version}"`);
}

function release(root: string, version: string): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const path = (file: string) => join(root, file);
  const write = (file: string, value: unknown) =>
    writeFileSync(path(file), typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`);
  if (git('status', '--porcelain') !== '') throw new Error('the tree is not clean: commit first');
  const present: string = JSON.parse(readFileSync(path('package.json'), 'utf8')).version;
  requireLater(version, present);
  const today = new Date().toISOString().slice(0, 10);
  const results: ClientResults = JSON.parse(readFileSync(path(RESULTS), 'utf8'));
  const clients = readRecordings().map(({ client }) => client);
  requirePlayed(results, { clients, date: today, code: codeDigest(root) });
  write('CHANGELOG.md', releasedChangelog(readFileSync(path('CHANGELOG.md'), 'utf8'), version, today));
  for (const file of ['package.json', ...globSync('packages/*/package.json', { cwd: root })])
    write(file, { ...JSON.parse(readFileSync(path(file), 'utf8')), version });
  const lock = JSON.parse(readFileSync(path('package-lock.json'), 'utf8'));
  lock.version = version;
  for (const [name, entry] of Object.entries<{ version?: string }>(lock.packages))
    if (name === '' || /^packages\/[^/]+$/.test(name)) entry.version = version;
  write('package-lock.json', lock);
  write(EXAMPLES, withVersion(readFileSync(path(EXAMPLES), 'utf8'), present, version));
  // The commit of a release changes nothing that answers clients, apart from its version.
  for (const part of PARTS.filter(({ name }) => name === 'clients')) {
    write(RESULTS, { ...results, version });
    write(part.file, withPart(readDocument(part.file), part));
  }
  const migrations = 'packages/store/src/migrations';
  write(`${migrations}/released.json`, migrationDigests(path(migrations)));
  git('commit', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Clew ${version}`);
  console.log(`Tagged v${version}. "git push --follow-tags" publishes it.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    release(resolve(import.meta.dirname, '..'), process.argv[2] ?? '');
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
