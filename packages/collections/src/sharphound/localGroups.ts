/**
 * Local groups and user rights of computers, as the computers themselves report them.
 *
 * Rules: `docs/reference/collections.md#computers`.
 */
import type { EdgeFact } from '@clew/model';
import type { DirectoryObject } from './directoryObject.ts';
import { edge } from './edges.ts';
import { isManagedAccount } from './managedAccounts.ts';
import type { Members } from './members.ts';
import type { Principal } from './principal.ts';

/** Name of groups that are collected under another object; such a name must not overwrite theirs. */
const UNNAMED = 'IGNOREME';

/** A group without members matters only if its mere existence does. */
const KEPT_WHEN_EMPTY = /^direct access users/i;

/**
 * The members of a group belong to the group, so that each group replaces its own members and a group that could not be read keeps the
 * known ones. That the group is on the computer belongs to the computer: the groups of domain controllers are one and the same, and
 * collecting one controller must not take them from the others.
 */
export function readLocalGroups(computer: DirectoryObject): void {
  const groups = computer.children('LocalGroups');
  if (isManagedAccount(computer)) {
    const isListed = OLD_LISTS.some(([list]) => (computer.child(list)?.list('Results').length ?? 0) > 0);
    if (groups.length > 0 || isListed)
      computer.problems.note('local groups of objects that are not computers were left out');
    return;
  }
  const collected = groups.filter((group) => group.flag('Collected') === true);
  const isWhole = groups.length > 0 && collected.length === groups.length && computer.file.isWhole;
  computer.addAspect('local-groups', isWhole && !computer.isStub, () => ({
    edges: [
      ...collected.flatMap((group) => readLocalGroup(computer, group)),
      ...OLD_LISTS.flatMap(([list, rid]) => readOldList(computer, list, rid)),
    ],
  }));
}

/** Lists of format 4, with the relative id of the group they are the members of. */
const OLD_LISTS = [
  ['LocalAdmins', 544],
  ['RemoteDesktopUsers', 555],
  ['DcomUsers', 562],
  ['PSRemoteUsers', 580],
] as const;

/**
 * The reference implementation drops computers of format 4 without a word. Their groups get the ids that later formats
 * have for them, and no name: only the computer knows it.
 */
function readOldList(computer: DirectoryObject, list: string, rid: number): EdgeFact[] {
  const members = computer.collected(list);
  if (members === undefined) return [];
  const group: Principal = { id: `${computer.self.id}-${rid}`, kind: 'ADLocalGroup' };
  if (readMembers(computer, members, group) === 0) return [];
  return [edge(group, 'LocalToComputer', computer.self)];
}

/** @returns the edge from the group to the computer, if the group counts */
function readLocalGroup(computer: DirectoryObject, json: Members): EdgeFact[] {
  const group: Principal = {
    id: idOfGroup(computer, json.reference('ObjectIdentifier')),
    kind: 'ADLocalGroup',
  };
  const name = json.text('Name');
  if (group.id === '') {
    computer.problems.note('local groups without an id were left out');
    return [];
  }
  const members = readMembers(computer, json, group);
  if (members === 0 && !KEPT_WHEN_EMPTY.test(name)) return [];
  if (name !== UNNAMED && name !== '') computer.addNode(group, { name: name.toUpperCase() });
  for (const local of json.children('LocalNames')) {
    const id = local.reference('ObjectIdentifier');
    const principalName = local.text('PrincipalName').toUpperCase();
    if (id !== '' && principalName !== '') computer.addNode({ id, kind: 'Base' }, { name: principalName });
  }
  return [edge(group, 'LocalToComputer', computer.self)];
}

/**
 * A member server sometimes reports its own groups under the id of the domain's, or of another computer (both seen on sample
 * data). Their members would get the rights of that group, on every domain controller: they are groups of this computer.
 */
function idOfGroup(computer: DirectoryObject, id: string): string {
  const [, relative] = /-(\d+)$/.exec(id) ?? [];
  const isOthers = relative !== undefined && !id.startsWith(`${computer.self.id}-`);
  return isOthers && computer.flag('IsDC') === false ? `${computer.self.id}-${relative}` : id;
}

function readMembers(computer: DirectoryObject, json: Members, group: Principal): number {
  let count = 0;
  const read = (): { edges: EdgeFact[] } => {
    const edges = json.principals('Results').map((member) => edge(member, 'MemberOfLocalGroup', group));
    count = edges.length;
    return { edges };
  };
  computer.addAspect('local-groups', ownsGroup(computer, group) && computer.file.isWhole, read, group);
  return count;
}

/** Where it is not known whether the computer is a controller, its report is kept in addition to those of controllers. */
function ownsGroup(computer: DirectoryObject, group: Principal): boolean {
  return group.id.startsWith(`${computer.self.id}-`) || computer.flag('IsDC') === true;
}

const LOGON_THROUGH_REMOTE_DESKTOP = 'SeRemoteInteractiveLogonRight';

/** Rule: `docs/reference/collections.md#computers`, UserRights. Other rights make no edge. */
export function readUserRights(computer: DirectoryObject): void {
  for (const right of computer.children('UserRights')) {
    if (right.text('Privilege') !== LOGON_THROUGH_REMOTE_DESKTOP || right.flag('Collected') !== true)
      continue;
    computer.addAspect('user-rights', computer.file.isWhole, () => {
      const edges = right
        .principals('Results')
        .map((principal) => edge(principal, 'RemoteInteractiveLogonRight', computer.self));
      // A right that no one has is known as well: the default of Windows does not count there (ours).
      computer.properties.hasura = true;
      return { edges };
    });
  }
}
