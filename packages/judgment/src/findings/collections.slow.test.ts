/** Findings of whole collections, from bytes to rows. */
import { builtInTypeById, RELATIONSHIP_FINDINGS } from '@clew/analysis';
import { type Generation, isMarked } from '@clew/generation';
import { objectIdOf } from '@clew/graph';
import {
  archiveOf,
  type CollectedFiles,
  SAMPLE_COLLECTION,
  TEST_COLLECTIONS,
  type TestUpload,
} from '@clew/intake/testing';
import { type EdgeKindName, edgeKindById } from '@clew/model';
import { FindingHarness, keyOf, type StoredFinding } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableTypes } from './findingQueries.ts';

/** Relationship findings about these depend on the forest that they cross, not on the zone. */
const TRUSTS = new Set(['SpoofSIDHistory', 'AbuseTGTDelegation', 'SameForestTrust', 'HasTrustKeys']);

/** Removes one right from an access list. */
function takeAway(files: CollectedFiles, { source_id, target_id, edge_kind }: StoredFinding): CollectedFiles {
  let removed = 0;
  for (const { data } of files.values()) {
    for (const object of data) {
      if (object.ObjectIdentifier !== target_id || object.Aces === undefined) continue;
      const kept = object.Aces.filter(
        ({ PrincipalSID, RightName }) =>
          PrincipalSID !== source_id || RightName !== edgeKindById(edge_kind!)?.name,
      );
      removed += object.Aces.length - kept.length;
      object.Aces = kept;
    }
  }
  expect(removed).toBeGreaterThan(0);
  return files;
}

