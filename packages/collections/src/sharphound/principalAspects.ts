/**
 * The aspects that users, computers and groups share in addition to the access list.
 *
 * Rules: `docs/reference/collections.md#containment`, `docs/reference/collections.md#users` and
 * `docs/reference/collections.md#computers`.
 */
import { type EdgeFact, EdgeFlag } from '@clew/model';
import { member } from '../json/member.ts';
import { isObject, type Json } from '../json/value.ts';
import type { DirectoryObject } from './directoryObject.ts';
import { edge } from './edges.ts';
import { domainOf, edgeToHost, hostName } from './hostNames.ts';
import { Method } from './methods.ts';
import { isSid } from './sid.ts';

/** Reads what users and computers share. */
export function readAccount(account: DirectoryObject): void {
  readPrimaryGroup(account);
  readDelegation(account);
  readSidHistory(account);
  readDomainRole(account);
  readAllowedToAct(account);
}

function readPrimaryGroup(object: DirectoryObject): void {
  object.addAspect('primary-group', object.enumerates('PrimaryGroupSID', Method.Group), () => {
    const group = { id: object.reference('PrimaryGroupSID'), kind: 'Group' };
    if (group.id !== '' && !isSid(group.id)) {
      object.problems.note('"PrimaryGroupSID" was skipped: it is not a SID');
      return { edges: [] };
    }
    const flags = EdgeFlag.HasAcl | EdgeFlag.PrimaryGroup;
    return { edges: group.id === '' ? [] : [edge(object.self, 'MemberOf', group, flags)] };
  });
}

/**
 * A collector that found no id for a service may omit the entry or its id, but the property names all services. If every entry has an id,
 * the property adds nothing.
 */
function readDelegation(object: DirectoryObject): void {
  object.addAspect('delegation', object.enumerates('AllowedToDelegate', Method.ObjectProps), () => {
    const domain = domainOf(object);
    const edges: EdgeFact[] = [];
    const hosts = new Set<string>();
    const add = (id: string, kind: string): void => {
      const host = hostName(id, domain);
      if (host !== undefined) hosts.add(host);
      else edges.push(edge(object.self, 'AllowedToDelegate', { id, kind }));
    };
    for (const { id, kind } of object.principals('AllowedToDelegate')) add(id, kind);
    if (edges.length + hosts.size === 0 || object.list('AllowedToDelegate').some(hasNoId))
      for (const service of servicesOf(object)) {
        const host = hostName(service, domain);
        if (host !== undefined) hosts.add(host);
      }
    if (hosts.size === 0) return { edges };
    return {
      edges,
      matchedEdges: [...hosts].map((host) => edgeToHost(object.self, 'AllowedToDelegate', host)),
    };
  });
}

const hasNoId = (entry: Json): boolean =>
  isObject(entry) && (member(entry, 'ObjectIdentifier') ?? member(entry, 'ObjectID') ?? '') === '';

/** Service principal names in upper case; one collector writes them as one text. */
function servicesOf({ properties }: DirectoryObject): string[] {
  const { allowedtodelegate } = properties;
  const text = typeof allowedtodelegate === 'string' ? allowedtodelegate.split(/[,\s]+/) : [];
  const services: readonly unknown[] = Array.isArray(allowedtodelegate) ? allowedtodelegate : text;
  return services.flatMap((service) => (typeof service === 'string' ? [service.toUpperCase()] : []));
}

export function readSidHistory(object: DirectoryObject): void {
  object.addAspect('sid-history', object.enumerates('HasSIDHistory', Method.ObjectProps), () => ({
    edges: object.principals('HasSIDHistory').map((former) => edge(object.self, 'HasSIDHistory', former)),
  }));
}

/**
 * The role of an account in its domain: a domain controller, or trusted for unconstrained delegation. A controller is always both, and gets
 * only the first.
 */
function readDomainRole(object: DirectoryObject): void {
  const { properties, self, file } = object;
  const { domain: topLevelDomain, isController } = controllerOf(object);
  const delegation = properties.unconstraineddelegation;
  const isKnown =
    isController ||
    (Object.hasOwn(properties, 'unconstraineddelegation')
      ? file.covers(Method.ObjectProps)
      : object.enumerates('UnconstrainedDelegation', Method.ObjectProps));
  object.addAspect('domain-role', isKnown && !object.isStub && file.isWhole, () => {
    // A read-only controller stores few secrets of its domain and cannot change it.
    if (isController && properties.isreadonlydc === true) return { edges: [] };
    if (isController) return { edges: [edge(self, 'DCFor', { id: topLevelDomain, kind: 'Domain' })] };
    const isUnconstrained =
      delegation === undefined ? object.flag('UnconstrainedDelegation') === true : delegation === true;
    const id = topLevelDomain;
    if (!isUnconstrained || !isSid(id)) return { edges: [] };
    return { edges: [edge(self, 'CoerceToTGT', { id, kind: 'Domain' })] };
  });
}

/** `UF_SERVER_TRUST_ACCOUNT` (MS-ADTS 2.2.16). */
const SERVER_TRUST_ACCOUNT = 0x2000;

/** Domain Controllers and Read-only Domain Controllers, by the end of their ids. */
const CONTROLLERS = /^(S-1-5-21-\d+-\d+-\d+)-(?:516|521)$/;

/**
 * Collectors before format 6, and those in Python, do not mark controllers: the primary group or the Windows account bit identifies them.
 * An explicit mark takes precedence.
 */
function controllerOf(object: DirectoryObject): { readonly domain: string; readonly isController: boolean } {
  const { properties } = object;
  const domain = domainSidOf(object);
  if (object.self.kind !== 'Computer' || object.has('IsDC'))
    return { domain, isController: object.flag('IsDC') === true && domain !== '' };
  const group = CONTROLLERS.exec(object.id('PrimaryGroupSID'));
  const control = properties.useraccountcontrol;
  const isServer =
    properties.isdc === true || (typeof control === 'number' && (control & SERVER_TRUST_ACCOUNT) !== 0);
  if (group === null && !isServer) return { domain, isController: false };
  if (group?.[0].endsWith('-521') === true) properties.isreadonlydc ??= true;
  const found = domain || (group?.[1] ?? '');
  return { domain: found, isController: found !== '' };
}

/** Collectors may omit the member or write a text without an id: then the property is used, and otherwise the object's own SID. */
function domainSidOf(object: DirectoryObject): string {
  const property = object.properties.domainsid;
  const said = [object.id('DomainSID'), typeof property === 'string' ? property.toUpperCase() : ''];
  return said.find(isSid) ?? /^(S-1-5-21-\d+-\d+-\d+)-\d+$/.exec(object.self.id)?.[1] ?? '';
}

/**
 * Reads the principals that may act for users toward the object. Collectors write them only for computers; in Windows, any account may have
 * them: an entry on krbtgt is the most dangerous one.
 */
function readAllowedToAct(object: DirectoryObject): void {
  object.addAspect('allowed-to-act', object.enumerates('AllowedToAct', Method.ObjectProps), () => ({
    edges: object.principals('AllowedToAct').map((principal) => edge(principal, 'AllowedToAct', object.self)),
  }));
}
