/** Findings of the public sample collection, from bytes to rows. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { findingTypeById, RELATIONSHIP_FINDINGS } from '@clew/analysis';
import { archiveFromFile } from '@clew/collections';
import { isMarked } from '@clew/generation';
import { objectIdOf } from '@clew/graph';
import { type EdgeKindName, edgeKindById } from '@clew/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestUpload, zipOf } from '../ingest/testing/uploads.ts';
import { availableTypes } from './findingQueries.ts';
import { FindingHarness, keyOf, type StoredFinding } from './testing/findingHarness.ts';

const SAMPLE = join(import.meta.dirname, '../../../../../shared/data/ad_sampledata.zip');

interface CollectedFile {
  readonly data: {
    readonly ObjectIdentifier: string;
    Aces?: { PrincipalSID: string; RightName: string }[];
  }[];
}

type SampleFiles = ReadonlyMap<string, CollectedFile>;

async function sampleFiles(): Promise<SampleFiles> {
  await using archive = await archiveFromFile(SAMPLE);
  const files = new Map<string, CollectedFile>();
  for (const { name, source } of archive.members) {
    const text = (await buffer(source!.open())).toString('utf8');
    files.set(name, JSON.parse(text.replace(/^\ufeff/, '')));
  }
  return files;
}

async function uploadOf(files: SampleFiles): Promise<TestUpload> {
  const members = [...files].map(([name, content]) => ({ name, content }));
  return { name: 'sample.zip', content: await zipOf(...members) };
}

/** The sample without one right in an access list. */
async function sampleWithout({ source_id, target_id, edge_kind }: StoredFinding): Promise<SampleFiles> {
  const files = await sampleFiles();
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

describe.skipIf(!existsSync(SAMPLE))('the sample collection', () => {
  let harness: FindingHarness;

  beforeAll(async () => {
    harness = await FindingHarness.start();
  });
  afterAll(() => harness.close());
  beforeEach(() => harness.empty());

  it('has findings in each of its three domains, and the same ones when it comes again', async () => {
    const upload = await uploadOf(await sampleFiles());
    const generation = await harness.build(upload);
    const first = await harness.findings();
    const collected = generation.environments.filter((environment) => environment.collected);
    expect(collected.map(({ name }) => name).sort()).toEqual(['GHOST.CORP', 'PHANTOM.CORP', 'WRAITH.CORP']);
    for (const { id, name } of collected) {
      const scope = { visible: null, environments: [id], tags: [0, 1] };
      expect([name, (await availableTypes(harness.database.db, scope)).length > 5]).toEqual([name, true]);
    }
    expect(new Set(first.map(({ created_at }) => created_at)).size).toBe(1);
    for (const { exposure_percentage, impact_percentage } of first) {
      expect(Math.min(exposure_percentage, impact_percentage)).toBeGreaterThanOrEqual(0);
      expect(Math.max(exposure_percentage, impact_percentage)).toBeLessThanOrEqual(1);
    }
    await harness.database.pool.query('update facts_state set version = version + 1');
    const again = await harness.build(upload);
    expect(again.id).toBeGreaterThan(generation.id);
    expect(await harness.findings()).toEqual(first);
  }, 60_000);

  it('loses with one right exactly the findings that depended on it', async () => {
    await harness.build(await uploadOf(await sampleFiles()));
    const before = await harness.findings();
    const chosen = before.find(({ finding, is_inherited }) => finding === 'T0GenericAll' && !is_inherited)!;
    const changed = await sampleWithout(chosen);
    await harness.build(await uploadOf(changed));
    const after = await harness.findings();
    const current = after.filter(({ deleted_at }) => deleted_at === null);
    const archived = after.filter(({ deleted_at }) => deleted_at !== null);
    // What is left keeps its number and its age, and nothing came.
    const ages = new Map(before.map((one) => [one.id, one.created_at]));
    expect(after.map(({ id, created_at }) => [id, created_at])).toEqual([...ages]);
    expect(archived.map(keyOf)).toContain(keyOf(chosen));
    for (const { status } of archived) expect(status).toBe('remediated');
    // The same findings as if the right had never been there.
    await harness.empty();
    await harness.build(await uploadOf(changed));
    const fresh = await harness.findings();
    expect(current.map(keyOf).sort()).toEqual(fresh.map(keyOf).sort());
    const figures = (all: readonly StoredFinding[]) =>
      Object.fromEntries(
        all.map((one) => [keyOf(one), [one.exposure_count, one.impact_count, one.severity]]),
      );
    expect(figures(current)).toEqual(figures(fresh));
  }, 60_000);

  it('comes to the same, in the same order, in whatever order the files come', async () => {
    const files = await sampleFiles();
    await harness.build(await uploadOf(files));
    const figures = async () =>
      (await harness.findings()).map((one) => [
        keyOf(one),
        ...[one.exposure_count, one.exposure_percentage, one.impact_count, one.impact_percentage],
        ...[one.severity, one.also_from.join()],
      ]);
    const first = await figures();
    expect(first.length).toBeGreaterThan(100);
    await harness.empty();
    await harness.build(await uploadOf(new Map([...files].reverse())));
    expect(await figures()).toEqual(first);
  }, 60_000);

  it('has a finding for each edge that leads into Tier Zero', async () => {
    const { graph, marks } = await harness.build(await uploadOf(await sampleFiles()));
    const isInside = (node: number) => isMarked(marks, 'tierZero', node);
    const types = RELATIONSHIP_FINDINGS.filter(({ boundary }) => boundary === 'crossing');
    const expected = new Set<string>();
    const others = new Set<string>();
    const { offsets, neighbours, kinds } = graph.out;
    for (let source = 0; source < graph.nodeCount; source++) {
      for (let edge = offsets[source]; edge < offsets[source + 1]; edge++) {
        const [target, kind] = [neighbours[edge], edgeKindById(kinds[edge])!];
        if (isInside(source) || !isInside(target) || !kind.traversable) continue;
        const type = types.find(({ edges }) => edges.includes(kind.name as EdgeKindName));
        if (type === undefined) others.add(kind.name);
        else expected.add(`${type.id}: ${objectIdOf(graph, source)} -> ${objectIdOf(graph, target)}`);
      }
    }
    const found = (await harness.findings()).filter(
      ({ kind, tag_id }) => kind === 'relationship' && tag_id === 1,
    );
    const told = found.flatMap(({ finding, source_id, also_from, target_id }) =>
      [source_id, ...also_from].map((source) => `${finding}: ${source} -> ${target_id}`),
    );
    expect(told.sort()).toEqual([...expected].sort());
    // Containers of objects that inherit nothing from them: a finding only where a zone asks for certification.
    expect([...others]).toEqual(['Contains']);
  }, 60_000);

  it('ranks ways in above missing safeguards', async () => {
    await harness.build(await uploadOf(await sampleFiles()));
    const urgency = ({ severity, exposure_percentage, impact_percentage, id }: StoredFinding) =>
      [-severity, -exposure_percentage, -impact_percentage, id] as const;
    const ranked = (await harness.findings()).sort((a, b) => {
      const [first, second] = [urgency(a), urgency(b)];
      const at = first.findIndex((value, place) => value !== second[place]);
      return at < 0 ? 0 : first[at] - second[at];
    });
    const lists = ranked.map(({ finding }) => findingTypeById(finding)!);
    expect(new Set(lists.slice(0, 5).map(({ kind }) => kind))).toEqual(new Set(['relationship']));
    const safeguards = lists.flatMap((type, at) =>
      type.kind === 'list' && type.nature === 'safeguard' ? [at] : [],
    );
    expect(safeguards.length).toBeGreaterThan(100);
    for (const at of safeguards) expect(ranked[at].severity).toBeLessThanOrEqual(2);
    // Half of them and more are safeguards; none is among the first thirty.
    expect(Math.min(...safeguards)).toBeGreaterThanOrEqual(30);
  }, 60_000);
});
