/**
 * Compares the relationships in the lab directory with those of RustHound-CE, another collector, one by one. Each difference has a reason in
 * the table of `docs/collect.md`. Needs `rusthound-ce` in the path (`cargo install rusthound-ce --version 2.5.30 --locked
 * --no-default-features --features nogssapi`) or its place in `CLEW_RUSTHOUND`.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readCollection, sourceFromBytes } from '@clew/collections';
import { describe, expect, it } from 'vitest';
import { type ComparedGraph, ONLY_CLEW, ONLY_OTHER, type Reason } from '../test/explainedDifferences.ts';
import { missingForLab, startLab } from '../test/lab.ts';
import { collectDomain } from './runner/collectDomain.ts';

const VERSION = '2.5.30';
const PROGRAM = process.env.CLEW_RUSTHOUND || 'rusthound-ce';

function missingProgram(): string | undefined {
  try {
    const text = execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' });
    return text.includes(VERSION) ? undefined : `rusthound-ce ${VERSION} is needed`;
  } catch {
    return 'rusthound-ce is not installed';
  }
}

const missing = missingForLab() ?? missingProgram();

async function graphIn(directory: string): Promise<ComparedGraph> {
  const edges = new Set<string>();
  const nodes = new Map<string, Readonly<Record<string, unknown>>>();
  for (const file of readdirSync(directory)) {
    const reading = readCollection(sourceFromBytes(file, readFileSync(join(directory, file))));
    for await (const batch of reading)
      for (const facts of batch) {
        for (const { described, objectId, properties } of facts.nodes)
          if (described) nodes.set(objectId, properties);
        for (const { edges: found } of facts.edgeSets)
          for (const { startId, kind, endId } of found)
            edges.add(`${startId}|${kind}|${endId}`.toUpperCase());
      }
    expect([file, reading.report.fault]).toEqual([file, undefined]);
  }
  return { edges, nodes };
}

interface Compared {
  /** Number of differences by the text of their reason. */
  readonly explained: Readonly<Record<string, number>>;
  readonly unexplained: readonly string[];
}

function compare(
  { clew, other }: { readonly clew: ComparedGraph; readonly other: ComparedGraph },
  only: 'clew' | 'other',
  reasons: readonly Reason[],
): Compared {
  const [one, rest] = only === 'clew' ? [clew, other] : [other, clew];
  const nameOf = (id: string): string =>
    String((clew.nodes.get(id) ?? other.nodes.get(id))?.name ?? id).replace('@CLEWLAB.TEST', '');
  const explained: Record<string, number> = Object.fromEntries(reasons.map(({ text }) => [text, 0]));
  const unexplained: string[] = [];
  for (const key of one.edges) {
    if (rest.edges.has(key)) continue;
    const [start, kind, end] = key.split('|');
    const [from, to] = [nameOf(start), nameOf(end)];
    const reason = reasons.find(({ isOne }) => isOne({ start, kind, end, from, to, clew, other }));
    if (reason === undefined) unexplained.push(`${from} ${kind} ${to}`);
    else explained[reason.text] += 1;
  }
  return { explained, unexplained };
}

describe.skipIf(missing !== undefined)(`RustHound-CE${missing === undefined ? '' : ` (${missing})`}`, () => {
  it('differs from this collector only where the documentation explains it', async () => {
    const root = mkdtempSync(join(tmpdir(), 'clew-compared-'));
    await using lab = await startLab();
    try {
      const { namespace, host, address, domain, user, password, sysvol } = lab;
      mkdirSync(join(root, 'other'));
      await promisify(execFile)('ip', [
        ...[
          'netns',
          'exec',
          namespace,
          PROGRAM,
          '--domain',
          domain,
          '--ldapusername',
          user,
          '--ldappassword',
          password,
          '--ldaps',
        ],
        ...['--ldapip', address, '--ldapfqdn', host],
        ...['--collectionmethod', 'DCOnly', '--output', join(root, 'other')],
      ]);
      const account = { user: 'clew-reader', realm: domain.toUpperCase(), secret: { password } };
      await collectDomain({
        ...{ controllers: [{ host, address }], encryption: 'sealed', sysvol, rangeSize: 300 },
        credentials: { kind: 'kerberos', account },
        ...{ directory: join(root, 'clew'), collector: 'clew test' },
      });
      const graphs = { clew: await graphIn(join(root, 'clew')), other: await graphIn(join(root, 'other')) };
      expect(graphs.other.edges.size).toBeGreaterThan(20_000);
      const table = readFileSync(join(import.meta.dirname, '../../../docs/collect.md'), 'utf8');
      for (const [only, reasons] of [
        ['other', ONLY_OTHER],
        ['clew', ONLY_CLEW],
      ] as const) {
        const { explained, unexplained } = compare(graphs, only, reasons);
        expect([only, unexplained]).toEqual([only, []]);
        const rows = Object.entries(explained).map(([text, count]) => `| ${text} | ${count} |`);
        expect(rows.filter((row) => !table.includes(row))).toEqual([]);
        // A reason without a difference is outdated.
        expect(rows.filter((row) => row.endsWith('| 0 |'))).toEqual([]);
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }, 600_000);
});
