/** Helpers for tests that need collection files or their facts. */
import { fileURLToPath } from 'node:url';
import type { EdgeFact, EdgeSetFact, NodeFact, ObjectFacts } from '@clew/model';
import { type ReadOptions, readCollection } from '../src/readCollection.ts';
import type { CollectionReport } from '../src/report.ts';
import { type CollectionSource, sourceFromBytes } from '../src/source.ts';

/** The public sample, a collection of three domains; its README names source and license. */
export const SAMPLE_FILE = fileURLToPath(new URL('./sample/ad_sampledata.zip', import.meta.url));

/** Text of a collection file with `data` before `meta`, as collectors write it. */
export function collectionText(type: string, objects: readonly unknown[], meta: object = {}): string {
  return JSON.stringify({
    data: objects,
    meta: { type, version: 6, methods: 0, count: objects.length, ...meta },
  });
}

/** A file in memory. */
export function textSource(text: string, name = 'file.json'): CollectionSource {
  return sourceFromBytes(name, Buffer.from(text));
}

export interface ReadResult {
  readonly objects: readonly ObjectFacts[];
  readonly report: CollectionReport;
}

/** Reads a whole file. */
export async function readAll(source: CollectionSource, options?: ReadOptions): Promise<ReadResult> {
  const reading = readCollection(source, options);
  const objects: ObjectFacts[] = [];
  for await (const batch of reading) objects.push(...batch);
  return { objects, report: reading.report };
}

/** Reads objects of one type from a file. */
export function readObjects(type: string, objects: readonly unknown[], meta?: object): Promise<ReadResult> {
  return readAll(textSource(collectionText(type, objects, meta)));
}

/** The facts of an object, in the short form of the test tables. */
export interface Told {
  readonly nodes: readonly NodeFact[];
  /** `start(Kind) -Edge-> end(Kind)`, then flags and properties if any. */
  readonly edges: readonly string[];
  /** `aspect of owner: replaces` or `adds`, with the number of edges. */
  readonly aspects: readonly string[];
  readonly issues: readonly string[];
  readonly deletedIds: readonly string[];
}

/** Reads one object of a type. */
export async function readOne(type: string, object: unknown, meta?: object): Promise<Told> {
  const { objects, report } = await readObjects(type, [object], meta);
  if (report.fault !== undefined) throw new Error(report.fault.message);
  return {
    nodes: objects.flatMap(({ nodes }) => nodes),
    edges: objects.flatMap(({ edgeSets }) => edgeSets.flatMap(({ edges }) => edges.map(tellEdge))),
    aspects: objects.flatMap(({ edgeSets }) => edgeSets.map(tellAspect)),
    issues: report.issues.map(({ severity, reason }) => `${severity}: ${reason}`),
    deletedIds: objects.flatMap(({ deletedIds }) => deletedIds ?? []),
  };
}

const FLAGS = ['acl', 'inherited', 'enforced', 'primary', 'hasacl', 'derived'];

function tellEdge(edge: EdgeFact): string {
  const flags = FLAGS.filter((_, bit) => (edge.flags & (1 << bit)) !== 0).map((flag) => ` ${flag}`);
  const properties = edge.properties === undefined ? '' : ` ${JSON.stringify(edge.properties)}`;
  const ends = `${edge.startId}(${edge.startKind}) -${edge.kind}-> ${edge.endId}(${edge.endKind})`;
  return `${ends}${flags.join('')}${properties}`;
}

function tellAspect({ aspect, ownerId, ownerKind, edges, replaces }: EdgeSetFact): string {
  return `${aspect} of ${ownerId}(${ownerKind}): ${replaces ? 'replaces' : 'adds'} ${edges.length}`;
}
