import type { ObjectFacts } from '@clew/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { readAll, SAMPLE_FILE } from '../../test/index.ts';
import { archiveFromFile } from '../archive/archive.ts';

/** Distinct edges by kind: `docs/reference/collections.md#sample`. */
const EDGES = {
  AddAllowedToAct: 1,
  AddKeyCredentialLink: 180,
  AddMember: 93,
  AddSelf: 1,
  AllExtendedRights: 187,
  AllowedToAct: 1,
  AllowedToDelegate: 1,
  CoerceToTGT: 1,
  Contains: 1416,
  CrossForestTrust: 3,
  DCFor: 3,
  DelegatedEnrollmentAgent: 105,
  DumpSMSAPassword: 1,
  Enroll: 303,
  ForceChangePassword: 52,
  GenericAll: 3292,
  GenericWrite: 579,
  GetChanges: 11,
  GetChangesAll: 8,
  GetChangesInFilteredSet: 6,
  GPLink: 27,
  HasSession: 29,
  HostsCAService: 4,
  LocalToComputer: 29,
  ManageCA: 15,
  ManageCertificates: 11,
  MemberOf: 292,
  MemberOfLocalGroup: 52,
  NTAuthStoreFor: 2,
  OwnsRaw: 1439,
  PublishedTo: 86,
  ReadGMSAPassword: 7,
  ReadLAPSPassword: 1,
  RemoteInteractiveLogonRight: 6,
  RootCAFor: 5,
  SameForestTrust: 4,
  WriteAccountRestrictions: 5,
  WriteDacl: 2221,
  WriteOwnerRaw: 2187,
  WritePKIEnrollmentFlag: 2,
  WritePKINameFlag: 2,
};

/** Nodes by their kinds other than `Base`. */
const NODES = {
  Container: 939,
  Group: 202,
  'ADLocalGroup+Group': 17,
  CertTemplate: 106,
  User: 99,
  Computer: 34,
  GPO: 32,
  OU: 20,
  '': 8,
  ADLocalGroup: 16,
  AIACA: 6,
  Domain: 5,
  RootCA: 5,
  EnterpriseCA: 4,
  NTAuthStore: 2,
};

describe('the sample collection', () => {
  const nodes = new Map<string, Set<string>>();
  const edges = new Map<string, Set<string>>();
  const objects: ObjectFacts[] = [];
  const outcome = { files: 0, faults: 0, issues: 0 };
  const mention = (id: string, kinds: readonly string[]): void => {
    nodes.set(id, new Set([...(nodes.get(id) ?? []), ...kinds]));
  };

  beforeAll(async () => {
    await using archive = await archiveFromFile(SAMPLE_FILE);
    for (const { source } of archive.members) {
      const { objects: read, report } = await readAll(source as never);
      objects.push(...read);
      outcome.files++;
      outcome.faults += report.fault === undefined ? 0 : 1;
      outcome.issues += report.issues.length;
    }
    for (const { nodes: described, edgeSets } of objects) {
      for (const { objectId, kinds } of described) mention(objectId, kinds);
      for (const { startId, startKind, kind, endId, endKind } of edgeSets.flatMap((set) => set.edges)) {
        mention(startId, ['Base', startKind]);
        mention(endId, ['Base', endKind]);
        edges.set(kind, (edges.get(kind) ?? new Set()).add(`${startId} ${endId}`));
      }
    }
  });

  it('is read completely', () => {
    expect(outcome).toEqual({ files: 31, faults: 0, issues: 0 });
    expect(objects).toHaveLength(1718);
    const described = objects.flatMap((object) => object.nodes.filter((node) => node.described));
    expect(new Set(described.map(({ objectId }) => objectId)).size).toBe(1469);
  });

  it('has the nodes of the reference', () => {
    const counts: Record<string, number> = {};
    for (const kinds of nodes.values()) {
      const name = [...kinds]
        .filter((kind) => kind !== 'Base')
        .sort()
        .join('+');
      counts[name] = (counts[name] ?? 0) + 1;
    }
    expect(nodes.size).toBe(1495);
    expect(counts).toEqual(NODES);
  });

  it('has the edges of the reference', () => {
    const counts = Object.fromEntries([...edges].map(([kind, ends]) => [kind, ends.size]));
    expect(counts).toEqual(EDGES);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(12_670);
  });

  it('finds the edges that the reference names', () => {
    const P = 'S-1-5-21-2697957641-2271029196-387917394';
    const G = 'S-1-5-21-2845847946-3451170323-4261139666';
    const W = 'S-1-5-21-3702535222-3822678775-2090119576';
    const named: [string, string, string][] = [
      ['DCFor', `${P}-1000`, P],
      ['DCFor', `${G}-1000`, G],
      ['DCFor', `${W}-1000`, W],
      ['SameForestTrust', P, G],
      ['SameForestTrust', G, P],
      ['CrossForestTrust', P, W],
      ['CrossForestTrust', W, P],
      ['CoerceToTGT', `${W}-11203`, W],
      ['AllowedToDelegate', `${P}-2171`, `${P}-1000`],
      ['AllowedToAct', `${W}-1169`, `${W}-1120`],
      ['DumpSMSAPassword', `${P}-1000`, `${P}-2159`],
      ['RemoteInteractiveLogonRight', 'PHANTOM.CORP-S-1-5-32-544', `${P}-1000`],
      ['RemoteInteractiveLogonRight', `${W}-11203-555`, `${W}-11203`],
    ];
    for (const [kind, start, end] of named)
      expect(edges.get(kind), `${start} -${kind}-> ${end}`).toContain(`${start} ${end}`);
  });

  it('names the domains that only other domains name', () => {
    const names = new Map(
      objects.flatMap((object) => object.nodes.map((node) => [node.objectId, node.properties.name])),
    );
    expect(names.get('S-1-5-21-1852147331-818484528-1557274963')).toBe('REVENANT.CORP');
    expect(names.get('S-1-5-21-720005541-26010935-3948964793')).toBe('CHILD.WRAITH.CORP');
  });
});
