/**
 * Hosts that a collector identifies by DNS name or service principal name, because it could not resolve them. Such a name refers to the
 * only computer that has it; it creates no object. Rule: `docs/reference/collections.md#hosts-by-name`.
 */
import {
  EdgeFlag,
  type EdgeKindName,
  type MatchedEdgeFact,
  type NodeMatcher,
  type Properties,
} from '@clew/model';
import type { DirectoryObject } from './directoryObject.ts';
import type { Principal } from './principal.ts';

const LABELS = /^[A-Z0-9_](?:[A-Z0-9_-]*[A-Z0-9_])?(?:\.[A-Z0-9_](?:[A-Z0-9_-]*[A-Z0-9_])?)*$/;
const GUID = /^\{?[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}\}?$/;

/**
 * @param text name of a host, or `service/host:port/name`, in upper case
 * @param domain DNS name appended to short names
 * @returns the DNS name in upper case; `undefined` for an id or any other text
 */
export function hostName(text: string, domain: string): string | undefined {
  if (/^S-\d/.test(text) || GUID.test(text)) return undefined;
  const [, afterService = text] = /^[^/]*\/([^/]*)/.exec(text) ?? [];
  const host = afterService.replace(/:.*$/, '').trim().replace(/\.$/, '').replace(/\$$/, '');
  if (!LABELS.test(host) || host.length > 255) return undefined;
  if (host.includes('.')) return host;
  return domain === '' ? undefined : `${host}.${domain}`;
}

/** The domain appended to short names of an object. */
export const domainOf = ({ properties }: Pick<DirectoryObject, 'properties'>): string =>
  typeof properties.domain === 'string' ? properties.domain.toUpperCase() : '';

const named = (host: string): NodeMatcher => ({ matchers: [{ key: 'name', value: host }], kind: 'Computer' });

/** @returns an edge to the computer of that name, with the name as its evidence */
export function edgeToHost(
  start: Principal,
  kind: EdgeKindName,
  host: string,
  flags: number = EdgeFlag.HasAcl,
  properties: Properties = {},
): MatchedEdgeFact {
  return {
    ...{ start: start.id, startKind: start.kind, kind, end: named(host), endKind: 'Computer' },
    ...{ flags, properties: { ...properties, hostname: host }, createMissing: false },
  };
}

/** @returns an edge from the computer of that name, with the name as its evidence */
export function edgeFromHost(
  host: string,
  kind: EdgeKindName,
  end: Principal,
  flags: number = EdgeFlag.HasAcl,
  properties: Properties = {},
): MatchedEdgeFact {
  return {
    ...{ start: named(host), startKind: 'Computer', kind, end: end.id, endKind: end.kind },
    ...{ flags, properties: { ...properties, hostname: host }, createMissing: false },
  };
}
