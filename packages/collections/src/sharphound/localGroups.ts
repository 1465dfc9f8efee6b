/**
 * Local groups and user rights of computers, as reported by the computers.
 *
 * Rules: `docs/reference/collections.md#computers`.
 */
import type { EdgeFact } from '@clew/model';
import type { DirectoryObject } from './directoryObject.ts';
import { edge } from './edges.ts';
import { isManagedAccount } from './managedAccounts.ts';
import type { Members } from './members.ts';
import type { Principal } from './principal.ts';

/** Name of groups that are collected with another object, whose name must not be overwritten. */
const UNNAMED = 'IGNOREME';

/** A group without members matters only if its existence does. */
const KEPT_WHEN_EMPTY = /^direct access users/i;

/**
 * Members belong to the group, so that each group replaces its own members, and an unreadable group keeps the known ones. The edge from the
 * group to the computer belongs to the computer: domain controllers share their groups, and collecting one controller must not remove them
 * from the others.
 */
export function readLocalGroups(computer: DirectoryObject): void {
  const groups = computer.children('LocalGroups');
  if (isManagedAccount(computer)) {
    const isListed = OLD_LISTS.some(([list]) => (computer.child(list)?.list('Results').length ?? 0) > 0);
    if (groups.length > 0 || isListed)
      computer.problems.note('local groups of objects that are not computers were skipped');
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

/** Lists of format 4, with the relative id of their group. */
const OLD_LISTS = [
  ['LocalAdmins', 544],
  ['RemoteDesktopUsers', 555],
  ['DcomUsers', 562],
  ['PSRemoteUsers', 580],
] as const;

/**
 * The reference implementation silently drops computers of format 4. Their groups get the ids of later formats, and no name, which only the
 * computer knows.
 */
function readOldList(computer: DirectoryObject, list: string, rid: number): EdgeFact[] {
  const members = computer.collected(list);
  if (members === undefined) return [];
  const group: Principal = { id: `${computer.self.id}-${rid}`, kind: 'ADLocalGroup' };
  if (readMembers(computer, members, group) === 0) return [];
  return [edge(group, 'LocalToComputer', computer.self)];
}

/** @returns the edge from the group to the computer, if the group is relevant */
function readLocalGroup(computer: DirectoryObject, json: Members): EdgeFact[] {
  const group: Principal = {
    id: idOfGroup(computer, json.reference('ObjectIdentifier')),
    kind: 'ADLocalGroup',
  };
  const name = json.text('Name');
  if (group.id === '') {
    computer.problems.note('local groups without an ID were skipped');
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
 * A member server sometimes reports its own groups with the id of the domain's, or of another computer's (both seen in sample data). Their
 * members would get the rights of that group on every domain controller, so they are treated as groups of this computer.
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

/** If it is unknown whether the computer is a controller, its report is added to those of controllers. */
function ownsGroup(computer: DirectoryObject, group: Principal): boolean {
  return group.id.startsWith(`${computer.self.id}-`) || computer.flag('IsDC') === true;
}

const LOGON_THROUGH_REMOTE_DESKTOP = 'SeRemoteInteractiveLogonRight';

/** Rule: `docs/reference/collections.md#computers`, UserRights. Other rights produce no edge. */
export function readUserRights(computer: DirectoryObject): void {
  for (const right of computer.children('UserRights')) {
    if (right.text('Privilege') !== LOGON_THROUGH_REMOTE_DESKTOP || right.flag('Collected') !== true)
      continue;
    computer.addAspect('user-rights', computer.file.isWhole, () => {
      const edges = right
        .principals('Results')
        .map((principal) => edge(principal, 'RemoteInteractiveLogonRight', computer.self));
      // A right without holders is also known: the Windows default then does not apply (ours).
      computer.properties.hasura = true;
      return { edges };
    });
  }
}
