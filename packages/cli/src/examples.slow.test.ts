/**
 * Checks that examples work: the command lines in README and docs, and those printed by the programs, run in order on a real service.
 * README comes first, because it creates the data that the others use. New examples run automatically; an exception needs a reason.
 */
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type FinishedProcess, type ServiceHere, serveHere } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAGES = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT }).sort()];

/** Examples that cannot run here, with reasons. An entry that no page contains also fails. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'clew sso add "Acme" --metadata https://idp.example.com/metadata.xml --make-users read-only':
    'asks an identity provider; sso.slow.test.ts has one',
  'clew sso add "Acme" --issuer https://login.example.com --client-id clew --make-users read-only --roles-by-provider':
    'asks an identity provider',
  'clew sso test Acme': 'asks an identity provider',
  'clew collect-entra --tenant example.com --client-id 0000-... --certificate app.pem --key app.key':
    'asks Microsoft Graph; the tests of packages/collect/src/entra have a simulated one',
  'clew collect-entra --tenant example.com --client-id 0000-... --certificate app.pem --key app.key --state /var/lib/clew/example.state':
    'asks Microsoft Graph; tenantChanges.slow.test.ts has a simulated one',
  'clew collector run --url https://clew.example.test --token-file /etc/clew/collector.token --host dc1.example.test --user reader@example.test --password-file /etc/clew/reader.password':
    'asks a domain controller; collectorRun.slow.test.ts has a simulated one',
  'clew collect --host dc1.example.test --user reader@example.test --forest':
    'asks domain controllers; collectForest.test.ts has simulated ones',
  'clew collect --host dc1.example.test --user reader@example.test --probe smb-signing --probe ldap-signing --list-probes':
    'asks a domain controller; runProbes.test.ts has simulated hosts',
  'clew extension test examples/extensions/tickets': 'starts services; extensions.slow.test.ts runs it',
  'clew access check ann': 'no user has that name here; access.slow.test.ts has one',
  'clew admin backup /var/backups/clew --with-key':
    'needs the data directory of a service; backup.slow.test.ts has one',
  'clew admin rotate-key': 'needs a stopped service; rotateKey.slow.test.ts has one',
  'clew job-log 12 --follow': 'follows a run until it ends, and no collector is there to end it',
};

/** Replacements in running examples: less data, and names that exist in the data. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/--users 1000\b/, '--users 20 --domains 1'],
  [/--users (?:1500|5000)\b/, '--users 20'],
  [/\/etc\/clew\//, ''],
];

const PATIENCE = { timeout: 120_000 };

/** Splits a command line into words like a shell; a comment ends it. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  for (const [all, double, single, bare] of line.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)) {
    if (all.startsWith('#')) break;
    words.push(double ?? single ?? bare);
  }
  return words;
}

const START = /^(?:npm run --silent clew -- |clew )/;
const withoutComment = (line: string): string => line.replace(/\s+#.*$/, '').replace(START, 'clew ');

async function examples(page: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(?:sh|bash|console|shell)\n(.*?)^```/gms)].flatMap(([, block]) =>
    block
      .replace(/\s*\\\n\s*/g, ' ')
      .split('\n')
      .filter((line) => START.test(line))
      .map(withoutComment),
  );
}

