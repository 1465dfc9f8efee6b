/**
 * The edges that a collected object describes, derived in the slow and obvious way, directly from the description of the format
 * (`docs/reference/collections.md#objects` and `docs/reference/collections.md#users`). An oracle for tests of readers, stores and graphs;
 * it supports the generator's output, not every file.
 */
import { edgeKindByName } from '@clew/model';
import type { CollectedObject, CollectionType } from '../src/index.ts';

export { HOSTILE_MARKDOWN } from './hostileMarkdown.ts';

export { growthByEight, LINEAR_BY_EIGHT, timed, workedMs } from './timeGrowth.ts';

/** `start|kind|end`. */
export type EdgeText = string;

interface Reference {
  readonly ObjectIdentifier: string | null;
  readonly ObjectType: string;
}

const CLASS_OF: Readonly<Record<CollectionType, string>> = {
  ...{ domains: 'Domain', containers: 'Container', ous: 'OU', gpos: 'GPO', groups: 'Group', users: 'User' },
  ...{ computers: 'Computer', rootcas: 'RootCA', aiacas: 'AIACA', ntauthstores: 'NTAuthStore' },
  ...{ enterprisecas: 'EnterpriseCA', certtemplates: 'CertTemplate', issuancepolicies: 'IssuancePolicy' },
};

export const classOf = (type: CollectionType): string => CLASS_OF[type];

// biome-ignore lint/suspicious/noExplicitAny: the oracle reads loosely typed JSON, as it came from a file.
type Json = any;

/** @returns every edge of the object, including repetitions */
export function edgesOf(type: CollectionType, object: CollectedObject): EdgeText[] {
  const record = object as Json;
  const id: string = record.ObjectIdentifier;
  const edges: EdgeText[] = [];
  const add = (start: string | null | undefined, kind: string, end: string | null | undefined): void => {
    if (start && end) edges.push(`${start.toUpperCase()}|${kind}|${end.toUpperCase()}`);
  };
  const idsOf = (references: readonly Reference[] | undefined): (string | null)[] =>
    (references ?? []).map((reference) => reference.ObjectIdentifier);

  if (type !== 'domains' && type !== 'gpos') add(record.ContainedBy?.ObjectIdentifier, 'Contains', id);
  add(id, 'MemberOf', record.PrimaryGroupSID);
  for (const member of idsOf(record.Members)) add(member, 'MemberOf', id);
  for (const target of idsOf(record.AllowedToDelegate)) add(id, 'AllowedToDelegate', target);
  for (const actor of idsOf(record.AllowedToAct)) add(actor, 'AllowedToAct', id);
  for (const origin of idsOf(record.HasSIDHistory)) add(id, 'HasSIDHistory', origin);
  for (const target of record.SPNTargets ?? []) add(id, target.Service, target.ComputerSID);
  for (const link of record.Links ?? []) add(link.GUID, 'GPLink', id);
  if (record.IsDC) add(id, 'DCFor', record.DomainSID);
  else if (record.Properties.unconstraineddelegation) add(id, 'CoerceToTGT', record.Properties.domainsid);

  for (const source of [record.Sessions, record.PrivilegedSessions, record.RegistrySessions]) {
    if (source?.Collected) for (const one of source.Results) add(one.ComputerSID, 'HasSession', one.UserSID);
  }
  for (const local of record.LocalGroups ?? []) {
    if (!local.Collected || local.Results.length === 0) continue;
    add(local.ObjectIdentifier, 'LocalToComputer', id);
    for (const member of idsOf(local.Results)) add(member, 'MemberOfLocalGroup', local.ObjectIdentifier);
  }
  for (const right of record.UserRights ?? []) {
    for (const holder of idsOf(right.Results)) add(holder, 'RemoteInteractiveLogonRight', id);
  }
  for (const machine of idsOf(record.GPOChanges?.AffectedComputers)) {
    for (const [list, rid] of POLICY_LISTS) {
      const members = idsOf(record.GPOChanges[list]);
      if (members.length > 0) add(`${machine}-${rid}`, 'LocalToComputer', machine);
      for (const member of members) add(member, 'MemberOfLocalGroup', `${machine}-${rid}`);
    }
  }
  if (type === 'domains') trustEdges(record, add);
  if (type === 'rootcas') add(id, 'RootCAFor', record.DomainSID);
  if (type === 'ntauthstores') add(id, 'NTAuthStoreFor', record.DomainSID);
  if (type === 'issuancepolicies') add(id, 'OIDGroupLink', record.GroupLink.ObjectIdentifier);
  if (type === 'enterprisecas') authorityEdges(record, add);
  accessEdges(type, record, add);
  return edges;
}

