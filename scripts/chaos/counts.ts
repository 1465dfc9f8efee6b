/** Counts items in three places, from answers to clients and rows of tables, not from the service's figures. */

import type { ClewClient } from '@clew/client';
import { connectionToRunning } from '@clew/embedded';
import pg from 'pg';
import type { Receiver } from '../harness/receiver.ts';
import { brokenBounds } from '../harness/scenario.ts';
import type { Keeper, KeptCounts } from './keeper.ts';
import { type Collector, type ConnectorRuns, DOMAIN } from './workload.ts';

export interface Counts {
  readonly kept: KeptCounts;
  readonly uploads: { readonly acknowledged: number; readonly failed: number };
  readonly objects: { readonly acknowledged: number; readonly lost: number; readonly doubled: number };
  readonly findings: {
    readonly active: number;
    /** Principals with control in the last upload but without a finding, and findings of other principals. */
    readonly wrong: number;
    readonly doubled: number;
  };
  readonly connector: {
    readonly runs: number;
    readonly open: number;
    /** Open there but not active, or active but not open. */
    readonly wrong: number;
    readonly doubledEvents: number;
  };
  readonly webhooks: {
    readonly events: number;
    readonly repeated: number;
    readonly deliveries: number;
    readonly undelivered: number;
    /** Number of findings that events opened, minus those that they resolved. */
    readonly opened: number;
    readonly resolved: number;
    /** Active findings without an event. */
    readonly unnamed: number;
  };
}

interface Parts {
  readonly client: ClewClient;
  readonly collector: Collector;
  readonly connector: ConnectorRuns;
  readonly keeper: Keeper;
  readonly receiver: Receiver;
  readonly data: string;
}

export async function countAll(parts: Parts): Promise<Counts> {
  const { client, collector, connector, receiver, data } = parts;
  const published = await publishedUsers(client);
  const active = await activeFindings(client);
  const database = new pg.Client(await connectionToRunning(data));
  await database.connect();
  const rows = async <T>(text: string): Promise<T[]> => (await database.query(text)).rows as T[];
  const deliveries = await rows<{ id: string; status: string }>('select id, status from webhook_delivery');
  const pairs = await rows<{ n: number }>(`
    select count(*)::integer as n from finding where deleted_at is null
    group by environment_id, tag_id, finding, source_id, target_id having count(*) > 1`);
  await database.end();

  const lost = [...collector.acknowledged].filter((id) => !published.includes(id)).length;
  const sources = active.flatMap(({ finding, source }) => (finding === 'T0GenericAll' ? [source] : []));
  const open = openOf(await connector.lines());
  const ids = new Set(active.map(({ id }) => id));
  const events = [...receiver.acknowledged.values()];
  const sum = (type: string): number =>
    events.reduce((all, event) => all + (event.type === type ? (event.data.count ?? 0) : 0), 0);
  const named = new Set(events.flatMap((event) => (event.data.findings ?? []).map(({ id }) => id)));
  return {
    kept: await parts.keeper.count(client),
    uploads: { acknowledged: collector.uploads, failed: collector.failures },
    objects: {
      ...{ acknowledged: collector.acknowledged.size, lost },
      doubled: published.length - new Set(published).size,
    },
    findings: {
      active: active.length,
      wrong: difference(new Set(sources), new Set(collector.holders)),
      doubled: pairs.length + sources.length - new Set(sources).size,
    },
    connector: {
      ...{ runs: connector.runs, open: open.ids.size, doubledEvents: open.doubledEvents },
      wrong: difference(open.ids, ids),
    },
    webhooks: {
      ...{ events: events.length, repeated: receiver.repeated, deliveries: deliveries.length },
      undelivered: deliveries.filter(({ id }) => !receiver.acknowledged.has(id)).length,
      ...{ opened: sum('finding.opened'), resolved: sum('finding.resolved') },
      unnamed: active.filter(({ id }) => !named.has(id)).length,
    },
  };
}

/** @returns the violated requirements */
export function faultsOf({ kept, objects, findings, connector, webhooks }: Counts): readonly string[] {
  const faults = [
    [kept.extensions, 'acknowledged versions of extensions are lost'],
    [kept.owners, 'acknowledged owners of findings are lost'],
    [kept.plans, 'acknowledged plans are lost'],
    [kept.doubled, 'plans or extensions are there twice'],
    [
      kept.acknowledged === 0 ? 1 : 0,
      'nothing acknowledged: nothing was shown of extensions, owners and plans',
    ],
    [objects.lost, 'acknowledged objects are lost'],
    [objects.doubled, 'objects are there twice'],
    [findings.wrong, 'findings are not those of the last upload'],
    [findings.doubled, 'findings are there twice'],
    [connector.wrong, 'alerts of the connector do not match the active findings'],
    [connector.doubledEvents, 'events of the connector came twice'],
    [webhooks.undelivered, 'webhook events are not delivered'],
    [webhooks.opened - webhooks.resolved - findings.active, 'more findings by events than there are'],
    [webhooks.unnamed, 'active findings were named by no event'],
    [findings.active === 0 ? 1 : 0, 'no finding: nothing was shown'],
  ] as const;
  return brokenBounds(faults.map(([count, text]) => [count !== 0, `${count} ${text}`]));
}

async function publishedUsers(client: ClewClient): Promise<readonly string[]> {
  const query = `MATCH (u:User) WHERE u.objectid STARTS WITH '${DOMAIN}-' AND u.name STARTS WITH 'USER' RETURN u.objectid`;
  const { data } = await client.call('RunCypherQuery', { body: { query, rows: true } } as never);
  return (data as unknown as { rows: string[][] }).rows.map(([id]) => id as string);
}

interface ActiveFinding {
  readonly id: number;
  readonly finding: string;
  readonly source: string;
}

async function activeFindings(client: ClewClient): Promise<readonly ActiveFinding[]> {
  const found: ActiveFinding[] = [];
  // Includes those that are part of others.
  const query = { limit: 1000, status: 'eq:active', part_of: 'neq:-' };
  for await (const page of client.pages('ListAttackPathFindings', { query } as never))
    for (const row of page as readonly { id: number; finding: string; source_principal_id: string }[])
      found.push({ id: row.id, finding: row.finding, source: row.source_principal_id });
  return found;
}

/** Replays the messages to the platform. */
function openOf(lines: Awaited<ReturnType<ConnectorRuns['lines']>>) {
  const open = new Map<string, number>();
  const seen = new Set<string>();
  for (const line of lines) {
    seen.add(line.EventId);
    if (line.Change === 'close') open.delete(line.FindingKey);
    else open.set(line.FindingKey, Number((line as unknown as { attack_id: string }).attack_id));
  }
  return { ids: new Set(open.values()), doubledEvents: lines.length - seen.size };
}

const difference = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): number =>
  [...one].filter((each) => !other.has(each)).length + [...other].filter((each) => !one.has(each)).length;
