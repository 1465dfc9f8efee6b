/** The life of findings from one generation to the next. */

import { type AttackGraph, EdgeProperties, NodeProperties, NodeSet } from '@clew/graph';
import { readCheck } from '@clew/intake';
import { installExtension } from '@clew/intake/testing';
import { FindingHarness, keyOf } from '@clew/service/testing';
import { AdvisoryLock, typeParsers } from '@clew/store';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testActor } from '../../test/findings/actor.ts';
import { ANN, BOB, DOMAIN, forest } from '../../test/findings/forest.ts';
import { acceptFinding, expireAcceptances, FOR_EVER } from './acceptance.ts';
import { acceptFindings } from './bulkAcceptance.ts';
import { beginBulkChange } from './bulkChanges.ts';
import { storeCheck } from './checks/storedChecks.ts';
import { availableTypes, eachFinding, findingById, listFindings } from './findingQueries.ts';
import { publishWorkedOut, workOutFindings } from './findingStep.ts';
import { notePlannedFindings } from './plannedFindings.ts';

const NO_QUERY = { filters: [], sorts: [] } as const;
const ALL = { ...NO_QUERY, skip: 0, limit: 0 } as const;
const SIX_DIGITS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

let harness: FindingHarness;

beforeAll(async () => {
  harness = await FindingHarness.start();
});
afterAll(() => harness.close());
beforeEach(() => harness.empty());

describe('findings of a run', () => {
  it('are published at one instant, later than all before, whatever the clock says', async () => {
    await harness.build(...forest());
    const first = await harness.findings();
    expect(first.length).toBeGreaterThan(2);
    const [{ created_at }] = first;
    expect(created_at).toMatch(SIX_DIGITS);
    for (const one of first)
      expect([one.created_at, one.updated_at, one.deleted_at]).toEqual([created_at, created_at, null]);
    // The clock of this machine is behind the clock of the last publisher.
    await harness.database.pool.query(
      "update publication_clock set published_at = '2100-01-01T00:00:00.000001Z'",
    );
    await harness.build(...forest({ bobOverAnn: ['WriteDacl', 'GenericAll'] }));
    const [added] = await harness.ofType('T0GenericAll');
    expect(added.created_at).toBe('2100-01-01T00:00:00.000002Z');
    await harness.database.pool.query("update publication_clock set published_at = '0001-01-01T00:00:00Z'");
  });

  it('are the same ones in the next run, to the last digit', async () => {
    await harness.build(...forest());
    const first = await harness.findings();
    await harness.rebuild();
    expect(await harness.findings()).toEqual(first);
  });

  it('name the actor, the right and the target', async () => {
    await harness.build(...forest());
    const [finding] = await harness.ofType('T0WriteDACL');
    expect(finding).toMatchObject({
      environment_id: DOMAIN,
      tag_id: 1,
      kind: 'relationship',
      source_id: BOB,
      source_name: 'BOB@CORP.LOCAL',
      source_kind: 'User',
      source_environment_id: DOMAIN,
      target_id: ANN,
      target_kind: 'User',
      is_inherited: false,
      status: 'active',
      // Bob and his server are outside Tier Zero: only Bob can use it.
      exposure_count: 1,
      exposure_percentage: 0.5,
      severity: 2,
      previous_id: null,
    });
    expect(finding.principal_hash).toMatch(/^[A-Za-z0-9+/]{11}=$/);
    const [listed] = await harness.ofType('Kerberoasting');
    expect(listed).toMatchObject({
      tag_id: 0,
      kind: 'list',
      source_id: '',
      target_id: ANN,
      edge_kind: null,
      exposure_count: 0,
    });
  });

  it('change only where something that is shown did', async () => {
    await harness.build(...forest());
    const before = new Map((await harness.findings()).map((one) => [one.id, one]));
    await harness.build(...forest({ annName: 'ANNA@CORP.LOCAL' }));
    const after = await harness.findings();
    expect(after.map(({ id }) => id)).toEqual([...before.keys()]);
    for (const one of after) {
      const old = before.get(one.id)!;
      expect([one.created_at, one.id]).toEqual([old.created_at, old.id]);
      const shows = [one.source_id, one.target_id].includes(ANN);
      expect([keyOf(one), one.updated_at > old.updated_at]).toEqual([keyOf(one), shows]);
    }
  });
});

