/** The first page of findings of an organization, as users receive it from a service that has stored the plan, and its faults. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInTypeById } from '@clew/analysis';
import type { UnifiedFindingRow } from '@clew/api';
import { ClewClient } from '@clew/client';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { alsoFoundAs } from '../../packages/analysis/src/findings/types/overlaps.ts';
import { ADMIN_PASSWORD, startServe } from '../../packages/service/test/serveProcess.ts';
import { COLLECTED_AT, type Generated } from './organizations.ts';

/** Number of rows on the first page. */
export const FIRST_ROWS = 30;
/** Minimum number of different repairs on the first page. */
export const MIN_REPAIRS = 12;
/** Maximum time until the list shows the findings that the plan closes, after the plan exists. */
const MAX_WAIT_MS = 60_000;

export interface FirstFindings {
  /** In the order of the list. */
  readonly rows: readonly UnifiedFindingRow[];
  /** The repairs in the evidence of the first rows, as one list per row. */
  readonly repairs: readonly (readonly string[])[];
  readonly cards: number;
}

export interface FirstFindingsResult extends FirstFindings {
  readonly name: string;
  readonly seconds: number;
  readonly faults: readonly string[];
}

/** @param organization an archive, or options to generate one */
export async function checkFirstFindings(organization: string | Generated): Promise<FirstFindingsResult> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-first-'));
  const start = performance.now();
  try {
    const archive = typeof organization === 'string' ? organization : join(directory, 'forest.zip');
    if (typeof organization !== 'string')
      await writeForestZip(generateForest({ ...organization, collectedAt: COLLECTED_AT }), archive);
    const first = await firstFindingsOf(archive, join(directory, 'data'));
    return {
      ...{ ...first, faults: faultsOf(first), seconds: (performance.now() - start) / 1000 },
      name:
        typeof organization === 'string'
          ? organization.slice(organization.lastIndexOf('/') + 1)
          : `${organization.users} users, shape ${organization.shape}, seed ${organization.seed}`,
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** @param archive a collection as a file @param directory new data directory of the service */
async function firstFindingsOf(archive: string, directory: string): Promise<FirstFindings> {
  const service = await startServe(directory);
  try {
    const client = new ClewClient({ url: service.url });
    await client.login('admin', ADMIN_PASSWORD);
    const { jobId } = await client.uploadFiles([archive]);
    await client.waitForJob(jobId);
    const { cards } = await client.plan({ limit: 30 });
    const isTold = (rows: readonly UnifiedFindingRow[]): boolean =>
      rows.some(({ repair }) => repair !== undefined) || cards.length === 0;
    const read = async () => {
      const query = { limit: 1000, sort_by: ['urgency'] } as never;
      return (await client.call('ListAttackPathFindings', { query })).data;
    };
    // The list is updated right after the plan is stored.
    const deadline = Date.now() + MAX_WAIT_MS;
    let rows = await read();
    while (!isTold(rows) && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      rows = await read();
    }
    const repairs: string[][] = [];
    for (const { id } of rows.slice(0, FIRST_ROWS)) {
      const { data } = await client.call('GetFindingEvidence', { params: { finding_id: id } });
      repairs.push(data.repairs.map(({ repair }) => JSON.stringify(repair)));
    }
    return { rows, repairs, cards: cards.length };
  } finally {
    await service.stop();
  }
}

/**
 * A small set of changes for the rows: repeatedly the repair in the evidence of most rows, or the card that closes them. Rows without any
 * need a change that an administrator makes in one step.
 */
export function repairsOf({ rows, repairs }: Pick<FirstFindings, 'rows' | 'repairs'>): string[] {
  let left = rows.slice(0, FIRST_ROWS).map((row, at) => {
    if (row.repair !== undefined) return [`card ${row.repair}`];
    if (repairs[at] !== undefined && repairs[at].length > 0) return repairs[at];
    const holder = row.finding_type === 'list' ? row.environment_id : row.source_principal_id;
    return [`${row.finding} ${holder}`];
  });
  const found: string[] = [];
  while (left.length > 0) {
    const counts = new Map<string, number>();
    for (const one of left)
      for (const repair of new Set(one)) counts.set(repair, (counts.get(repair) ?? 0) + 1);
    const [[best]] = [...counts].sort(([, one], [, other]) => other - one);
    found.push(best);
    left = left.filter((one) => !one.includes(best));
  }
  return found;
}

/** @returns sentences; none if the page is correct */
export function faultsOf({ rows, repairs }: FirstFindings): string[] {
  const first = rows.slice(0, FIRST_ROWS);
  const count = repairsOf({ rows, repairs }).length;
  const faults: string[] = [];
  if (count < Math.min(MIN_REPAIRS, rows.length))
    faults.push(`the first ${first.length} findings are about ${count} repairs`);
  for (const row of rows) {
    const isSevere = row.severity === 'critical' || row.severity === 'high';
    if (
      isSevere &&
      row.finding_type === 'relationship' &&
      !ANSWERED.test(row.closed_by ?? row.not_closed ?? '')
    )
      faults.push(
        `${shown(row)} is ${row.severity}, and the list does not name the part of the plan that closes it`,
      );
  }
  for (const [at, row] of first.entries()) {
    if (row.part_of !== undefined) faults.push(`${shown(row)} is part of ${row.part_of}`);
    const same = first.slice(0, at).find((other) => isSameFact(row, other));
    if (same !== undefined) faults.push(`${shown(row)} repeats ${shown(same)}`);
  }
  return faults;
}

const ANSWERED = /^(closed by card \d+ of the plan: afterward,|not closed by the plan: \S)/;

const shown = ({
  id,
  finding,
  source_principal_name: source,
  target_principal_name: target,
}: UnifiedFindingRow) => `finding ${id} (${finding} ${source === '' ? '' : `${source} -> `}${target})`;

/**
 * Whether two findings of one object are the same fact: the same relationship, or a setting under two types that may have one cause. A
 * setting of a computer and a path to it that also involves another object are different facts, because each has a separate repair.
 */
function isSameFact(one: UnifiedFindingRow, other: UnifiedFindingRow): boolean {
  if (one.environment_id !== other.environment_id || one.target_principal_id !== other.target_principal_id)
    return false;
  if (one.source_principal_id !== other.source_principal_id) return false;
  if (one.finding === other.finding) return true;
  const type = builtInTypeById(one.finding);
  return type !== undefined && alsoFoundAs(type).some(({ id }) => id === other.finding);
}