describe('examples', PATIENCE, () => {
  let directory: string;
  let service: ServiceHere;
  /** Answers by command line. */
  const answers = new Map<string, FinishedProcess>();
  const run = (line: string): Promise<FinishedProcess> => {
    const user = { url: service.url, home: join(directory, 'home'), directory };
    const text = INSTEAD.reduce((changed, [pattern, other]) => changed.replace(pattern, other), line);
    return runCommand(user, wordsOf(text).slice(1));
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clew-examples-'));
    await mkdir(join(directory, 'home'));
    await writeFile(join(directory, 'kerberoastable.cypher'), 'MATCH (u:User) WHERE u.hasspn RETURN u.name');
    for (const folder of ['examples/checks', 'examples/extensions'])
      await cp(join(ROOT, folder), join(directory, folder), { recursive: true });
    service = await serveHere(directory);
  }, PATIENCE.timeout);
  afterAll(async () => {
    await service?.stop();
    await rm(directory, { recursive: true, force: true });
  }, PATIENCE.timeout);

  it.each(PAGES)('%s', async (page) => {
    for (const line of await examples(page)) {
      if (NOT_RUN[line] !== undefined) continue;
      const answer = await run(line);
      answers.set(line, answer);
      const said = answer.stdout + answer.stderr;
      expect([answer.code, said], line).toEqual([0, expect.stringMatching(/\S/)]);
    }
  });

  it('the paths printed by "clew generate" exist, whichever parts it wrote', async () => {
    const lines = (text: string): readonly string[] => text.match(/clew path .*/g) ?? [];
    const all = lines(answers.get('clew generate --users 1000 --out forest')?.stdout ?? '');
    const alone = lines((await run('clew generate --users 20 --only entra --out tenant')).stdout);
    expect([all.length, alone.length]).toEqual([2, 1]);
    for (const line of [...all, ...alone])
      expect(await run(line), line).toMatchObject({ code: 0, stderr: '' });
    expect(all[0]).toMatch(/^clew path S-1-5-21-\S+ S-1-5-21-\S+-512$/);
    const byName = lines((await run('clew generate --users 20 --only ad --out other')).stdout);
    expect(byName).toEqual(['clew path ADA.ABEL@AURORA.EXAMPLE "DOMAIN ADMINS@AURORA.EXAMPLE"']);
  });

  it('reasons refer to existing examples', async () => {
    const all = (await Promise.all(PAGES.map(examples))).flat();
    expect(all.length).toBeGreaterThan(20);
    for (const line of Object.keys(NOT_RUN)) expect(all).toContain(line);
  });

  /** Command lines in sentences are not run, because of placeholders, but their commands and options must exist. */
  it('commands and options in pages and messages exist', async () => {
    const helps = new Map<string, Promise<string>>();
    const help = (words: readonly string[]): Promise<string> => {
      const key = words.join(' ');
      const asked = helps.get(key) ?? run(`clew ${key} --help`).then(({ stdout }) => stdout);
      helps.set(key, asked);
      return asked;
    };
    const sources = globSync('packages/{cli,service,analysis,connector,mcp}/src/**/*.ts', { cwd: ROOT });
    const named = new Set<string>();
    for (const file of [...PAGES, ...sources.filter((name) => !name.includes('test'))]) {
      const text = await readFile(join(ROOT, file), 'utf8');
      const pattern = file.endsWith('.md') ? /`clew ([a-z][^`\n]*)`/g : /["'] ?clew ([a-z][^"'`\n]*)["']/g;
      for (const [, words] of text.matchAll(pattern)) named.add(words);
    }
    expect(named.size).toBeGreaterThan(60);
    const wrong: string[] = [];
    for (const words of named) if (!(await exists(words.replaceAll('\\|', '|'), help))) wrong.push(words);
    expect(wrong).toEqual([]);
  });
});

/** Names that start with the program's name but are not command lines: of database connections, keys, actors. */
const NO_COMMANDS =
  /^(?:cypher|secret sealing|session tokens|key fingerprint|worker|exports|plan|connector|admin reset-password)$/;

async function exists(text: string, help: (words: readonly string[]) => Promise<string>): Promise<boolean> {
  if (NO_COMMANDS.test(text)) return true;
  const words = text.split(/\s+/);
  const path: string[] = [];
  for (const [at, word] of words.entries()) {
    if (!/^[a-z][a-z|-]*$/.test(word)) break;
    const shown = await help(path);
    const isGroup = /^Commands:$/m.test(shown);
    if (!isGroup) break;
    const names = word.split('|');
    const lines = names.map((name) => new RegExp(`^ {2}${name}(?:\\||\\s|$)`, 'm').test(shown));
    if (lines.includes(false)) return false;
    if (names.length > 1 || at === words.length - 1) return true;
    path.push(word);
  }
  const shown = await help(path);
  return words
    .filter((word) => word.startsWith('--'))
    .every((option) => shown.includes(option.replace(/[^a-z-].*$/, '')));
}
