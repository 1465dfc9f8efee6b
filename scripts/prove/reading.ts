/**
 * Reads collection files with the readers and the analysis of the service, before and after the changes of an administrator. It does not
 * use the plan, because the results are compared with it.
 */

import { sourceFromBytes } from '@clew/collections';
import { objectIdOf } from '@clew/graph';
import { changeKit } from '@clew/kits';
import {
  type AnalyzedWorld,
  exposuresOf,
  kitFacts,
  type Repair,
  tierZeroOf,
  type ZoneExposure,
} from '@clew/planning';
import { changeRecords } from '@clew/planning/testing';
import { analyzedWorld } from '../../packages/planning/test/analyzedWorld.ts';
import { collectedWorld } from '../../packages/planning/test/collectedWorld.ts';
import { type CollectedFile, recordsOf } from './organizations.ts';

export interface Exposure {
  readonly exposed: number;
  readonly principals: number;
}

/** Exposures by object id of the environment. */
export type Exposures = ReadonlyMap<string, Exposure>;

export const TIER_ZERO = 1;

export async function readWorld(files: readonly CollectedFile[]): Promise<AnalyzedWorld> {
  return analyzedWorld(await collectedWorld(files.map(({ name, bytes }) => sourceFromBytes(name, bytes))));
}

/** @param expected exposures that the plan promises; by default those of the world itself */
export function exposuresIn(
  world: AnalyzedWorld,
  expected: readonly ZoneExposure[] = exposuresOf(world),
): Exposures {
  const { context, environments } = world;
  return new Map(
    expected
      .filter(({ zone }) => zone === TIER_ZERO)
      .map(({ environment, exposed, principals }) => [
        objectIdOf(context.graph, environments[environment] as number),
        { exposed, principals },
      ]),
  );
}

export const exposedIn = (exposures: Exposures): number =>
  [...exposures.values()].reduce((sum, { exposed }) => sum + exposed, 0);

export const principalsIn = (exposures: Exposures): number =>
  [...exposures.values()].reduce((sum, { principals }) => sum + principals, 0);

/** @returns the differences as texts; none if both have exactly the same principals */
export function differences(promised: Exposures, real: Exposures): string[] {
  return [...new Set([...promised.keys(), ...real.keys()])].flatMap((id) => {
    const [expected, found] = [promised.get(id), real.get(id)];
    const isSame = expected?.exposed === found?.exposed && expected?.principals === found?.principals;
    const text = (one: Exposure | undefined) =>
      one === undefined ? 'nothing' : `${one.exposed} of ${one.principals}`;
    return isSame ? [] : [`${id}: promised ${text(expected)}, is ${text(found)}`];
  });
}

/** A change in `changes.json` of a kit. */
interface DeclaredChange {
  readonly removed: readonly { readonly source: Ref; readonly relation: string; readonly target: Ref }[];
  readonly values: readonly { readonly object: Ref; readonly property: string; readonly wanted: unknown }[];
  readonly engine: string | null;
}

interface Ref {
  readonly object_id: string;
  readonly kind: string;
}

/** @returns the changes that a kit of the repairs declares, from its file */
export function declaredChanges(world: AnalyzedWorld, repairs: readonly Repair[]): DeclaredChange[] {
  const { context, zones } = world;
  const asked = { context, tierZero: tierZeroOf(zones) };
  const texts = { title: '', change: '', check: '', risk: '', affected: null };
  const kit = changeKit(repairs.map((repair) => ({ ...texts, facts: kitFacts(asked, repair) })));
  return JSON.parse(kit.files.find(({ name }) => name === 'changes.json')?.text ?? '[]');
}

/** Id of the container to which the tests move objects: without policies, and without rights of others. */
const MOVED_TO = '0C1E0000-0000-4000-8000-000000000000';

/**
 * @returns the files with the declared changes of the repairs, made once each as an administrator would
 * @throws Error for changes that files cannot express
 */
export function repaired(
  files: readonly CollectedFile[],
  world: AnalyzedWorld,
  repairs: readonly Repair[],
): CollectedFile[] {
  const documents = files.map((file) => ({ ...file, json: recordsOf(file.bytes) }));
  const changes = declaredChanges(world, repairs);
  // Two packages may remove the same relationship, which exists once.
  const removed = new Map(
    changes.flatMap((change) =>
      change.removed.map(({ source, relation: kind, target }) => {
        const edge = { start: source.object_id, kind, end: target.object_id };
        const move = change.engine === 'Move' ? { target: MOVED_TO } : {};
        return [`${edge.start} ${kind} ${edge.end}`, { ...edge, ...move }];
      }),
    ),
  );
  const moved = [...removed.values()].find(({ target }) => target !== undefined);
  if (moved !== undefined) addContainer(documents, moved.end);
  changeRecords(
    documents.map(({ type, json }) => ({ type, records: json.data })),
    {
      removed: [...removed.values()],
      properties: changes.flatMap(({ values }) =>
        values.map(({ object, property: key, wanted: value }) => ({
          objectId: object.object_id,
          key,
          value,
        })),
      ),
    },
  );
  return documents.map(({ name, type, json }) => ({ name, type, bytes: Buffer.from(JSON.stringify(json)) }));
}

/** Adds an organizational unit below the domain of an object. */
function addContainer(
  documents: readonly { type: string; json: ReturnType<typeof recordsOf> }[],
  id: string,
): void {
  const records = documents.flatMap(({ json }) => json.data);
  const { domain, domainsid } = records.find((one) => one.ObjectIdentifier?.toUpperCase() === id).Properties;
  documents
    .find(({ type }) => type === 'ous')
    ?.json.data.push({
      ObjectIdentifier: MOVED_TO,
      Properties: { domain, domainsid, name: `MOVED@${domain}`, blocksinheritance: true },
      ContainedBy: { ObjectIdentifier: domainsid, ObjectType: 'Domain' },
      ...{ Aces: [], Links: [], ChildObjects: [], IsDeleted: false, IsACLProtected: true },
    });
}
