/**
 * Groups that Windows creates without a directory object, and their memberships. They are added to the facts before the graph is built (its
 * nodes are fixed afterward), so every rule finds Authenticated Users of a collected domain and Domain Users in it.
 *
 * Rule: `docs/rules.md#well-known-groups`.
 */
import { type EdgeFact, EdgeFlag, type EdgeKindName, type NodeFact } from '@clew/model';

/** A domain with `collected` true. */
export interface CollectedDomain {
  /** Object id of the domain, its SID. */
  readonly sid: string;
  /** DNS name; if missing, the ids of its special groups are unknown. */
  readonly name: string | undefined;
}

/** The known facts of an object. */
export interface KnownObject {
  readonly kinds: readonly string[];
  readonly enabled?: boolean;
}

export interface WellKnownFacts {
  readonly nodes: readonly NodeFact[];
  readonly edges: readonly EdgeFact[];
  readonly warnings: readonly string[];
}

/** Groups with a separate id in each domain: suffix of the object id, name before the `@`. */
const GROUPS = {
  everyone: ['-S-1-1-0', 'EVERYONE'],
  authenticatedUsers: ['-S-1-5-11', 'AUTHENTICATED USERS'],
  domainUsers: ['-513', 'DOMAIN USERS'],
  domainComputers: ['-515', 'DOMAIN COMPUTERS'],
} as const;

/** Identities that everybody may claim, depending on the logon type. */
const CLAIMED = [
  ['-S-1-5-2', 'NETWORK'],
  ['-S-1-5-15', 'THIS ORGANIZATION'],
  ['-S-1-5-65-1', 'THIS ORGANIZATION CERTIFICATE'],
  ['-S-1-18-1', 'AUTHENTICATION AUTHORITY ASSERTED IDENTITY'],
  ['-S-1-18-4', 'KEY TRUST'],
  ['-S-1-18-5', 'MFA KEY PROPERTY'],
  ['-S-1-5-64-10', 'NTLM AUTHENTICATION'],
  ['-S-1-5-64-14', 'SCHANNEL AUTHENTICATION'],
] as const;

/** Ids of the last two in some versions of the public product; never created, but linked if they exist. */
const OLDER_IDS = ['-S-1-64-10', '-S-1-64-14'] as const;

const GUEST = '-501';

/** @returns object ids that `wellKnownFacts` needs, for one combined lookup */
export function wellKnownIds(domains: readonly CollectedDomain[]): string[] {
  return domains.flatMap((domain) => {
    if (domain.name === undefined) return [];
    const groups = [...Object.values(GROUPS), ...CLAIMED];
    const suffixes = [...groups.map(([suffix]) => suffix), ...OLDER_IDS, GUEST];
    return suffixes.map((suffix) => idOf(domain, suffix));
  });
}

const SUFFIXES: readonly string[] = [
  ...[...Object.values(GROUPS), ...CLAIMED].map(([suffix]) => suffix),
  ...OLDER_IDS,
  GUEST,
];

/** @returns false only for ids that `wellKnownIds` never returns */
export function mayBeWellKnown(objectId: string): boolean {
  return SUFFIXES.some((suffix) => objectId.endsWith(suffix));
}

/**
 * @param known facts of an object id of `wellKnownIds`; `undefined` if the object does not exist
 * @returns groups that are missing or not marked as groups, and all memberships and claims of well-known groups
 */
export function wellKnownFacts(
  domains: readonly CollectedDomain[],
  known: (objectId: string) => KnownObject | undefined,
): WellKnownFacts {
  /** Keyed by object id: domains with the same name share special groups, as collectors name them. */
  const nodes = new Map<string, NodeFact>();
  const edges: EdgeFact[] = [];
  const warnings: string[] = [];
  const named = new Map<string, CollectedDomain>();
  for (const domain of domains) {
    if (domain.name === undefined) {
      warnings.push(`the collected domain ${domain.sid} has no name: its well-known groups are not linked`);
      continue;
    }
    const name = domain.name.toUpperCase();
    const other = named.get(name);
    if (other === undefined) named.set(name, domain);
    else
      warnings.push(
        `the collected domains ${other.sid} and ${domain.sid} have the same name, ${name}: they share special groups`,
      );
    const group = ([suffix, title]: readonly [string, string]): string => {
      const objectId = idOf(domain, suffix);
      const object = known(objectId);
      const node = object === undefined ? newGroup(domain, objectId, title) : groupKind(objectId);
      if (object?.kinds.includes('Group') !== true && !nodes.has(objectId)) nodes.set(objectId, node);
      return objectId;
    };
    const everyone = group(GROUPS.everyone);
    const authenticatedUsers = group(GROUPS.authenticatedUsers);
    edges.push(
      link(group(GROUPS.domainUsers), 'MemberOf', authenticatedUsers),
      link(group(GROUPS.domainComputers), 'MemberOf', authenticatedUsers),
      link(authenticatedUsers, 'MemberOf', everyone),
      ...CLAIMED.map((claimed) => link(everyone, 'ClaimSpecialIdentity', group(claimed))),
      ...OLDER_IDS.map((suffix) => idOf(domain, suffix))
        .filter((objectId) => known(objectId) !== undefined)
        .map((objectId) => link(everyone, 'ClaimSpecialIdentity', objectId)),
      ...guestLinks(idOf(domain, GUEST), everyone, known),
    );
  }
  return { nodes: [...nodes.values()], edges, warnings };
}

/** The Guest account is never invented; everybody can log on as Guest only while it is enabled. */
function guestLinks(
  guestId: string,
  everyone: string,
  known: (objectId: string) => KnownObject | undefined,
): EdgeFact[] {
  const guest = known(guestId);
  if (guest === undefined) return [];
  const member = { ...link(guestId, 'MemberOf', everyone), startKind: 'User' };
  if (guest.enabled !== true) return [member];
  return [member, { ...link(everyone, 'ClaimSpecialIdentity', guestId), endKind: 'User' }];
}

/** Suffixes that contain a SID follow the domain's DNS name, relative ids follow its SID. */
function idOf(domain: CollectedDomain, suffix: string): string {
  return `${suffix.startsWith('-S-') ? domain.name?.toUpperCase() : domain.sid}${suffix}`;
}

function newGroup(domain: CollectedDomain, objectId: string, name: string): NodeFact {
  const fqdn = domain.name?.toUpperCase() ?? '';
  return {
    objectId,
    kinds: ['Base', 'Group'],
    properties: { objectid: objectId, name: `${name}@${fqdn}`, domainsid: domain.sid, domain: fqdn },
    described: false,
  };
}

function groupKind(objectId: string): NodeFact {
  return { objectId, kinds: ['Base', 'Group'], properties: {}, described: false };
}

function link(startId: string, kind: EdgeKindName, endId: string): EdgeFact {
  return { startId, startKind: 'Group', kind, endId, endKind: 'Group', flags: EdgeFlag.Derived };
}