describe('a finding that ended', () => {
  it('is remediated with exactly those that depended on the same right', async () => {
    await harness.build(...forest({ bobOverAnn: ['WriteDacl', 'GenericAll'] }));
    const before = await harness.findings();
    await harness.build(...forest({ bobOverAnn: ['WriteDacl'] }));
    const archived = (await harness.findings()).filter(({ deleted_at }) => deleted_at !== null);
    expect(archived.map(({ finding, source_id, status }) => [finding, source_id, status])).toEqual([
      ['T0GenericAll', BOB, 'remediated'],
    ]);
    expect(archived[0].deleted_at).toMatch(SIX_DIGITS);
    expect(archived[0].updated_at).toBe(archived[0].deleted_at);
    expect(await harness.findings()).toHaveLength(before.length);
    expect(await availableTypes(harness.database.db, { visible: null })).not.toContain('T0GenericAll');
  });

  it('comes back as a new one, linked to the old one', async () => {
    const both = forest({ bobOverAnn: ['WriteDacl', 'GenericAll'] });
    await harness.build(...both);
    await harness.build(...forest());
    await harness.build(...forest({ bobOverAnn: ['WriteDacl', 'GenericAll', 'GenericWrite'] }));
    const [old, again, ...others] = await harness.ofType('T0GenericAll');
    expect(others).toEqual([]);
    expect([old.status, again.status, again.previous_id]).toEqual(['remediated', 'active', old.id]);
    expect(again.created_at > old.deleted_at!).toBe(true);
  });

  it('is orphaned with its environment, and deprecated with its type', async () => {
    await harness.build(...forest());
    await harness.database.pool.query(`
      insert into finding (environment_id, tag_id, finding, source_id, target_id, kind, is_inherited, source_name,
        source_kind, target_name, target_kind, also_from, principal_hash, status, exposure_count, exposure_percentage,
        impact_count, impact_percentage, severity, created_at, updated_at)
      select case finding when 'Kerberoasting' then 'S-GONE' else environment_id end, tag_id,
        case finding when 'Kerberoasting' then finding else 'NoLongerKnown' end, source_id, target_id, kind,
        is_inherited, source_name, source_kind, target_name, target_kind, also_from, principal_hash, status,
        exposure_count, exposure_percentage, impact_count, impact_percentage, severity, created_at, updated_at
      from finding where finding in ('Kerberoasting', 'T0WriteDACL')`);
    await harness.rebuild();
    const archived = (await harness.findings()).filter(({ deleted_at }) => deleted_at !== null);
    expect(archived.map(({ finding, status }) => `${finding} ${status}`).sort()).toEqual([
      'Kerberoasting orphaned',
      'NoLongerKnown deprecated',
    ]);
  });

  const workOut = (client: pg.Client, graph: AttackGraph) => {
    const nobody = NodeSet.empty(graph.nodeCount);
    return workOutFindings(client, {
      graph,
      properties: new NodeProperties(graph.nodeCount),
      edgeProperties: new EdgeProperties(),
      scanned: { sessions: nobody, localGroups: nobody },
      options: { rules: 'clean', features: new Set() },
      customNodeKinds: new Map(),
      customEdgeKinds: new Map(),
      isPartial: false,
      selectors: { connection: harness.database.connection, signal: new AbortController().signal },
    });
  };

  it('is not written by a plan while a generation is published, which would be a deadlock', async () => {
    const { id, graph } = await harness.build(...forest());
    const client = new pg.Client({ ...harness.database.connection, types: typeParsers });
    await client.connect();
    const worked = await workOut(client, graph);
    await client.query('begin');
    await publishWorkedOut(client, id, worked, { by: { cause: 'data', rulesVersion: 'other' } });
    const done: string[] = [];
    const noted = notePlannedFindings(harness.database.db, { cards: [], open: [], shared: [], lowered: [] });
    const told = noted.then(() => done.push('noted'));
    const isWaiting = async () =>
      (await client.query("select from pg_locks where locktype = 'advisory' and not granted")).rowCount === 1;
    await vi.waitUntil(isWaiting);
    done.push('published');
    await client.query('commit');
    await told;
    await client.end();
    expect(done).toEqual(['published', 'noted']);
  });

  it('stays when its type could not be computed', async () => {
    const { id, graph } = await harness.build(...forest());
    const before = await harness.findings();
    const client = new pg.Client({ ...harness.database.connection, types: typeParsers });
    await client.connect();
    const worked = await workOut(client, graph);
    const failed = new Map([['Kerberoasting', new Error('broken')]]);
    await client.query('begin');
    await publishWorkedOut(
      client,
      id,
      { ...worked, isPartial: true, result: { ...worked.result, failed } },
      { by: { cause: 'data', rulesVersion: 'other' } },
    );
    await client.query('commit');
    await client.end();
    // No property was loaded, so no list finding was found.
    const listed = before.filter(({ kind }) => kind === 'list').map(({ finding }) => finding);
    const left = (await harness.findings()).filter(
      ({ kind, deleted_at }) => kind === 'list' && deleted_at === null,
    );
    expect(listed.length).toBeGreaterThan(left.length);
    expect(left.map(({ finding }) => finding)).toContain('Kerberoasting');
    const run = await harness.database.db
      .selectFrom('finding_run')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(run.is_partial).toBe(true);
    expect(run.report).toMatchObject({ failed: [{ finding: 'Kerberoasting', error: 'Error: broken' }] });
  });
});

