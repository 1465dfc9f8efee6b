/**
 * Computer settings of a group policy, from its files: members of local groups (restricted groups: MS-GPSB 2.2.4; preferences: MS-GPPREF
 * 2.2.1.11), user rights (MS-GPSB 2.2.6), and passwords that anyone can read.
 */

/** Local groups with members in the graph. */
export type LocalGroup = 'LocalAdmins' | 'RemoteDesktopUsers' | 'DcomUsers' | 'PSRemoteUsers';

export interface PolicySettings {
  /** SIDs that the policy adds to each group. */
  readonly members: Readonly<Record<LocalGroup, ReadonlySet<string>>>;
  /** SIDs with a user right from the policy, which replaces those of other policies. */
  readonly rights: ReadonlyMap<string, readonly string[]>;
  /** Whether a file contains a password encrypted with a public key (MS-GPPREF 2.2.1.1.4). */
  readonly hasPassword: boolean;
  /** Members that are only named, with unknown ids. */
  readonly unresolved: readonly string[];
}

export const LOCAL_GROUP_IDS: readonly (readonly [LocalGroup, rid: string, name: string])[] = [
  ['LocalAdmins', '544', 'administrators'],
  ['RemoteDesktopUsers', '555', 'remote desktop users'],
  ['DcomUsers', '562', 'distributed com users'],
  ['PSRemoteUsers', '580', 'remote management users'],
];

/** Files to read, relative to the policy's folder. */
export const POLICY_FILES = {
  template: 'MACHINE/Microsoft/Windows NT/SecEdit/GptTmpl.inf',
  groups: 'MACHINE/Preferences/Groups/Groups.xml',
} as const;

/** Other preferences that may contain a password. */
export const PASSWORD_FILES: readonly string[] = [
  ...['Services/Services.xml', 'ScheduledTasks/ScheduledTasks.xml', 'DataSources/DataSources.xml'],
  ...['Printers/Printers.xml', 'Drives/Drives.xml'],
]
  .flatMap((file) => ['MACHINE', 'USER'].map((part) => `${part}/Preferences/${file}`))
  .concat('USER/Preferences/Groups/Groups.xml');

/** @param files contents by path, without files that the policy lacks */
export function readPolicySettings(files: ReadonlyMap<string, Buffer>): PolicySettings {
  const settings = new SettingsBuilder();
  const template = files.get(POLICY_FILES.template);
  if (template !== undefined) readTemplate(decoded(template), settings);
  const groups = files.get(POLICY_FILES.groups);
  if (groups !== undefined) readGroups(decoded(groups), settings);
  for (const [path, bytes] of files)
    if (/\.xml$/i.test(path)) settings.hasPassword ||= hasPassword(decoded(bytes));
  return settings;
}

class SettingsBuilder implements PolicySettings {
  readonly members: Record<LocalGroup, Set<string>> = {
    LocalAdmins: new Set(),
    RemoteDesktopUsers: new Set(),
    DcomUsers: new Set(),
    PSRemoteUsers: new Set(),
  };
  readonly rights = new Map<string, readonly string[]>();
  readonly unresolved: string[] = [];
  hasPassword = false;

  add(group: LocalGroup, member: string): void {
    if (isSid(member)) this.members[group].add(member);
    else this.unresolved.push(member);
  }
}

/** Files of Windows are UTF-16 with a mark; files of other tools are often UTF-8. */
function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes[0] === 0xef && bytes[1] === 0xbb) return bytes.toString('utf8', 3);
  return bytes.length > 1 && bytes[1] === 0 ? bytes.toString('utf16le') : bytes.toString('utf8');
}

const isSid = (text: string): boolean => /^S-1-[0-9-]+$/i.test(text);

/** A security template: sections of `name = value, value`, with `*` before SIDs. */
function readTemplate(text: string, settings: SettingsBuilder): void {
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[([^\]]+)\]\s*$/.exec(line)?.[1];
    if (head !== undefined) {
      section = head.toLowerCase();
      continue;
    }
    const at = line.indexOf('=');
    if (at < 0) continue;
    const name = line.slice(0, at).trim();
    const values = line
      .slice(at + 1)
      .split(',')
      .map((value) => value.trim().replace(/^\*/, ''))
      .filter((value) => value !== '');
    if (section === 'privilege rights') settings.rights.set(name, values.filter(isSid));
    else if (section === 'group membership') readRestrictedGroup(name, values, settings);
  }
}

/** `*S-1-5-32-544__Members = ...` lists the members of a group, `*SID__Memberof = ...` the groups of a principal. */
function readRestrictedGroup(name: string, values: readonly string[], settings: SettingsBuilder): void {
  const [, principal, list] = /^\*?(.+?)__(Members|Memberof)$/i.exec(name) ?? [];
  if (principal === undefined) return;
  if (list.toLowerCase() === 'members') {
    const group = localGroup(principal);
    if (group !== undefined) for (const member of values) settings.add(group, member);
    return;
  }
  for (const value of values) {
    const group = localGroup(value);
    if (group !== undefined) settings.add(group, principal);
  }
}

/** @param name a SID or the English name of a local group */
function localGroup(name: string): LocalGroup | undefined {
  const rid = /^S-1-5-32-(\d+)$/i.exec(name)?.[1];
  const plain = name
    .toLowerCase()
    .replace(/^builtin\\/, '')
    .replace(/ \(built-in\)$/, '');
  return LOCAL_GROUP_IDS.find(([, id, known]) => (rid === undefined ? known === plain : id === rid))?.[0];
}

/** Preference groups: elements `Group` with `Properties` and `Member`s. */
function readGroups(xml: string, settings: SettingsBuilder): void {
  for (const [element] of xml.matchAll(/<Group\b[\s\S]*?<\/Group>/gi)) {
    const head = /^<Group\b[^>]*>/i.exec(element)?.[0] ?? '';
    const properties = /<Properties\b[^>]*>/i.exec(element)?.[0] ?? '';
    const group =
      localGroup(attributeOf(properties, 'groupSid')) ?? localGroup(attributeOf(properties, 'groupName'));
    const isRemoved = attributeOf(properties, 'action').toUpperCase() === 'D';
    if (group === undefined || isRemoved || attributeOf(head, 'disabled') === '1') continue;
    for (const [member] of element.matchAll(/<Member\b[^>]*>/gi)) {
      const sid = attributeOf(member, 'sid');
      const action = attributeOf(member, 'action').toUpperCase();
      if (action === 'ADD') settings.add(group, sid === '' ? attributeOf(member, 'name') : sid);
      else if (action === 'REMOVE') settings.members[group].delete(sid);
    }
  }
}

const attributeOf = (element: string, name: string): string =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(element)?.[1] ?? '';

const hasPassword = (xml: string): boolean => /\scpassword="[^"]+"/i.test(xml);