describe.each(TEST_COLLECTIONS)('$name', ({ name, domains, files: read }) => {
  let harness: FindingHarness;
  /** Uploaded once: the later tests change the store. */
  let whole: TestUpload;
  let generation: Generation;
  let first: readonly StoredFinding[];

  beforeAll(async () => {
    harness = await FindingHarness.start();
    whole = await archiveOf(await read());
    generation = await harness.build(whole);
    first = await harness.findings();
  });
  afterAll(() => harness.close());

  it('begins the history of zones with each member that the system certified', async () => {
    const { rows } = await harness.database.pool.query(`
      select (select count(*)::integer from asset_group_history where action = 'CertifyNodeAuto' and actor = 'SYSTEM') as told,
             (select count(*)::integer from zone_member where tagged and certified = 3) as certified`);
    const [{ told, certified }] = rows;
    expect([told > 10, told]).toEqual([true, certified]);
    // The number of findings on the public server.
    if (name === SAMPLE_COLLECTION.name) expect(told).toBe(195);
  });

  it('has a finding for each edge that leads into Tier Zero', () => {
    const { graph, marks } = generation;
    const isInside = (node: number) => isMarked(marks, 'tierZero', node);
    const types = RELATIONSHIP_FINDINGS.filter(({ boundary }) => boundary === 'crossing');
    const expected = new Set<string>();
    const others = new Set<string>();
    const { offsets, neighbors, kinds } = graph.out;
    const hosts = new Map<string, string[]>();
    for (let host = 0; host < graph.nodeCount; host++) {
      for (let edge = offsets[host]; edge < offsets[host + 1]; edge++) {
        if (edgeKindById(kinds[edge])?.name !== 'HostsCAService') continue;
        const authority = objectIdOf(graph, neighbors[edge]);
        hosts.set(authority, [...(hosts.get(authority) ?? []), objectIdOf(graph, host)]);
      }
    }
    for (let source = 0; source < graph.nodeCount; source++) {
      for (let edge = offsets[source]; edge < offsets[source + 1]; edge++) {
        const [target, kind] = [neighbors[edge], edgeKindById(kinds[edge])!];
        if (isInside(source) || !isInside(target) || !kind.traversable) continue;
        const type = types.find(({ edges }) => edges.includes(kind.name as EdgeKindName));
        const [from, to] = [objectIdOf(graph, source), objectIdOf(graph, target)];
        // Defaults of an installation: a computer's own administrator, and its own Administrators group over the CA that it hosts.
        if (kind.name === 'AdminTo' && from === `${to}-500`) continue;
        if (hosts.get(to)?.some((host) => from === `${host}-544`)) continue;
        if (type === undefined) others.add(kind.name);
        else expected.add(`${type.id}: ${from} -> ${to}`);
      }
    }
    const found = first.filter(
      ({ finding, tag_id }) => tag_id === 1 && types.some(({ id }) => id === finding),
    );
    const reported = found.flatMap(({ finding, source_id, also_from, target_id }) =>
      [source_id, ...also_from].map((source) => `${finding}: ${source} -> ${target_id}`),
    );
    expect(reported.sort()).toEqual([...expected].sort());
    // Containers of objects that do not inherit from them: a finding only if a zone requires certification. Trusts connect Tier Zero
    // objects, and depend on the forest that they cross.
    expect(
      [...others].filter((kind) => kind !== 'Contains' && kind !== 'GPLink' && !TRUSTS.has(kind)),
    ).toEqual([]);
  });

  it('ranks ways in above missing safeguards', () => {
    const urgency = ({ severity, exposure_percentage, impact_percentage, id }: StoredFinding) =>
      [-severity, -exposure_percentage, -impact_percentage, id] as const;
    const ranked = first.toSorted((a, b) => {
      const [first, second] = [urgency(a), urgency(b)];
      const at = first.findIndex((value, place) => value !== second[place]);
      return at < 0 ? 0 : first[at] - second[at];
    });
    const lists = ranked.map(({ finding }) => builtInTypeById(finding)!);
    const safeguards = lists.flatMap((type, at) =>
      type.kind === 'list' && type.nature === 'safeguard' ? [at] : [],
    );
    expect(safeguards.length).toBeGreaterThan(ranked.length / 4);
    for (const at of safeguards) expect(ranked[at].severity).toBeLessThanOrEqual(2);
    // In the sample nearly every principal reaches Tier Zero, so many openings are critical.
    const least = name === SAMPLE_COLLECTION.name ? 30 : 1;
    expect(Math.min(...safeguards)).toBeGreaterThanOrEqual(least);
  });

  it('has findings in each of its three domains, and the same ones when it comes again', async () => {
    const collected = generation.environments.filter((environment) => environment.collected);
    expect(collected.map(({ name }) => name).sort()).toEqual(domains);
    for (const { id, name } of collected) {
      const scope = { visible: null, environments: [id], zones: [0, 1] };
      expect([name, (await availableTypes(harness.database.db, scope)).length > 5]).toEqual([name, true]);
    }
    expect(new Set(first.map(({ created_at }) => created_at)).size).toBe(1);
    for (const { exposure_percentage, impact_percentage } of first) {
      expect(Math.min(exposure_percentage, impact_percentage)).toBeGreaterThanOrEqual(0);
      expect(Math.max(exposure_percentage, impact_percentage)).toBeLessThanOrEqual(1);
    }
    await harness.database.pool.query('update facts_state set version = version + 1');
    const again = await harness.build(whole);
    expect(again.id).toBeGreaterThan(generation.id);
    expect(await harness.findings()).toEqual(first);
  });

  it('loses with one right exactly the findings that depended on it', async () => {
    const chosen = first.find(
      ({ finding, is_inherited }) =>
        /^T0(GenericAll|WriteDACL|ForceChangePassword|AddMember)$/.test(finding) && !is_inherited,
    )!;
    const changed = takeAway(await read(), chosen);
    await harness.build(await archiveOf(changed));
    const after = await harness.findings();
    const current = after.filter(({ deleted_at }) => deleted_at === null);
    const archived = after.filter(({ deleted_at }) => deleted_at !== null);
    // The remaining ones keep their number and age, and none is new.
    const ages = new Map(first.map((one) => [one.id, one.created_at]));
    expect(after.map(({ id, created_at }) => [id, created_at])).toEqual([...ages]);
    expect(archived.map(keyOf)).toContain(keyOf(chosen));
    for (const { status } of archived) expect(status).toBe('remediated');
    // The same findings as if the right had never existed.
    await harness.empty();
    await harness.build(await archiveOf(changed));
    const fresh = await harness.findings();
    expect(current.map(keyOf).sort()).toEqual(fresh.map(keyOf).sort());
    const figures = (all: readonly StoredFinding[]) =>
      Object.fromEntries(
        all.map((one) => [keyOf(one), [one.exposure_count, one.impact_count, one.severity]]),
      );
    expect(figures(current)).toEqual(figures(fresh));
  });

  it('gives the same result in the same order, whatever the order of the files', async () => {
    const figures = (all: readonly StoredFinding[]) =>
      all.map((one) => [
        keyOf(one),
        ...[one.exposure_count, one.exposure_percentage, one.impact_count, one.impact_percentage],
        ...[one.severity, one.also_from.join()],
      ]);
    expect(first.length).toBeGreaterThan(100);
    await harness.empty();
    await harness.build(await archiveOf(new Map([...(await read())].reverse())));
    expect(figures(await harness.findings())).toEqual(figures(first));
  });
});
