/**
 * Tests changes of complete organizations: a build of changes publishes the same as a complete build. A complete build right after it may
 * not change anything in the store.
 */
import { sampledCases } from '@clew/common/testing';
import type { Generation } from '@clew/generation';
import { emptyStore, ingestAll, upload } from '@clew/intake/testing';
import type { Database } from '@clew/store';
import { silentLog, startTestDatabase } from '@clew/store/testing';
import {
  driftedForest,
  forestFiles,
  type GeneratedFile,
  generateForest,
  generateTenant,
} from '@clew/synthetic';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildContext } from '../../test/generations/builds.ts';
import { buildGeneration } from './buildGeneration.ts';
import { BuildMemory } from './buildMemory.ts';
import { loadPublished } from './loadPublished.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

const OPTIONS = { users: 50, seed: 3, collectedAt: Math.floor(Date.now() / 86_400_000) * 86_400 };

/** Everything that a generation wrote, except for times. */
const WRITTEN = {
  sets: 'select owner_id, aspect, source_id, start_ids, kind_ids, end_ids, flags, properties from edge_set order by 1, 2, 3',
  findings: 'select * from finding order by id',
  members: 'select * from zone_member order by tag_id, node_id',
  rules: 'select * from zone_rule_member order by 1, 2',
  risks: `select environment_id, tag_id, finding, composite_risk, finding_count, impacted_asset_count, exposure_count, impact_count
          from risk_count where run_id = (select max(id) from finding_run) and finding_count > 0 order by 1, 2, 3`,
  postures: `select environment_id, tag_id, exposure_index, tier_zero_count, critical_risk_count, finding_count, attack_path_count,
               principal_count, exposure_from
             from posture_stat where run_id = (select max(id) from finding_run) order by 1, 2`,
  environments: `select environment_id, environment_name, active_computers, session_computers, group_computers
                 from environment_stat where run_id = (select max(id) from finding_run) order by 1`,
  gaps: `select report -> 'gaps' as gaps, report -> 'warnings' as warnings from finding_run order by id desc limit 1`,
  reports: `select report -> 'warnings' as warnings, (
              select jsonb_agg(rule - 'ms') from jsonb_array_elements(report -> 'rules') rule
            ) as rules from generation order by id desc limit 1`,
};

async function written(): Promise<Record<string, unknown[]>> {
  const parts = Object.entries(WRITTEN).map(
    async ([name, query]) => [name, (await database.pool.query(query)).rows] as const,
  );
  return Object.fromEntries(await Promise.all(parts));
}

async function ingest(files: readonly GeneratedFile[]): Promise<void> {
  const uploads = files.map((file) => ({ name: file.name, content: [...file.text(() => {})].join('') }));
  await upload(database, ...uploads);
  await ingestAll(database);
}

/** Changes of the facts without an ingest, each by its subject. */
const EDITS: Readonly<Record<string, string>> = {
  'a property that no one reads': `update node set properties = properties || '{"description": "edited"}' where id % 5 = 0`,
  'accounts that are disabled': `update node set properties = properties || '{"enabled": false}' where id % 23 = 3`,
  'roles of a tenant': `delete from edge_set where owner_id = (
      select owner_id from edge_set join node on node.id = owner_id
      where kinds @> array[(select id from node_kind where name = 'AZRole')]::smallint[] and cardinality(start_ids) > 1
      order by owner_id limit 1)`,
  'deleted groups': `update node set deleted_at = now() where id in (
      select node.id from node where kinds @> array[(select id from node_kind where name = 'Group')]::smallint[]
      and properties ->> 'name' like 'P%' order by id limit 3)`,
  'the groups again, with other names': `update node set deleted_at = null,
      properties = properties || jsonb_build_object('name', 'RENAMED ' || id) where deleted_at is not null`,
  'computers that were never there': `with made as (
      insert into object_id (object_id) values ('S-1-5-21-1-2-3-7001'), ('A-FIRST'), ('Z-LAST') returning id
    ) insert into node (id, kinds, properties, described, first_seen, environment_id)
      select id, array[(select id from node_kind where name = 'Base'), (select id from node_kind where name = 'Computer')],
             '{"name": "NEW.CORP", "enabled": true}', true, now(), (select min(environment_id) from node) from made`,
  'service principals that lose their kind': `update node set kinds = array_remove(kinds, kind.id)
      from (select id from node_kind where name = 'AZServicePrincipal') kind where kinds @> array[kind.id]::smallint[]`,
  'computers that lose their kind': `update node set kinds = array_remove(kinds, kind.id)
      from (select id from node_kind where name = 'Computer') kind where kinds @> array[kind.id]::smallint[] and node.id % 4 = 1`,
  logons: `delete from sample_edge where start_id % 3 = 0`,
};

it('publishes the same as a complete build', async () => {
  const forest = generateForest(OPTIONS);
  await ingest([...forestFiles(forest), generateTenant(OPTIONS).file]);
  let made: Generation | undefined;
  const logged: string[] = [];
  const context = {
    ...buildContext(database, (generation) => (made = generation)),
    previous: () => made,
    log: { ...silentLog, info: ({ worksOn }: { worksOn?: string }) => logged.push(worksOn ?? '') },
  };
  const build = async (memory: BuildMemory): Promise<string | undefined> => {
    await database.pool.query('update facts_state set version = version + 1');
    await buildGeneration({ ...context, memory });
    return logged.at(-1);
  };
  expect(await build(context.memory)).toBe('everything');
  const first = await written();
  expect(first.findings.length).toBeGreaterThan(200);

  type Change = readonly [name: string, make: () => Promise<void>];
  const drift = (round: number): Change => [
    `drift ${round}`,
    () => ingest(forestFiles(driftedForest(forest, { every: 40, round }))),
  ];
  const edit = (name: string): Change => [
    name,
    async () => void (await database.pool.query(EDITS[name] as string)),
  ];
  // Groups come back after their deletion only.
  const { 'deleted groups': _, 'the groups again, with other names': __, ...single } = EDITS;
  const changes: readonly Change[] = [
    drift(1),
    ...sampledCases(
      [
        ...Object.keys(single).map((name) => [edit(name)]),
        [edit('deleted groups'), edit('the groups again, with other names')],
        [drift(2)],
      ],
      3,
    ).flat(),
    ['nothing', async () => {}],
  ];
  let before = JSON.stringify(first);
  let memory = context.memory;
  for (const [name, change] of changes) {
    await change();
    const worksOn = await build(memory);
    const changed = await written();
    expect([name, worksOn]).toEqual([name, name.startsWith('a property') ? 'everything' : 'changes']);
    expect([name, made]).toEqual([name, await loadPublished({ database, log: silentLog }, 0)]);
    if (name !== 'nothing' && !name.startsWith('a property'))
      expect(JSON.stringify(changed)).not.toBe(before);
    const other = new BuildMemory();
    expect(await build(other)).toBe('everything');
    const whole = await written();
    for (const part of Object.keys(WRITTEN))
      expect([name, part, changed[part]]).toEqual([name, part, whole[part]]);
    before = JSON.stringify(whole);
    // The first memory does not contain what the other one published.
    if (name === 'nothing') expect(await build(memory)).toBe('everything');
    memory = other;
  }
});
