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
import { type DeclaredChange, makeDeclared } from '@clew/planning/testing';
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

/** @returns the changes that a kit of the repairs declares, from its file */
export function declaredChanges(world: AnalyzedWorld, repairs: readonly Repair[]): DeclaredChange[] {
  const { context, zones } = world;
  const asked = { context, tierZero: tierZeroOf(zones) };
  const texts = { title: '', change: '', check: '', risk: '', affected: null };
  const kit = changeKit(repairs.map((repair) => ({ ...texts, facts: kitFacts(asked, repair) })));
  return JSON.parse(kit.files.find(({ name }) => name === 'changes.json')?.text ?? '[]');
}

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
  makeDeclared(
    documents.map(({ type, json }) => ({ type, records: json.data })),
    declaredChanges(world, repairs),
  );
  return documents.map(({ name, type, json }) => ({ name, type, bytes: Buffer.from(JSON.stringify(json)) }));
}
