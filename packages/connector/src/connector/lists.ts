/** Lists of findings that a run reads, one for each triple of environment, zone and finding type, and their order. */
import type { Triple } from '../findings/items.ts';
import type { NamedTriple } from '../findings/records.ts';
import type { RunParts } from './runParts.ts';
import type { Environment, Zone } from './source.ts';

/** A zone of an environment. */
type Place = Omit<NamedTriple, 'findingType'>;

export interface Selected {
  readonly environments: readonly Environment[];
  readonly zones: readonly Zone[];
  /** `undefined`: all. */
  readonly types: ReadonlySet<string> | undefined;
}

export interface AvailableLists {
  readonly available: readonly NamedTriple[];
  /** Places whose types are known: an unread list is not an empty one. */
  readonly readPlaces: readonly Place[];
}

/** Requests the lists that currently have findings. */
export async function availableLists(
  parts: RunParts,
  { environments, zones, types }: Selected,
): Promise<AvailableLists> {
  const available: NamedTriple[] = [];
  const readPlaces: Place[] = [];
  for (const { id: environmentId, name: environmentName } of environments) {
    for (const { id: zoneId, name: zoneName } of zones) {
      parts.checkTime();
      const place = { environmentId, environmentName, zoneId, zoneName };
      await parts.may(`the finding types of ${environmentName} in ${zoneName}`, async () => {
        for (const findingType of await parts.source.availableTypes(environmentId, zoneId))
          if (types === undefined || types.has(findingType)) available.push({ ...place, findingType });
        readPlaces.push(place);
      });
    }
  }
  if (available.length === 0) parts.log.info('no environment has findings of the selected types');
  return { available, readPlaces };
}

/** Selects lists whose findings the host has, but the service no longer has. */
export async function emptiedLists(
  { state }: RunParts,
  types: ReadonlySet<string> | undefined,
  { available, readPlaces }: AvailableLists,
): Promise<readonly NamedTriple[]> {
  const known = await state.triples();
  return known.flatMap((triple) => {
    if (types?.has(triple.findingType) === false || available.some((each) => isSameTriple(each, triple)))
      return [];
    const place = readPlaces.find(
      ({ environmentId, zoneId }) => environmentId === triple.environmentId && zoneId === triple.zoneId,
    );
    return place === undefined ? [] : [{ ...triple, ...place }];
  });
}

/** Selects the lists that must be read completely. */
export async function unreadLists(
  { state }: RunParts,
  triples: readonly NamedTriple[],
): Promise<readonly NamedTriple[]> {
  const cursors = await Promise.all(triples.map((triple) => state.cursor(triple)));
  return triples.filter((_, at) => cursors[at]?.dirty && cursors[at].position === '');
}

/**
 * Sorts lists like the list of findings, so that the most urgent are reported first; lists beyond its first page
 * follow.
 */
export async function inOrderOfUrgency(
  parts: RunParts,
  triples: readonly NamedTriple[],
  hasFeed: boolean,
): Promise<readonly NamedTriple[]> {
  const cursors = await Promise.all(triples.map((triple) => parts.state.cursor(triple)));
  if (hasFeed && cursors.filter(({ dirty }) => dirty).length < 2) return triples;
  const places = new Map<string, number>();
  await parts.may('the order of the findings', async () => {
    for (const triple of await parts.source.firstTriples()) {
      const id = idOf(triple);
      places.set(id, places.get(id) ?? places.size);
    }
  });
  const placeOf = (triple: Triple): number => places.get(idOf(triple)) ?? places.size;
  return triples.toSorted((one, other) => placeOf(one) - placeOf(other));
}

export const idOf = ({ environmentId, zoneId, findingType }: Triple): string =>
  `${environmentId}:${zoneId}:${findingType}`;

const isSameTriple = (a: Triple, b: Triple): boolean => idOf(a) === idOf(b);
