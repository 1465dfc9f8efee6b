/**
 * The settings of an organization: values of domains, certificate templates, authorities and domain controllers. They are few and each
 * matters, so each generation stores all of them, and any two generations can be compared.
 *
 * Rule: `docs/history.md#stored-differences`.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  type AttackGraph,
  type JsonValue,
  type NodeProperties,
  NodeSet,
  nodesOfKind,
  objectIdOf,
} from '@clew/graph';
import { EdgeKind, NodeKind, parseJson } from '@clew/model';

/** Values keyed by object id, then by property. */
export type Settings = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

export interface ChangedSetting {
  readonly objectId: string;
  readonly property: string;
  /** Null if unknown. */
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** Properties that identify an object, or change automatically. */
const NO_SETTINGS: ReadonlySet<string> = new Set([
  ...['name', 'domainsid', 'objectid', 'distinguishedname', 'whencreated'],
  ...['pwdlastset', 'lastlogon', 'lastlogontimestamp', 'lastseen', 'lastcollected'],
]);

export function settingsOf(graph: AttackGraph, properties: NodeProperties): Settings {
  const domains = nodesOfKind(graph, NodeKind.Domain);
  const nodes = domains
    .or(nodesOfKind(graph, NodeKind.CertTemplate, NodeKind.EnterpriseCA))
    .or(controllersOf(graph, domains));
  const keys = properties.keys().filter((key) => !NO_SETTINGS.has(key));
  const settings: Record<string, Record<string, JsonValue>> = {};
  nodes.forEach((node) => {
    const own: Record<string, JsonValue> = {};
    for (const key of keys) {
      const value = properties.value(key, node);
      if (value !== undefined && value !== null) own[key] = value;
    }
    settings[objectIdOf(graph, node)] = own;
  });
  return settings;
}

function controllersOf(graph: AttackGraph, domains: NodeSet): NodeSet {
  const { offsets, neighbors, kinds } = graph.in;
  const found: number[] = [];
  domains.forEach((domain) => {
    for (let at = offsets[domain]; at < offsets[domain + 1]; at++)
      if (kinds[at] === EdgeKind.DCFor) found.push(neighbors[at]);
  });
  return NodeSet.of(graph.nodeCount, found);
}

export const packSettings = (settings: Settings): Buffer =>
  zstdCompressSync(Buffer.from(JSON.stringify(settings)));

export const unpackSettings = (packed: Uint8Array): Settings =>
  parseJson(zstdDecompressSync(packed).toString('utf8')) as Settings;

/** Compares objects that exist in both; added and removed objects are reported as objects. Ascending by object id and property. */
export function changedSettings(before: Settings, after: Settings): ChangedSetting[] {
  const changed: ChangedSetting[] = [];
  for (const objectId of Object.keys(before).sort()) {
    if (!Object.hasOwn(after, objectId)) continue;
    const [from, to] = [before[objectId], after[objectId]];
    for (const property of [...new Set([...Object.keys(from), ...Object.keys(to)])].sort()) {
      const values = [from, to].map((all) => (Object.hasOwn(all, property) ? all[property] : null));
      if (JSON.stringify(values[0]) !== JSON.stringify(values[1]))
        changed.push({ objectId, property, before: values[0], after: values[1] });
    }
  }
  return changed;
}
