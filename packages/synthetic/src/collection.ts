/**
 * A forest as collection files: one file per type and domain, as a collector writes them, each a stream of text. Memory does not grow with
 * the number of objects.
 */
import { makeComputers } from './computers.ts';

import { makeGroups } from './groups.ts';
import { makeContainers, makeDomains, makeGpos, makeOus } from './organization.ts';
import {
  makeAiaCas,
  makeCertTemplates,
  makeEnterpriseCas,
  makeIssuancePolicies,
  makeNtAuthStores,
  makeRootCas,
} from './pki.ts';
import { type ForestOptions, planForest } from './plan.ts';
import { type PlantedRoute, plantedRoute, plantFlaws, plantNothing } from './plantFlaws.ts';
import type { CollectedObject } from './records.ts';
import { makeUsers } from './users.ts';
import { DomainWorld } from './world.ts';

type Maker = (world: DomainWorld) => Iterable<CollectedObject>;

const MAKERS = {
  domains: makeDomains,
  containers: makeContainers,
  ous: makeOus,
  gpos: makeGpos,
  groups: makeGroups,
  users: makeUsers,
  computers: makeComputers,
  rootcas: makeRootCas,
  aiacas: makeAiaCas,
  ntauthstores: makeNtAuthStores,
  enterprisecas: makeEnterpriseCas,
  certtemplates: makeCertTemplates,
  issuancepolicies: makeIssuancePolicies,
} as const satisfies Record<string, Maker>;

export type CollectionType = keyof typeof MAKERS;

/** All methods from groups to certificate services, except for the two that loop. Rule: `docs/reference/collections.md#files`. */
const METHODS = 521_215;
const VERSION = 6;

export interface CollectionFile {
  /** The name that collectors write: time of the run, an underscore, the type. */
  readonly name: string;
  readonly domain: string;
  readonly type: CollectionType;
  /** Generates the objects again at each call. */
  readonly objects: () => Iterable<CollectedObject>;
}

export interface Forest {
  readonly files: readonly CollectionFile[];
  readonly domains: readonly { readonly name: string; readonly sid: string }[];
  /** Number of times that each flaw was planted. */
  readonly flaws: ReadonlyMap<string, number>;
  /** The ends of a path from a person to Tier Zero. */
  readonly route: PlantedRoute;
}

/** @returns the forest of the options; objects are generated when a file is read */
export function generateForest(options: ForestOptions): Forest {
  const plan = planForest(options);
  const isClean = options.flaws === 'none';
  const { overlay, planted } = isClean
    ? plantNothing(planForest({ ...options, flaws: 'all' }))
    : plantFlaws(plan);
  const files = plan.domains.flatMap((domain, ordinal) => {
    const world = new DomainWorld(domain, plan, overlay);
    // Each domain was collected by a separate run, ten minutes after the previous one.
    const stamp = runStamp(domain.collectedAt + ordinal * 600);
    return Object.entries(MAKERS).map(
      ([type, make]): CollectionFile => ({
        name: `${stamp}_${type}.json`,
        domain: domain.name,
        type: type as CollectionType,
        objects: () => make(world),
      }),
    );
  });
  return {
    files: files.filter((file) => !isEmpty(file.objects())),
    domains: plan.domains.map(({ name, sid }) => ({ name, sid })),
    flaws: planted,
    route: plantedRoute(plan),
  };
}

function isEmpty(objects: Iterable<unknown>): boolean {
  for (const _ of objects) return false;
  return true;
}

const runStamp = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/\D/g, '').slice(0, 14);

const CHUNK_CHARACTERS = 64 * 1024;

/** @returns the text of a file in pieces of about 64 KiB: `data` first, then `meta`, as collectors write it */
export function* fileText(file: CollectionFile, onObject: () => void = () => {}): Generator<string> {
  let chunk = '{"data":[';
  let count = 0;
  for (const object of file.objects()) {
    chunk += count === 0 ? JSON.stringify(object) : `,${JSON.stringify(object)}`;
    count++;
    onObject();
    if (chunk.length >= CHUNK_CHARACTERS) {
      yield chunk;
      chunk = '';
    }
  }
  const meta = { methods: METHODS, type: file.type, count, version: VERSION, collectorversion: '2.6.0.0' };
  yield `${chunk}],"meta":${JSON.stringify(meta)}}`;
}
