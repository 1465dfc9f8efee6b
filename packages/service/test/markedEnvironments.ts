/**
 * Two forests and a tenant, each with objects of every kind. All names, ids and texts contain the mark of their environment, and each
 * environment reaches each other one with every relationship of a finding type. For tests of visibility.
 */
import { FINDING_TYPES } from '@clew/analysis';
import { NODE_KINDS } from '@clew/model';

export type Place = 'NORTH' | 'SOUTH' | 'CLOUD';
export const PLACES: readonly Place[] = ['NORTH', 'SOUTH', 'CLOUD'];

interface Mark {
  /** Part of every text of an object. */
  readonly word: string;
  /** Prefix of every id. */
  readonly id: string;
}

export const MARKS: Readonly<Record<Place, Mark>> = {
  NORTH: { word: 'NORTHMARK', id: 'S-1-5-21-7171717171-1-1' },
  SOUTH: { word: 'SOUTHMARK', id: 'S-1-5-21-7272727272-2-2' },
  CLOUD: { word: 'CLOUDMARK', id: '73737373-0000-4000-8000-000000000000' },
};

/** Parts of texts that only objects of the environment have. */
export const signsOf = (place: Place): readonly string[] =>
  place === 'CLOUD' ? [MARKS.CLOUD.word, '73737373'] : [MARKS[place].word, MARKS[place].id];

const isCloud = (place: Place): boolean => place === 'CLOUD';

/** The kinds of directory and tenant objects; each environment has one of each of its platform. */
const KINDS = NODE_KINDS.map(({ name }) => name).filter(
  (name) => !['Base', 'AZBase', 'Domain', 'AZTenant', 'Meta', 'ADLocalUser', 'ADLocalGroup'].includes(name),
);
const kindsOf = (place: Place): readonly string[] =>
  KINDS.filter((name) => name.startsWith('AZ') === isCloud(place));

export const idOf = (place: Place, kind: string): string => {
  if (kind === 'Domain' || kind === 'AZTenant') return MARKS[place].id;
  if (kind === 'Admins') return isCloud(place) ? idOf(place, 'AZRole') : `${MARKS[place].id}-512`;
  const number = KINDS.indexOf(kind) + 1;
  if (number === 0) throw new Error(`no kind ${kind}`);
  if (isCloud(place)) return `73737373-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return `${MARKS[place].id}-${2000 + number}`;
};

interface Ends {
  readonly start: string;
  readonly kind: string;
  readonly end: string;
}

/** The source of outgoing relationships, not a member of Tier Zero. */
const reacherOf = (place: Place): string => idOf(place, isCloud(place) ? 'AZUser' : 'User');

/** Relationships within each environment, and of each reported kind from each environment to each other one. */
function relationships(): Ends[] {
  const reported = [
    ...new Set(
      FINDING_TYPES.flatMap((type) => (type.kind === 'relationship' ? [...type.edges] : [])) as string[],
    ),
  ];
  return PLACES.flatMap((place) => {
    const own = kindsOf(place).map((kind) => idOf(place, kind));
    const inside = own.map((end) => ({
      start: MARKS[place].id,
      kind: isCloud(place) ? 'AZContains' : 'Contains',
      end,
    }));
    const across = PLACES.filter((other) => other !== place).flatMap((other) => [
      ...reported.map((kind) => ({ start: reacherOf(place), kind, end: idOf(other, 'Admins') })),
      ...reported.map((kind) => ({ start: reacherOf(place), kind, end: MARKS[other].id })),
    ]);
    return [...inside, ...across];
  });
}

function object(place: Place, kind: string, id: string, name: string) {
  const { word, id: environment } = MARKS[place];
  return {
    id,
    kinds: [kind],
    properties: {
      name: `${name}@${word}.EXAMPLE`,
      ...(isCloud(place)
        ? { tenantid: environment, displayname: `${name} ${word}` }
        : { domainsid: environment, domain: `${word}.EXAMPLE`, distinguishedname: `CN=${name},DC=${word}` }),
      description: `about ${word}`,
      enabled: true,
      collected: true,
      hasspn: kind === 'User',
      serviceprincipalnames: [`HTTP/${word}`],
      passwordnotreqd: true,
      unconstraineddelegation: true,
      ...(kind === 'AZRole' && { templateid: '62e90394-69f5-4237-9190-012177145e10' }),
    },
  };
}

const objectsOf = (place: Place): object[] => [
  object(place, isCloud(place) ? 'AZTenant' : 'Domain', MARKS[place].id, 'ROOT'),
  ...(isCloud(place) ? [] : [object(place, 'Group', idOf(place, 'Admins'), 'ADMINS')]),
  ...kindsOf(place).map((kind) => object(place, kind, idOf(place, kind), kind.toUpperCase())),
];

/** All environments in one file. */
export const markedFile = () => ({
  graph: {
    nodes: PLACES.flatMap(objectsOf),
    edges: relationships().map(({ start, kind, end }) => ({
      ...{ kind, start: { match_by: 'id', value: start }, end: { match_by: 'id', value: end } },
    })),
  },
});

/** More objects of an environment, without relationships to others. */
export const moreOf = (place: Place, count: number) => ({
  graph: {
    nodes: Array.from({ length: count }, (_, at) =>
      object(
        place,
        isCloud(place) ? 'AZUser' : 'User',
        isCloud(place)
          ? `73737373-0000-4000-9000-${String(at).padStart(12, '0')}`
          : `${MARKS[place].id}-${9000 + at}`,
        `MORE${at}`,
      ),
    ),
    edges: [],
  },
});

/** Two more objects of a forest, one of which controls its administrators, so that the plan has a card. */
export function pathIn(place: Place) {
  const { graph } = moreOf(place, 2);
  const [start, end] = [`${MARKS[place].id}-9000`, idOf(place, 'Admins')].map((value) => ({
    ...{ match_by: 'id', value },
  }));
  return { graph: { ...graph, edges: [{ kind: 'GenericAll', start, end }] } };
}
