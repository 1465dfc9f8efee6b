/**
 * Detection rules for the steps that a change would prevent: until it is made, they detect these steps.
 *
 * Events and fields: appendix L of Microsoft's guide to securing Active Directory, and the audit log of Entra ID. Rule:
 * `docs/kits.md#detection-rules`.
 */
import type { KitFacts, KitObject, KitRelation } from '@clew/planning';
import { RIGHTS } from './rights.ts';
import type { WatchRule } from './sigma.ts';

export interface Watch {
  readonly rules: readonly WatchRule[];
  /** Relationships without events, with the reasons. */
  readonly unwatched: readonly string[];
}

const windows = { product: 'windows', service: 'security' } as const;
const CHANGES =
  'Directory Service Changes on domain controllers, and an audit entry on the object for writes by Everyone';
const CERTIFICATES = 'Certification Services on the CA, and all events in its audit filter';
const EXPECTED = 'Administrators who do this as part of their work';

/** Kinds of principals that act themselves; group members are too many to list. */
const ACCOUNTS = new Set(['User', 'Computer']);
const subjectOf = ({ kind, sid }: KitObject): Record<string, string[]> =>
  ACCOUNTS.has(kind) && sid !== null ? { SubjectUserSid: [sid] } : {};

/** Attributes written by a step. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  GenericAll: ['nTSecurityDescriptor', 'msDS-KeyCredentialLink', 'servicePrincipalName', 'member', 'gPLink'],
  GenericWrite: ['msDS-KeyCredentialLink', 'servicePrincipalName', 'member', 'gPLink', 'scriptPath'],
  WriteDacl: ['nTSecurityDescriptor'],
  WriteOwnerRaw: ['nTSecurityDescriptor'],
  WriteOwner: ['nTSecurityDescriptor'],
  OwnsRaw: ['nTSecurityDescriptor'],
  Owns: ['nTSecurityDescriptor'],
  AddKeyCredentialLink: ['msDS-KeyCredentialLink'],
  WriteSPN: ['servicePrincipalName'],
  AddAllowedToAct: ['msDS-AllowedToActOnBehalfOfOtherIdentity'],
  WriteAccountRestrictions: ['msDS-AllowedToActOnBehalfOfOtherIdentity', 'userAccountControl'],
  WriteGPLink: ['gPLink'],
  WritePKINameFlag: ['msPKI-Certificate-Name-Flag'],
  WritePKIEnrollmentFlag: ['msPKI-Enrollment-Flag'],
  WriteAltSecurityIdentities: ['altSecurityIdentities'],
  WritePublicInformation: ['altSecurityIdentities', 'userPrincipalName', 'servicePrincipalName'],
};

const REPLICATION = new Set(['GetChanges', 'GetChangesAll', 'GetChangesInFilteredSet']);

const RESETS = new Set(['GenericAll', 'AllExtendedRights', 'ForceChangePassword']);
const MEMBERS = new Set(['GenericAll', 'GenericWrite', 'AddMember', 'AddSelf', 'MemberOf']);

const NAMELESS_TEMPLATE =
  'the event contains the name of the template, and this name has control characters, which searches do not support.';

/** Certificates of a template. Events only contain its name, and backends accept no control characters. */
function issued({ name }: KitObject): WatchRule[] {
  const [template = ''] = name.split('@');
  if (/\p{Cc}/u.test(template)) return [];
  return [
    {
      ...windows,
      title: 'A certificate of the template is issued',
      fields: { EventID: [4887], 'Attributes|contains': [`CertificateTemplate:${template}`] },
      ...{ needs: CERTIFICATES, falsePositives: 'Everyone who enrolls in this template' },
    },
  ];
}

