/**
 * The same organization, collected again some time later, with changes of some users, groups and computers: people logged on, were
 * disabled, joined and left groups, received permissions, and lost local administrators.
 */
import type { CollectionFile, Forest } from './collection.ts';
import { type Ace, ace, type CollectedObject, collected, type Principal, user } from './records.ts';

const DAY_SECONDS = 86_400;

export interface Drift {
  /** One in this number of users, groups and computers changes; at least 1. */
  readonly every: number;
  /** Number of the round, from 0; each round changes other objects. */
  readonly round: number;
}

/** @returns the forest with these changes; it has the same objects */
export function driftedForest(forest: Forest, { every, round }: Drift): Forest {
  return { ...forest, files: forest.files.map((file) => driftedFile(file, every, round)) };
}

function driftedFile(file: CollectionFile, every: number, round: number): CollectionFile {
  const change = CHANGES[file.type];
  return change === undefined ? file : { ...file, objects: () => changedObjects(file, change, every, round) };
}

function* changedObjects(
  file: CollectionFile,
  change: Change,
  every: number,
  round: number,
): Generator<CollectedObject> {
  let place = 0;
  let before: CollectedObject | undefined;
  for (const object of file.objects()) {
    const turn = place++ - round;
    const isChanged = before !== undefined && turn % every === 0;
    yield isChanged ? change(object, before as CollectedObject, Math.abs(turn / every)) : object;
    before = object;
  }
}

/** @param neighbor another object of the same file @param turn number of the changed object */
type Change = (object: CollectedObject, neighbor: CollectedObject, turn: number) => CollectedObject;

const CHANGES: Readonly<Partial<Record<CollectionFile['type'], Change>>> = {
  users: changedUser,
  groups: changedGroup,
  computers: changedComputer,
};

/** All logged on since; one in five has a new password, one in twenty was disabled, one in ten is controlled by one more principal. */
function changedUser(object: CollectedObject, neighbor: CollectedObject, turn: number): CollectedObject {
  const { lastlogon, pwdlastset, enabled } = object.Properties;
  const properties = {
    lastlogon: later(lastlogon),
    ...(turn % 5 === 0 && { pwdlastset: later(pwdlastset) }),
    ...(turn % 20 === 10 && { enabled: enabled !== true }),
  };
  return {
    ...withProperties(object, properties),
    ...(turn % 10 === 3 && { Aces: withEntry(object, user(neighbor.ObjectIdentifier), 'GenericWrite') }),
  };
}

/** Every second group loses a member; the others gain a member of the neighbor, if it has any. */
function changedGroup(object: CollectedObject, neighbor: CollectedObject, turn: number): CollectedObject {
  const [members, others] = [membersOf(object), membersOf(neighbor)];
  const known = new Set(members.map(({ ObjectIdentifier }) => ObjectIdentifier));
  const joining = others.find((one) => one.ObjectType === 'User' && !known.has(one.ObjectIdentifier));
  const changed = turn % 2 === 0 || joining === undefined ? members.slice(0, -1) : [...members, joining];
  return { ...withProperties(object, { description: `Reviewed, round ${turn}` }), Members: changed };
}

/** All logged on since; one in two has another session, one in four has one local administrator less. */
function changedComputer(object: CollectedObject, neighbor: CollectedObject, turn: number): CollectedObject {
  const { lastlogon } = object.Properties;
  const groups = object.LocalGroups as readonly LocalGroup[];
  const sessions = sessionsOf(neighbor).map((one) => ({
    ...one,
    ComputerSID: object.ObjectIdentifier,
  }));
  const isSession = turn % 2 === 1 && sessions.length > 0 && sessionsOf(object).length > 0;
  return {
    ...withProperties(object, { lastlogon: later(lastlogon) }),
    ...(isSession && { PrivilegedSessions: collected({ Results: sessions }) }),
    ...(turn % 4 === 0 && { LocalGroups: groups.map(withoutLast) }),
  };
}

interface LocalGroup {
  readonly Results: readonly Principal[];
}

interface Session {
  readonly UserSID: string;
  readonly ComputerSID: string;
}

const withoutLast = (group: LocalGroup): LocalGroup => ({ ...group, Results: group.Results.slice(0, -1) });

const membersOf = ({ Members }: CollectedObject): readonly Principal[] => Members as readonly Principal[];

const sessionsOf = ({ PrivilegedSessions }: CollectedObject): readonly Session[] =>
  (PrivilegedSessions as { readonly Results: readonly Session[] }).Results;

const later = (time: unknown): unknown => (typeof time === 'number' && time > 0 ? time + DAY_SECONDS : time);

const withProperties = (object: CollectedObject, properties: Readonly<Record<string, unknown>>) => ({
  ...object,
  Properties: { ...object.Properties, ...properties },
});

const withEntry = ({ Aces }: CollectedObject, holder: Principal, right: string): readonly Ace[] => [
  ...Aces,
  ace(holder, right),
];
