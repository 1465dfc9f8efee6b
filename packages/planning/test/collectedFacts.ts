/**
 * The facts of a collection in memory, in the obvious way: objects by id, and relations as numbers, so that a million objects
 * fit. For tests and measurements without a database.
 */
import { wellKnownFacts, wellKnownIds } from '@clew/analysis';
import { type CollectionSource, readCollection, sourceFromBytes } from '@clew/collections';
import { EdgeList, EdgeProperties, getOrMake, type JsonObject, type JsonValue } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import { type CollectionFile, fileText } from '@clew/synthetic';

export interface Known {
  readonly kinds: Set<string>;
  readonly properties: Record<string, JsonValue>;
  /** Assigned in order of occurrence. */
  readonly number: number;
}

/** Properties that this file reads. */
const OWN_PROPERTIES = ['name', 'displayname', 'domainsid', 'tenantid', 'collected', 'enabled'];

/** Yields one source at a time, so that only one large file is in memory. */
export function* sourcesOf(files: Iterable<CollectionFile>): Generator<CollectionSource> {
  let at = 0;
  for (const file of files) {
    const parts: Buffer[] = [];
    for (const text of fileText(file)) parts.push(Buffer.from(text));
    yield sourceFromBytes(`${at++}-${file.type}.json`, Buffer.concat(parts));
  }
}

/** @param properties keys to keep; default: all. Keys needed for completion and environments are always kept. */
export async function collectedFacts(
  sources: Iterable<CollectionSource>,
  properties?: ReadonlySet<string>,
): Promise<CollectedFacts> {
  const facts = new CollectedFacts(properties && new Set([...OWN_PROPERTIES, ...properties]));
  for (const source of sources)
    for await (const batch of readCollection(source))
      for (const { nodes, edgeSets } of batch) {
        for (const { objectId, kinds, properties: values } of nodes) facts.mention(objectId, kinds, values);
        for (const { edges } of edgeSets)
          for (const edge of edges) {
            facts.mention(edge.startId, ['Base', edge.startKind]);
            facts.mention(edge.endId, ['Base', edge.endKind]);
            facts.link(edge.startId, edge.kind, edge.endId, edge.flags, edge.properties);
          }
      }
  complete(facts);
  return facts;
}

export class CollectedFacts {
  readonly nodes = new Map<string, Known>();
  /** Ends are indices of `Known`. */
  readonly edges = new EdgeList();
  readonly edgeProperties = new EdgeProperties();
  readonly #kept: ReadonlySet<string> | undefined;

  constructor(kept: ReadonlySet<string> | undefined) {
    this.#kept = kept;
  }

  mention(id: string, kinds: readonly string[], properties: JsonObject = {}): Known {
    const known = getOrMake(this.nodes, id, () => ({
      kinds: new Set<string>(),
      properties: {},
      number: this.nodes.size,
    }));
    for (const kind of kinds) known.kinds.add(kind);
    for (const key of Object.keys(properties))
      if (this.#kept?.has(key) !== false) known.properties[key] = properties[key] as JsonValue;
    return known;
  }

  /** Adds a relation between mentioned objects. */
  link(startId: string, name: string, endId: string, flags: number, properties?: JsonObject): void {
    const [start, end] = [this.#numberOf(startId), this.#numberOf(endId)];
    const kind = EdgeKind[name as EdgeKindName];
    this.edges.append(start, kind, end, flags);
    if (properties !== undefined && Object.keys(properties).length > 0)
      this.edgeProperties.set(start, kind, end, properties);
  }

  #numberOf(id: string): number {
    const known = this.nodes.get(id);
    if (known === undefined) throw new Error(`${id} was not mentioned`);
    return known.number;
  }
}

/** Adds the well-known objects that no collector writes. */
function complete(facts: CollectedFacts): void {
  const domains = [...facts.nodes]
    .filter(([, { kinds, properties }]) => kinds.has('Domain') && properties.collected === true)
    .map(([sid, { properties }]) => ({ sid, name: properties.name as string | undefined }));
  const ids = new Set(wellKnownIds(domains));
  const completed = wellKnownFacts(domains, (id) => {
    const known = ids.has(id) ? facts.nodes.get(id) : undefined;
    return known && { kinds: [...known.kinds], enabled: known.properties.enabled === true };
  });
  for (const { objectId, kinds, properties } of completed.nodes) facts.mention(objectId, kinds, properties);
  for (const { startId, kind, endId, flags } of completed.edges) {
    facts.mention(startId, ['Base']);
    facts.mention(endId, ['Base']);
    facts.link(startId, kind, endId, flags);
  }
}
