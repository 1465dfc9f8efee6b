/** Domains, organizational units, sites and policies: policy links, and the policy settings of affected computers. */
import type { PolicyFilter } from '../rights/policyFilter.ts';
import type { PolicySettings } from '../sysvol/policySettings.ts';
import { LOCAL_GROUP_IDS } from '../sysvol/policySettings.ts';
import { hasBits, text, wholeNumber } from './entryValues.ts';
import { type PolicyLink, readPolicyLinks } from './policyLinks.ts';
import type { Json, Reading, Subject } from './records.ts';
import { policyDuration } from './times.ts';

const BLOCKS_INHERITANCE = 1;

export function addUnit(reading: Reading, subject: Subject): void {
  addLinks(reading, subject);
  const options = wholeNumber(subject.attributes, 'gpoptions') ?? 0;
  subject.properties.blocksinheritance = hasBits(options, BLOCKS_INHERITANCE);
}

export function addSite(reading: Reading, { attributes, record, name }: Subject): void {
  record.Links = linksOf(reading, readPolicyLinks(text(attributes, 'gplink')), name);
}

/** Names of msDS-Behavior-Version (MS-ADTS 6.1.4.4). */
const LEVELS: readonly string[] = [
  ...['2000 Mixed/Native', '2003 Interim', '2003', '2008', '2008 R2', '2012', '2012 R2', '2016'],
  ...['Unknown', 'Unknown', '2025'],
];

export function addDomain(reading: Reading, subject: Subject, trusts: readonly Json[]): void {
  addLinks(reading, subject);
  const { attributes, record, properties } = subject;
  const { facts, dsHeuristics } = reading.known;
  const level = wholeNumber(attributes, 'msds-behavior-version');
  record.Trusts = trusts;
  Object.assign(properties, {
    collected: true,
    functionallevel: (level === undefined ? undefined : LEVELS[level]) ?? 'Unknown',
    machineaccountquota: wholeNumber(attributes, 'ms-ds-machineaccountquota'),
    minpwdlength: wholeNumber(attributes, 'minpwdlength'),
    pwdproperties: wholeNumber(attributes, 'pwdproperties'),
    pwdhistorylength: wholeNumber(attributes, 'pwdhistorylength'),
    lockoutthreshold: wholeNumber(attributes, 'lockoutthreshold'),
    minpwdage: policyDuration(text(attributes, 'minpwdage')),
    maxpwdage: policyDuration(text(attributes, 'maxpwdage')),
    lockoutduration: policyDuration(text(attributes, 'lockoutduration')),
    lockoutobservationwindow: policyDuration(text(attributes, 'lockoutobservationwindow')),
    expirepasswordsonsmartcardonlyaccounts:
      text(attributes, 'msds-expirepasswordsonsmartcardonlyaccounts') === 'TRUE',
    ...{ dsheuristics: dsHeuristics, netbios: facts.netbios ?? null },
  });
}

export function addPolicy(
  { notes }: Reading,
  { attributes, record, properties, name, policyFilter = 'none' }: Subject,
): void {
  record.ContainedBy = null;
  properties.gpcpath = (text(attributes, 'gpcfilesyspath') ?? '').toUpperCase();
  properties.gpostatus = String(wholeNumber(attributes, 'flags') ?? 0);
  if (attributes.has('gpcwqlfilter')) notes.add('policies with a WMI filter, which is not evaluated', name);
  const filtered = FILTERS[policyFilter];
  if (filtered !== undefined) notes.add(filtered, name);
}

const FILTERS: Readonly<Record<PolicyFilter, string | undefined>> = {
  none: undefined,
  groups:
    'policies that only some users and computers may apply (security filtering), which is not evaluated',
  denied: 'policies that some users or computers may not apply (security filtering), which is not evaluated',
};

function addLinks(reading: Reading, { attributes, record, dn, name }: Subject): void {
  const links = readPolicyLinks(text(attributes, 'gplink')).filter(({ isDisabled }) => !isDisabled);
  record.Links = linksOf(reading, links, name);
  record.ChildObjects = [];
  record.GPOChanges = changesOf(reading, links, dn, name);
}

function linksOf({ known, notes }: Reading, links: readonly PolicyLink[], name: string): readonly Json[] {
  return links
    .filter(({ isDisabled }) => !isDisabled)
    .flatMap(({ dn, isEnforced }) => {
      const guid = known.policies.get(dn);
      if (guid !== undefined) return [{ GUID: guid, IsEnforced: isEnforced }];
      notes.add('links to policies that do not exist or cannot be read', `${name}: ${dn}`);
      return [];
    });
}

/** Members that policies linked here add to local groups, and the affected computers. */
function changesOf(
  { known, settings, notes }: Reading,
  links: readonly PolicyLink[],
  dn: string,
  name: string,
): Json {
  const changes: Record<string, unknown[]> = {
    ...{ LocalAdmins: [], RemoteDesktopUsers: [], DcomUsers: [], PSRemoteUsers: [] },
    AffectedComputers: [],
  };
  const active = links.flatMap((link) => {
    const policy = known.applied.holdsForComputers(link.dn) ? settings.get(link.dn) : undefined;
    return policy === undefined ? [] : [{ link, policy }];
  });
  for (const { link, policy } of active) noteSettings(policy, `${name}: ${link.dn}`, notes);
  const setting = active.filter(({ policy }) =>
    LOCAL_GROUP_IDS.some(([group]) => policy.members[group].size > 0),
  );
  for (const { policy } of setting)
    for (const [group] of LOCAL_GROUP_IDS)
      for (const sid of policy.members[group]) changes[group].push(known.reference(sid));
  if (setting.length > 0) {
    const isEnforced = setting.some(({ link }) => link.isEnforced);
    changes.AffectedComputers = known.applied
      .computersBelow(dn, isEnforced)
      .map((sid) => ({ ObjectIdentifier: sid, ObjectType: 'Computer' }));
  }
  return changes;
}

function noteSettings(
  { hasPassword, unresolved }: PolicySettings,
  example: string,
  notes: Reading['notes'],
): void {
  if (hasPassword)
    notes.add(
      'policies with a password that every user can read (cpassword): remove it, and change the password',
      example,
    );
  for (const member of unresolved) notes.add('members in policies without an ID', `${example}: ${member}`);
}