const POLICY_LISTS = [
  ['LocalAdmins', 544],
  ['RemoteDesktopUsers', 555],
  ['DcomUsers', 562],
  ['PSRemoteUsers', 580],
] as const;

type Add = (start: string | null | undefined, kind: string, end: string | null | undefined) => void;

function trustEdges(record: Json, add: Add): void {
  for (const trust of record.Trusts) {
    const [here, there] = [record.ObjectIdentifier, trust.TargetDomainSid];
    const within = ['ParentChild', 'TreeRoot', 'CrossLink'].includes(trust.TrustType);
    const kind = within ? 'SameForestTrust' : 'CrossForestTrust';
    if (['Inbound', 'Bidirectional'].includes(trust.TrustDirection)) {
      add(there, kind, here);
      if (!within && trust.TGTDelegationEnabled) add(there, 'AbuseTGTDelegation', here);
    }
    if (['Outbound', 'Bidirectional'].includes(trust.TrustDirection)) {
      add(here, kind, there);
      if (!within && !trust.SidFilteringEnabled) add(there, 'SpoofSIDHistory', here);
    }
  }
}

function authorityEdges(record: Json, add: Add): void {
  const id = record.ObjectIdentifier;
  add(record.HostingComputer, 'HostsCAService', id);
  for (const template of record.EnabledCertTemplates) add(template.ObjectIdentifier, 'PublishedTo', id);
  for (const restriction of record.CARegistryData.EnrollmentAgentRestrictions.Restrictions) {
    add(
      restriction.Agent.ObjectIdentifier,
      'DelegatedEnrollmentAgent',
      restriction.Template.ObjectIdentifier,
    );
  }
}

/** For the three rights of an authority, the list of the registry replaces that of the directory, except for its host. */
function accessList(type: CollectionType, record: Json): Json[] {
  if (type !== 'enterprisecas' || !record.CARegistryData.CASecurity.Collected) return record.Aces;
  const ofAuthority = ['ManageCA', 'ManageCertificates', 'Enroll'];
  return [
    ...record.CARegistryData.CASecurity.Data.filter((entry: Json) => entry.RightName !== 'Owns'),
    ...record.Aces.filter(
      (entry: Json) =>
        entry.PrincipalSID === record.HostingComputer || !ofAuthority.includes(entry.RightName),
    ),
  ];
}

function accessEdges(type: CollectionType, record: Json, add: Add): void {
  const id = record.ObjectIdentifier;
  const entries = accessList(type, record).filter((entry) => entry.PrincipalSID !== id);
  const ownerRights = entries.filter(
    (entry) => entry.PrincipalSID.endsWith('S-1-3-4') && !['Owns', 'WriteOwner'].includes(entry.RightName),
  );
  const owner = entries.findLast((entry) => entry.RightName === 'Owns')?.PrincipalSID;
  add(owner, ownerRights.length > 0 ? 'OwnsLimitedRights' : 'OwnsRaw', id);
  for (const entry of entries) {
    if (entry.RightName === 'Owns' || ownerRights.includes(entry)) continue;
    if (edgeKindByName(entry.RightName) === undefined) throw new Error(`unknown right ${entry.RightName}`);
    const inheritedOwnerRights = ownerRights.some((right) => right.IsInherited);
    const raw = inheritedOwnerRights ? 'WriteOwnerLimitedRights' : 'WriteOwnerRaw';
    add(entry.PrincipalSID, entry.RightName === 'WriteOwner' ? raw : entry.RightName, id);
  }
}
