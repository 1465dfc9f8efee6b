/**
 * Access lists: convert entries of a security descriptor to edges from the principal to the object with the list.
 *
 * Rules: `docs/reference/collections.md#access-lists` (rights) and `docs/reference/collections.md#ownership`.
 */
import { EDGE_KINDS, type EdgeFact, EdgeFlag, type EdgeKindName } from '@clew/model';
import { member } from '../json/member.ts';
import { isObject, type Json } from '../json/value.ts';
import type { DirectoryObject } from './directoryObject.ts';
import { edge } from './edges.ts';
import { Method } from './methods.ts';
import { idFault, type Principal } from './principal.ts';

/** The relevant parts of an entry. */
export interface AccessEntry {
  readonly principal: Principal;
  readonly right: string;
  readonly isInherited: boolean;
  /** Empty if the collector does not write it. */
  readonly inheritanceHash: string;
}

/** Entries for OWNER RIGHTS limit the rights of the object's owner and grant nothing to others. */
const OWNER_RIGHTS = 'S-1-3-4';

const ACL_KINDS = EDGE_KINDS.filter(({ acl, platform }) => acl && platform === 'ad');

/** Rights that become an edge of the same name. */
const RIGHTS: ReadonlyMap<string, EdgeKindName> = new Map(
  ACL_KINDS.filter(({ origin }) => origin !== 'derived').map(({ name }) => [name, name as EdgeKindName]),
);

/** Named rights that are derived from others; copies from a file would outlive their causes. */
const WORKED_OUT: ReadonlySet<string> = new Set(
  ACL_KINDS.filter(({ origin }) => origin === 'derived').map(({ name }) => name),
);

/** Reads the object's own list: rights and ownership. */
export function readAccessList(object: DirectoryObject, leavesOut?: (entry: AccessEntry) => boolean): void {
  object.addAspect('acl', object.enumerates('Aces', Method.Acl), () => {
    const all = accessEntries(object, 'Aces', object.list('Aces'));
    const entries = leavesOut === undefined ? all : all.filter((entry) => !leavesOut(entry));
    const owner = entries.find(({ right }) => right === 'Owns' || right === 'OwnsRaw');
    if (owner !== undefined) object.properties.ownersid = owner.principal.id;
    return { edges: accessEdges(object, entries) };
  });
}

/** The readable entries. Hot: every object has twenty to forty of them. */
export function accessEntries(object: DirectoryObject, name: string, list: readonly Json[]): AccessEntry[] {
  const entries: AccessEntry[] = [];
  const { principals } = object.file;
  for (const json of list) {
    const sid = isObject(json) ? (json.PrincipalSID ?? member(json, 'PrincipalSID')) : undefined;
    if (!isObject(json) || typeof sid !== 'string' || sid === '') {
      object.problems.lose(`an entry of "${name}" has no principal`);
      continue;
    }
    const right = json.RightName ?? member(json, 'RightName');
    const isInherited = json.IsInherited ?? member(json, 'IsInherited') ?? false;
    if (typeof right !== 'string' || typeof isInherited !== 'boolean') {
      object.problems.lose(`an entry of "${name}" is not readable`);
      continue;
    }
    const hash = json.InheritanceHash ?? member(json, 'InheritanceHash');
    const principal = principals.of(sid, json.PrincipalType ?? member(json, 'PrincipalType'));
    if (principal.id === '') {
      object.problems.note(`entries of "${name}" were skipped: ${idFault(sid.toUpperCase())}`);
      continue;
    }
    entries.push({
      principal,
      right,
      isInherited,
      inheritanceHash: typeof hash === 'string' ? hash : '',
    });
  }
  return entries;
}

/** @returns the edges that entries grant on the object. An entry of the object on itself grants nothing. */
export function accessEdges(object: DirectoryObject, entries: readonly AccessEntry[]): EdgeFact[] {
  const edges: EdgeFact[] = [];
  const ownership: Ownership = { owner: undefined, writers: [], limited: [], limitedInherited: [] };
  for (const entry of entries) {
    const { principal, right } = entry;
    if (principal.id === object.self.id) continue;
    if (right === 'Owns') ownership.owner = principal;
    else if (right === 'WriteOwner') ownership.writers.push(entry);
    else {
      const kind = RIGHTS.get(right);
      if (kind === undefined) noteUnusedRight(object, right);
      else if (principal.id.endsWith(OWNER_RIGHTS)) {
        addOnce(ownership.limited, right);
        if (entry.isInherited) addOnce(ownership.limitedInherited, right);
      } else edges.push(aclEdge(entry, kind, object.self));
    }
  }
  for (const ownershipEdge of ownershipEdges(object, ownership)) edges.push(ownershipEdge);
  return edges;
}

interface Ownership {
  owner: Principal | undefined;
  /** Entries with the right to write the owner. */
  readonly writers: AccessEntry[];
  /** Rights that OWNER RIGHTS grants an owner, and the inherited ones among them. */
  readonly limited: string[];
  readonly limitedInherited: string[];
}

/**
 * Whether the owner of an object controls it depends on the entries for OWNER RIGHTS here, and on the forest's dSHeuristics, which analysis
 * reads.
 */
function ownershipEdges(object: DirectoryObject, ownership: Ownership): EdgeFact[] {
  const { owner, writers, limited, limitedInherited } = ownership;
  if (owner === undefined && writers.length === 0) return [];
  const { self, properties } = object;
  // The collector also counts entries that it did not convert to rights, such as denying ones.
  const anyGrant = properties.doesanyacegrantownerrights === true;
  const anyInherited = properties.doesanyinheritedacegrantownerrights === true;
  const owns = (kind: EdgeKindName, privileges?: string[]): EdgeFact[] =>
    owner === undefined ? [] : [edge(owner, kind, self, ACL, privileges && { privileges })];

  if (limited.length > 0) {
    const edges = owns('OwnsLimitedRights', limited);
    if (limitedInherited.length > 0) {
      const privileges = limitedInherited;
      return edges.concat(
        writers.map((entry) => aclEdge(entry, 'WriteOwnerLimitedRights', self, { privileges })),
      );
    }
    return anyInherited ? edges : edges.concat(writers.map((entry) => aclEdge(entry, 'WriteOwnerRaw', self)));
  }
  if (anyGrant && anyInherited) return [];
  const edges = anyGrant ? [] : owns('OwnsRaw');
  return edges.concat(writers.map((entry) => aclEdge(entry, 'WriteOwnerRaw', self)));
}

const ACL = EdgeFlag.HasAcl | EdgeFlag.Acl;

function aclEdge(
  entry: AccessEntry,
  kind: EdgeKindName,
  end: Principal,
  properties?: { readonly privileges: string[] },
): EdgeFact {
  const flags = entry.isInherited ? ACL | EdgeFlag.Inherited : ACL;
  if (entry.inheritanceHash === '') return edge(entry.principal, kind, end, flags, properties);
  return edge(entry.principal, kind, end, flags, { ...properties, inheritancehash: entry.inheritanceHash });
}

function noteUnusedRight({ problems }: DirectoryObject, right: string): void {
  const name = JSON.stringify(right.slice(0, 64));
  problems.note(
    WORKED_OUT.has(right)
      ? `the right ${name} is derived by the analysis; entries with it were skipped`
      : `the right ${name} is unknown; entries with it were skipped`,
  );
}

function addOnce(list: string[], item: string): void {
  if (!list.includes(item)) list.push(item);
}