describe('acceptance', () => {
  const actor = testActor('ann');
  const accept = (id: number, until?: string, visible: readonly string[] | null = null) =>
    acceptFinding(harness.database.db, actor, { id, accepted: true, until, visible, reason: 'it goes away' });

  // In any order of the acceptance, one of both rows is not its first one.
  it.each([0, -1])('of many waits for a plan that wrote row %i, which would be a deadlock', async (held) => {
    await harness.build(...forest());
    const { db, pool, connection } = harness.database;
    const { rows } = await pool.query<{ id: number }>('select id from finding order by id');
    const ids = rows.map(({ id }) => id);
    // Writes like `notePlannedFindings`, in another order.
    const plan = new pg.Client({ ...connection, types: typeParsers });
    await plan.connect();
    await plan.query('begin');
    await plan.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.findings]);
    const write = (some: number[]) =>
      plan.query('update finding set plan_card = 1 where id = any ($1)', [some]);
    await write(ids.slice(held).slice(0, 1));
    const terms = { until: FOR_EVER, reason: 'it goes away' };
    const user = { userId: null, name: 'ann', environments: null } as never;
    const accepted = acceptFindings(db, actor, {
      ...{ ids, terms, visible: null, logged: () => ({}), stopAt: Date.now() + 60_000 },
      change: await beginBulkChange(db, 'AcceptFindings', user),
    });
    await vi.waitUntil(
      async () => (await plan.query('select from pg_locks where not granted')).rowCount === 1,
    );
    await write(ids);
    await plan.query('commit');
    await plan.end();
    expect(await accepted).toMatchObject({ findings: ids.length, changed: ids.length, remaining: 0 });
    const [first] = await harness.findings();
    expect(first).toMatchObject({ status: 'accepted' });
  });

  it('holds over analyses, until it is ended', async () => {
    await harness.build(...forest());
    const [finding] = await harness.ofType('T0WriteDACL');
    const accepted = await accept(finding.id);
    expect(accepted).toMatchObject({
      outcome: 'done',
      finding: {
        is_accepted: true,
        status: 'accepted',
        accepted_until: FOR_EVER,
        accepted_by: 'ann',
        accepted_reason: 'it goes away',
      },
    });
    await harness.rebuild();
    const kept = await findingById(harness.database.db, finding.id, null);
    expect(kept).toMatchObject({ is_accepted: true, created_at: finding.created_at });
    expect(kept!.updated_at > finding.updated_at).toBe(true);
    await acceptFinding(harness.database.db, actor, { id: finding.id, accepted: false, visible: null });
    const ended = await findingById(harness.database.db, finding.id, null);
    expect(ended).toMatchObject({
      is_accepted: false,
      status: 'active',
      accepted_until: null,
      accepted_reason: null,
      accepted_by: null,
    });
    expect(ended!.updated_at > kept!.updated_at).toBe(true);
    const audited = await harness.database.db
      .selectFrom('audit_log')
      .select(['action', 'fields'])
      .orderBy('id')
      .execute();
    expect(audited.slice(-2).map(({ action }) => action)).toEqual(['AcceptRisk', 'UnacceptRisk']);
    expect(audited.at(-2)?.fields).toMatchObject({ finding_id: finding.id, finding: 'T0WriteDACL' });
  });

  it('ends by itself, and with its finding', async () => {
    await harness.build(...forest({ bobOverAnn: ['WriteDacl', 'GenericAll'] }));
    const [finding] = await harness.ofType('T0WriteDACL');
    const [other] = await harness.ofType('T0GenericAll');
    await accept(other.id);
    await accept(finding.id, new Date(Date.now() + 300).toISOString());
    const read = () => findingById(harness.database.db, finding.id, null);
    await vi.waitUntil(async () => (await read())?.is_accepted === false, { timeout: 100_000 });
    // Readers do not wait for its end.
    expect(await read()).toMatchObject({
      is_accepted: false,
      status: 'accepted',
    });
    expect(await expireAcceptances(harness.database.db)).toBe(1);
    expect(await expireAcceptances(harness.database.db)).toBe(0);
    expect((await harness.ofType('T0WriteDACL'))[0]).toMatchObject({
      status: 'active',
      accepted_until: null,
    });
    await harness.build(...forest());
    expect((await harness.ofType('T0GenericAll'))[0]).toMatchObject({
      status: 'remediated',
      accepted_until: null,
    });
    expect(await accept(other.id)).toMatchObject({ outcome: 'archived' });
  });

  it('is refused for times past, types that differ and findings the caller may not see', async () => {
    await harness.build(...forest());
    const [finding] = await harness.ofType('T0WriteDACL');
    expect(await accept(finding.id, '2020-01-01T00:00:00.000000Z')).toEqual({ outcome: 'past' });
    expect(await accept(finding.id, undefined, ['S-OTHER'])).toEqual({ outcome: 'unknown' });
    expect(await accept(999_999)).toEqual({ outcome: 'unknown' });
    const request = { id: finding.id, accepted: true, finding: 'T0Owns', visible: null };
    expect(await acceptFinding(harness.database.db, actor, request)).toEqual({ outcome: 'unknown' });
    expect((await harness.ofType('T0WriteDACL'))[0]).toEqual(finding);
  });
});