function rulesOf({ source, relation, target }: KitRelation): WatchRule[] {
  const found: WatchRule[] = [];
  const subject = subjectOf(source);
  const attributes = WRITTEN[relation];
  // If the GUID of the target was not collected, the acting account must be known.
  const place: WatchRule['fields'] = target.guid === null ? {} : { ObjectGUID: [`{${target.guid}}`] };
  if (attributes !== undefined && (target.guid !== null || Object.keys(subject).length > 0))
    found.push({
      ...windows,
      title: `${relation} is used: an attribute of the object is written`,
      fields: { EventID: [5136], ...place, AttributeLDAPDisplayName: attributes, ...subject },
      ...{ needs: CHANGES, falsePositives: EXPECTED },
    });
  if (RESETS.has(relation) && ACCOUNTS.has(target.kind) && target.sid !== null)
    found.push({
      ...windows,
      title: `${relation} is used: the password of the account is reset`,
      fields: { EventID: [4724], TargetSid: [target.sid], ...subject },
      ...{ needs: 'User Account Management on domain controllers', falsePositives: EXPECTED },
    });
  if (MEMBERS.has(relation) && target.kind === 'Group' && target.sid !== null)
    found.push({
      ...windows,
      title: `${relation}: a member is added to the group`,
      fields: { EventID: [4728, 4732, 4756], TargetSid: [target.sid] },
      ...{ needs: 'Security Group Management on domain controllers', falsePositives: EXPECTED },
    });
  if (REPLICATION.has(relation))
    found.push({
      ...windows,
      title: `${relation} is used: an account that is not a domain controller replicates the directory`,
      fields: {
        EventID: [4662],
        'Properties|contains': RIGHTS[relation]?.flatMap(({ Types }) => Types) ?? [],
        ...subject,
      },
      except: { 'SubjectUserName|endswith': ['$'] },
      needs: 'Directory Service Access on domain controllers, and an audit entry on the domain',
      falsePositives: 'Accounts of directory synchronization',
    });
  if (relation === 'HasSession' && target.sid !== null)
    found.push({
      ...windows,
      title: 'The account logs on to a computer that it should not use',
      fields: {
        ...{ EventID: [4624], TargetUserSid: [target.sid], LogonType: [2, 3, 4, 5, 10, 11] },
        Computer: [source.name],
      },
      ...{ needs: 'Logon on the computer, and forwarding of its events', falsePositives: EXPECTED },
    });
  if (relation === 'Enroll' && target.kind === 'CertTemplate') found.push(...issued(target));
  if ((relation === 'AZHasRole' || relation === 'AZRoleEligible') && target.objectId.includes('@'))
    found.push({
      ...{ product: 'azure', service: 'auditlogs', title: 'A member is added to the Entra ID role' },
      fields: {
        OperationName: ['Add member to role', 'Add eligible member to role'],
        'TargetResources|contains': [target.objectId.split('@')[0]?.toLowerCase() ?? ''],
      },
      ...{ needs: 'nothing: the Entra ID audit log contains it', falsePositives: EXPECTED },
    });
  return found;
}

function reasonOf({ relation, target }: KitRelation): string {
  if (relation === 'Enroll' && target.kind === 'CertTemplate') return NAMELESS_TEMPLATE;
  if (WRITTEN[relation] !== undefined && target.guid === null)
    return 'the event contains a GUID of the object that was not collected, and the principal is not a single account.';
  return 'no known log event shows that it is used.';
}

/** Certificate requests that use the setting. */
function rulesOfSetting({ kind, object }: KitFacts): WatchRule[] {
  if (kind.startsWith('template-')) return issued(object);
  if (kind === 'authority-san-flag')
    return [
      {
        ...windows,
        title: 'A certificate is issued with a name from an attribute of its request',
        fields: { EventID: [4887], 'Attributes|contains': ['SAN:'] },
        needs: CERTIFICATES,
        ...{ falsePositives: 'Web servers whose requests contain additional names' },
      },
    ];
  return [];
}

/** @returns one rule per event that shows a step of the change */
export function watchOf(facts: KitFacts): Watch {
  const settings = rulesOfSetting(facts);
  if (facts.removed.length > 0 || settings.length > 0) return watchAll(settings, facts.removed, 'change');
  const reason = facts.kind.startsWith('template-')
    ? `Certificates of the template: ${NAMELESS_TEMPLATE}`
    : 'No security log event shows that this setting is used; the change may list other events to check.';
  return { rules: [], unwatched: [reason] };
}

/** @returns one rule per event that shows the use of one of the relationships */
export const watchRelations = (relations: readonly KitRelation[]): Watch => watchAll([], relations, 'step');

function watchAll(
  settings: readonly WatchRule[],
  relations: readonly KitRelation[],
  whole: 'change' | 'step',
): Watch {
  const all = [...settings];
  const unwatched = new Set<string>();
  for (const relation of relations) {
    const rules = rulesOf(relation);
    all.push(...rules);
    if (rules.length === 0) unwatched.add(`${relation.relation}: ${reasonOf(relation)}`);
  }
  const distinct = [...new Map(all.map((rule) => [JSON.stringify(rule), rule])).values()];
  const left = distinct.length - MAX_RULES;
  if (left > 0)
    unwatched.add(
      `${left} further rules of this ${whole} are omitted: the kit contains at most ${MAX_RULES}.`,
    );
  return { rules: distinct.slice(0, MAX_RULES), unwatched: [...unwatched] };
}

/** Maximum rules per change or step: a change about many sessions has this many. */
const MAX_RULES = 20;