describe('pages', () => {
  it('of one walk fit together while new runs are published', async () => {
    const rights = [
      'GenericAll',
      'GenericWrite',
      'WriteDacl',
      'WriteOwner',
      'AllExtendedRights',
      'ForceChangePassword',
    ];
    await harness.build(...forest({ bobOverAnn: rights }));
    const { db } = harness.database;
    const whole = await listFindings(db, { visible: null }, ALL);
    expect(whole.count).toBe(whole.rows.length);
    expect(whole.rows.map(({ id }) => id)).toEqual([...whole.rows.map(({ id }) => id)].sort((a, b) => a - b));
    const asOf = whole.rows
      .map(({ created_at }) => created_at)
      .sort()
      .at(-1)!;
    const walked: number[] = [];
    for (let skip = 0; ; skip += 2) {
      const page = await listFindings(db, { visible: null, asOf }, { ...NO_QUERY, skip, limit: 2 });
      expect(page.count).toBe(whole.count);
      if (page.rows.length === 0) break;
      walked.push(...page.rows.map(({ id }) => id));
      if (skip === 2) await harness.build(...forest({ bobOverAnn: ['WriteDacl', 'AddKeyCredentialLink'] }));
    }
    expect(walked).toEqual(whole.rows.map(({ id }) => id));
    expect((await listFindings(db, { visible: null }, ALL)).count).toBeLessThan(whole.count);
    expect((await listFindings(db, { visible: null, state: 'all' }, ALL)).count).toBeGreaterThan(whole.count);
  });

  it('are sorted and filtered by visible values', async () => {
    await harness.build(...forest({ bobOverAnn: ['WriteDacl', 'GenericAll'] }));
    const { db } = harness.database;
    const sort = { column: 'impact_percentage', type: 'number', descending: true } as const;
    const { rows } = await listFindings(db, { visible: null }, { ...ALL, sorts: [sort] });
    const shares = rows.map(({ impact_percentage }) => impact_percentage);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    const filter = { column: 'FromPrincipal', type: 'string', predicate: 'eq', value: BOB } as const;
    const ofBob = await listFindings(db, { visible: null }, { ...ALL, filters: [filter] });
    expect(ofBob.rows.map(({ finding }) => finding).sort()).toEqual(['T0GenericAll', 'T0WriteDACL']);
    expect((await listFindings(db, { visible: [] }, ALL)).count).toBe(0);
    const seen: number[] = [];
    for await (const batch of eachFinding(harness.database, { visible: null }, NO_QUERY))
      seen.push(...batch.map(({ id }) => id));
    expect(seen).toEqual((await listFindings(db, { visible: null }, ALL)).rows.map(({ id }) => id));
  });
});

describe('a type that an extension or a check declares', () => {
  const actor = testActor('ann');
  const LIVES = ['T0GenericAll', 'EX_Holders', 'Check_Holders'];
  const held = (...rights: readonly string[]) => forest({ bobOverAnn: ['WriteDacl', ...rights] });

  beforeEach(async () => {
    const { db, pool } = harness.database;
    await pool.query('delete from extension');
    const finding = { name: 'EX_Holders', environment_kind: 'Domain', relationship_kind: 'GenericAll' };
    const definition = {
      schema: { name: 'ex', display_name: 'Ex', version: 'v1.0.0', namespace: 'EX' },
      ...{ node_kinds: [], relationship_findings: [finding] },
    };
    const check = await readCheck({
      ...{ name: 'Check_Holders', title: 'Holders', severity: 'high' },
      cypher: 'MATCH (u:User)-[:GenericAll]->(:User) RETURN u',
    });
    if ('faults' in check) throw new Error(check.faults.texts().join());
    await db.transaction().execute(async (transaction) => {
      await installExtension(transaction, definition);
      await storeCheck(transaction, actor, check);
    });
  });
  afterAll(() => harness.database.pool.query('delete from extension; delete from custom_check'));

  it.each(LIVES)(
    '%s: findings keep their identity, go, and come back linked to the old one',
    async (type) => {
      await harness.build(...held('GenericAll'));
      const [first, ...others] = await harness.ofType(type);
      expect(others).toEqual([]);
      expect([first.status, [first.source_id, first.target_id].includes(BOB)]).toEqual(['active', true]);
      await harness.rebuild();
      expect(await harness.ofType(type)).toEqual([first]);
      await harness.build(...held());
      const [gone] = await harness.ofType(type);
      expect([gone.id, gone.status]).toEqual([first.id, 'remediated']);
      expect(gone.deleted_at).toMatch(SIX_DIGITS);
      expect(gone.updated_at).toBe(gone.deleted_at);
      expect(await availableTypes(harness.database.db, { visible: null })).not.toContain(type);
      await harness.build(...held('GenericAll'));
      const [old, again, ...more] = await harness.ofType(type);
      expect(more).toEqual([]);
      expect([old.id, again.status, again.previous_id]).toEqual([first.id, 'active', first.id]);
    },
  );

  it.each(LIVES)('%s: acceptance holds over analyses, and ends with its finding', async (type) => {
    await harness.build(...held('GenericAll'));
    const [{ id, created_at }] = await harness.ofType(type);
    await acceptFinding(harness.database.db, actor, { id, accepted: true, visible: null, reason: 'known' });
    await harness.rebuild();
    expect(await findingById(harness.database.db, id, null)).toMatchObject({
      ...{ is_accepted: true, status: 'accepted', accepted_by: 'ann', accepted_reason: 'known', created_at },
    });
    await harness.build(...held());
    expect((await harness.ofType(type))[0]).toMatchObject({ id, status: 'remediated' });
    await harness.build(...held('GenericAll'));
    expect((await harness.ofType(type))[1]).toMatchObject({ status: 'active', previous_id: id });
  });
});
