/**
 * For each right that a card can remove and each kind of target: the events that are watched with their attributes, or the reason why
 * not. The table is written by hand from the definitions of events and classes, and not computed.
 */
import { EDGE_KINDS, type EdgeKindName } from '@clew/model';
import type { KitObject, KitRelation } from '@clew/planning';
import { describe, expect, it } from 'vitest';
import { convertRules, isInstalled } from '../test/convertRules.ts';
import { RULES_OF_USE } from './findingWatch.ts';
import { rulesOfRelation } from './relationRules.ts';
import { kqlOf, sigmaText } from './sigma.ts';

const SID = 'S-1-5-21-1-2-3';
const WITH_SID = new Set(['User', 'Computer', 'Group', 'Domain']);

const objectOf = (kind: string): KitObject => {
  const sid = kind === 'Domain' ? SID : WITH_SID.has(kind) ? `${SID}-1105` : null;
  const guid = sid === null && kind !== 'ADLocalGroup' ? '0000000b-aaaa-bbbb-cccc-dddddddddddd' : null;
  const place = kind === 'ADLocalGroup' ? `${SID}-1106-544` : (sid ?? guid ?? '');
  return {
    ...{ objectId: place.toUpperCase(), kind, sid, guid, tenant: null },
    name: kind === 'ADLocalGroup' ? 'ADMINISTRATORS@HOST.CORP.EXAMPLE' : `${kind}.CORP.EXAMPLE`,
    distinguishedName: kind === 'ADLocalGroup' ? null : `CN=${kind},DC=CORP,DC=EXAMPLE`,
    domain: { sid: SID, name: 'CORP.EXAMPLE' },
  };
};

const ANN: KitObject = { ...objectOf('User'), objectId: `${SID}-1104`, sid: `${SID}-1104` };
const GROUP: KitObject = { ...objectOf('Group'), objectId: `${SID}-1199`, sid: `${SID}-1199` };

const USER_OF_TENANT: KitObject = {
  ...{ ...objectOf('AZUser'), guid: '0000000d-aaaa-bbbb-cccc-dddddddddddd' },
};

const relationOf = (relation: string, kind: string, source = ANN): KitRelation => ({
  ...{ source, relation: relation as EdgeKindName, target: objectOf(kind), isInherited: false },
});

/** @returns each rule as its events and attributes, and each reason as `not: ` and its first words */
const shown = (relation: KitRelation): string[] =>
  rulesOfRelation(relation).map((found) => {
    if (typeof found === 'string') return `not: ${found}`;
    const { EventID = [], AttributeLDAPDisplayName = [] } = found.fields;
    return [EventID.join(' '), ...AttributeLDAPDisplayName].join(' ');
  });

const LIST = 'nTSecurityDescriptor';
const ACCOUNT = 'msDS-KeyCredentialLink servicePrincipalName altSecurityIdentities userAccountControl';
const USER = `${ACCOUNT} userPrincipalName scriptPath msDS-AllowedToActOnBehalfOfOtherIdentity msDS-GroupMSAMembership`;
const COMPUTER =
  'msDS-AllowedToActOnBehalfOfOtherIdentity msDS-KeyCredentialLink servicePrincipalName altSecurityIdentities userAccountControl dNSHostName';
const GPO = 'gPCFileSysPath gPCMachineExtensionNames gPCUserExtensionNames versionNumber';
const TEMPLATE =
  'msPKI-Certificate-Name-Flag msPKI-Enrollment-Flag pKIExtendedKeyUsage msPKI-RA-Signature msPKI-Certificate-Application-Policy msPKI-RA-Application-Policies msPKI-Certificate-Policy msPKI-Private-Key-Flag msPKI-Template-Schema-Version';
const AUTHORITY = 'certificateTemplates dNSHostName cACertificate';
const FILES =
  'not: changes of the files of the policy in SYSVOL alone are only in event 5145 (Detailed File Share) of domain controllers.';
const NO_RULE = 'not: Clew has no rule for it.';
const NO_EXTENDED = 'not: no extended right of this kind of object is known to give control.';
const MEMBERS = '4728 4732 4756';

const KINDS = [
  ...['User', 'Computer', 'Group', 'OU', 'Container', 'Domain', 'GPO', 'CertTemplate', 'EnterpriseCA'],
  ...['RootCA', 'AIACA', 'NTAuthStore', 'IssuancePolicy'],
] as const;
type Kind = (typeof KINDS)[number];
type Expected = Readonly<Record<Kind, readonly string[]>>;

const same = (found: readonly string[]): Expected =>
  Object.fromEntries(KINDS.map((kind) => [kind, found])) as Expected;

const WHOLE: Expected = {
  User: [`5136 ${LIST} ${USER}`, '4724'],
  Computer: [`5136 ${LIST} ${COMPUTER}`, '4724', '4662'],
  Group: [`5136 ${LIST}`, MEMBERS],
  OU: [`5136 ${LIST} gPLink gPOptions`, '5137'],
  Container: [`5136 ${LIST}`, '5137'],
  Domain: [`5136 ${LIST} gPLink ms-DS-MachineAccountQuota`, '4662'],
  GPO: [`5136 ${LIST} ${GPO}`, FILES],
  CertTemplate: [`5136 ${LIST} ${TEMPLATE}`, '4887'],
  EnterpriseCA: [`5136 ${LIST} ${AUTHORITY}`, '4882'],
  RootCA: [`5136 ${LIST} cACertificate`],
  AIACA: [`5136 ${LIST} cACertificate`],
  NTAuthStore: [`5136 ${LIST} cACertificate`],
  IssuancePolicy: [`5136 ${LIST} msDS-OIDToGroupLink`],
};
const OF_LIST: Expected = { ...same([`5136 ${LIST}`]), EnterpriseCA: [`5136 ${LIST}`, '4882'] };

/** Rights in access control lists that any kind of object has. */
const ANYWHERE: Readonly<Record<string, Expected>> = {
  GenericAll: WHOLE,
  OwnsLimitedRights: WHOLE,
  GenericWrite: {
    User: [`5136 ${USER}`],
    Computer: [`5136 ${COMPUTER}`],
    Group: [MEMBERS],
    OU: ['5136 gPLink gPOptions'],
    Container: ['not: no attribute of this kind of object is known to give control.'],
    Domain: ['5136 gPLink ms-DS-MachineAccountQuota'],
    GPO: [`5136 ${GPO}`, FILES],
    CertTemplate: [`5136 ${TEMPLATE}`],
    EnterpriseCA: [`5136 ${AUTHORITY}`],
    RootCA: ['5136 cACertificate'],
    AIACA: ['5136 cACertificate'],
    NTAuthStore: ['5136 cACertificate'],
    IssuancePolicy: ['5136 msDS-OIDToGroupLink'],
  },
  WriteDacl: OF_LIST,
  WriteOwner: OF_LIST,
  WriteOwnerRaw: OF_LIST,
  WriteOwnerLimitedRights: OF_LIST,
  Owns: OF_LIST,
  OwnsRaw: OF_LIST,
  AllExtendedRights: {
    ...same([NO_EXTENDED]),
    User: ['4724'],
    Computer: ['4724', '4662'],
    Domain: ['4662'],
    CertTemplate: ['4887'],
  },
};

const LOGON = ['4624'];
/** Other relationships, with the only kinds of target that they have. */
const ELSEWHERE: Readonly<Record<string, readonly (readonly [kind: string, found: readonly string[]])[]>> = {
  ForceChangePassword: [
    ['User', ['4724']],
    ['Computer', ['4724']],
    ['Group', [NO_RULE]],
  ],
  AddMember: [
    ['Group', [MEMBERS]],
    ['User', [NO_RULE]],
  ],
  AddSelf: [['Group', [MEMBERS]]],
  MemberOf: [['Group', [MEMBERS, '4964']]],
  AddAllowedToAct: [['Computer', ['5136 msDS-AllowedToActOnBehalfOfOtherIdentity']]],
  AddKeyCredentialLink: [
    ['User', ['5136 msDS-KeyCredentialLink']],
    ['Computer', ['5136 msDS-KeyCredentialLink']],
  ],
  WriteSPN: [['User', ['5136 servicePrincipalName']]],
  WriteAccountRestrictions: [
    ['Computer', ['5136 msDS-AllowedToActOnBehalfOfOtherIdentity userAccountControl']],
  ],
  WriteGPLink: [
    ['OU', ['5136 gPLink']],
    ['Domain', ['5136 gPLink']],
  ],
  WriteAltSecurityIdentities: [['User', ['5136 altSecurityIdentities']]],
  WritePublicInformation: [['User', ['5136 altSecurityIdentities userPrincipalName servicePrincipalName']]],
  WritePKINameFlag: [['CertTemplate', ['5136 msPKI-Certificate-Name-Flag']]],
  WritePKIEnrollmentFlag: [['CertTemplate', ['5136 msPKI-Enrollment-Flag']]],
  Enroll: [
    ['CertTemplate', ['4887']],
    ['EnterpriseCA', ['not: events of a CA contain names of requesters, not IDs.']],
  ],
  ManageCA: [['EnterpriseCA', ['4882 4890 4891 4892']]],
  ManageCertificates: [['EnterpriseCA', ['4869 4873 4874']]],
  GetChanges: [['Domain', ['4662']]],
  GetChangesAll: [['Domain', ['4662']]],
  GetChangesInFilteredSet: [['Domain', ['4662']]],
  DCSync: [['Domain', ['4662']]],
  ReadLAPSPassword: [['Computer', ['4662']]],
  ReadGMSAPassword: [['User', ['4662']]],
  SyncLAPSPassword: [['Computer', [NO_RULE]]],
  AdminTo: [['Computer', ['4672']]],
  MemberOfLocalGroup: [['ADLocalGroup', ['4672']]],
  CanRDP: [['Computer', LOGON]],
  RemoteInteractiveLogonRight: [['Computer', LOGON]],
  CanPSRemote: [['Computer', LOGON]],
  ExecuteDCOM: [['Computer', LOGON]],
  BackupPrivilege: [['Computer', ['4672']]],
  RestorePrivilege: [['Computer', ['4672']]],
  CanBackup: [['Computer', ['4672']]],
  SQLAdmin: [['Computer', ['not: only the log of SQL Server shows it.']]],
  AllowedToDelegate: [['Computer', ['4769']]],
  AllowedToAct: [['Computer', ['4769']]],
};

/** Whether the table has to have the kind: each right of Active Directory. */
const isInTable = ({ acl, platform, name }: (typeof EDGE_KINDS)[number]): boolean =>
  (acl && platform === 'ad') || Object.hasOwn(ANYWHERE, name) || Object.hasOwn(ELSEWHERE, name);

describe('the rules of a relationship', () => {
  const cases = [
    ...Object.entries(ANYWHERE).flatMap(([right, all]) =>
      KINDS.map((kind) => [right, kind, all[kind]] as const),
    ),
    ...Object.entries(ELSEWHERE).flatMap(([right, all]) =>
      all.map(([kind, found]) => [right, kind, found] as const),
    ),
  ];

  it('are in the table for each right of an access control list', () => {
    const rights = EDGE_KINDS.filter(isInTable).map(({ name }) => name);
    expect([...new Set(cases.map(([right]) => right))].sort()).toEqual(rights.sort());
  });

  it.each(cases)('watch events that occur: %s of %s', (right, kind, found) => {
    expect(shown(relationOf(right, kind))).toEqual(found);
  });

  it('exist, or a reason does, for every kind of relationship and target, also with nothing collected', () => {
    const bare = { sid: null, guid: null, distinguishedName: null, domain: null, name: '', objectId: '' };
    for (const { name } of EDGE_KINDS)
      for (const kind of [...KINDS, 'ADLocalGroup', 'AZRole', 'AZGroup', 'AZUser', ''])
        for (const source of [ANN, GROUP, { ...ANN, ...bare }])
          for (const target of [objectOf(kind), { ...objectOf(kind), ...bare }]) {
            const found = rulesOfRelation({ ...relationOf(name, kind, source), target });
            expect(found.length).toBeGreaterThan(0);
            for (const one of found)
              if (typeof one === 'string') expect(one).toMatch(/^\S.{15,}\.$/);
              else {
                expect(sigmaText(one)).toMatch(/^[\n -~]*$/);
                kqlOf(one);
                expect(
                  Object.values(one.fields).every((values) => values.length > 0 && !values.includes('')),
                ).toBe(true);
              }
          }
  });

  it('find an object without a collected GUID by its name, also if a group may write to it', () => {
    const [written] = rulesOfRelation(relationOf('GenericWrite', 'Computer', GROUP));
    expect(written).toMatchObject({ fields: { ObjectDN: ['CN=Computer,DC=CORP,DC=EXAMPLE'] } });
    expect(kqlOf(written as never)).toContain('Fields["ObjectDN"]) in~ ("CN=Computer,DC=CORP,DC=EXAMPLE")');
    const [delegated] = rulesOfRelation(relationOf('AllowedToAct', 'Computer'));
    expect(kqlOf(delegated as never)).toContain(
      '| where not (tostring(Fields["TransmittedServices"]) in~ ("-"))',
    );
    const target = { ...objectOf('Computer'), distinguishedName: 'CN=A\u0007,DC=CORP' };
    const hostile = rulesOfRelation({ ...relationOf('GenericWrite', 'Computer', GROUP), target });
    expect(hostile).toEqual([expect.stringContaining('which were not collected')]);
  });

  it('do not exclude the principal: a computer may replicate without being a domain controller', () => {
    const host = { ...objectOf('Computer'), sid: `${SID}-1107` };
    const [known] = rulesOfRelation(relationOf('GetChangesAll', 'Domain', host));
    expect(known).toMatchObject({ fields: { SubjectUserSid: [`${SID}-1107`] } });
    expect(known).not.toHaveProperty('except');
    const [ofGroup] = rulesOfRelation(relationOf('GetChangesAll', 'Domain', GROUP));
    expect(ofGroup).toMatchObject({ except: { 'SubjectUserName|endswith': ['$'] } });
  });

  it('of Entra ID watch what gives control: credentials, owners, members, permissions, activations', () => {
    const ofTenant = (relation: string, target: KitObject, source = USER_OF_TENANT) =>
      rulesOfRelation({ source, relation: relation as EdgeKindName, target, isInherited: false });
    const fieldsOf = (...one: Parameters<typeof ofTenant>) =>
      ofTenant(...one).map((found) => (typeof found === 'string' ? found : found.fields));
    const app = { ...objectOf('AZApp'), applicationObjectId: '0000000c-aaaa-bbbb-cccc-dddddddddddd' };
    const principal = objectOf('AZServicePrincipal');
    const about = (operations: readonly string[], id: string | null) => ({
      ...{ 'OperationName|contains': operations, 'TargetResources|contains': [id] },
    });
    // The client ID of an application is in no event about it.
    const secrets = about(['Certificates and secrets management'], app.applicationObjectId);
    const owners = about(['Add owner to application'], app.applicationObjectId);
    expect(fieldsOf('AZAddSecret', app)).toEqual([secrets]);
    expect(fieldsOf('AZOwns', app)).toEqual([secrets, owners]);
    expect(fieldsOf('AZMGAddOwner', app)).toEqual([owners]);
    expect(fieldsOf('AZAddSecret', objectOf('AZApp'))).toEqual([expect.stringContaining('not collected')]);
    expect(fieldsOf('AZMGAddSecret', principal)).toEqual([
      about(['Add service principal credentials', 'Certificates and secrets management'], principal.guid),
    ]);
    expect(fieldsOf('AZOwns', objectOf('AZGroup'))).toHaveLength(2);
    expect(fieldsOf('AZMGGrantAppRoles', objectOf('AZTenant'), principal)).toEqual([
      {
        'OperationName|contains': ['Add app role assignment to service principal'],
        'InitiatedBy|contains': [principal.guid],
      },
    ]);
    expect(fieldsOf('AZMGGrantRole', objectOf('AZTenant'), objectOf('AZGroup'))).toEqual([
      expect.stringContaining('not a single account'),
    ]);
  });

  it('watch the activation of an eligible role, and say that it looks like a new member, too', () => {
    const template = '62e90394-69f5-4237-9190-012177145e10';
    const role = { ...objectOf('AZRole'), objectId: `${template.toUpperCase()}@TENANT` };
    const of = (relation: 'AZHasRole' | 'AZRoleEligible', source = USER_OF_TENANT) =>
      rulesOfRelation({ source, relation, target: role, isInherited: false });
    const [activated, added] = of('AZRoleEligible');
    expect(activated).toMatchObject({
      fields: {
        OperationName: ['Add member to role completed (PIM activation)'],
        'AdditionalDetails|contains': [template],
        'InitiatedBy|contains': [USER_OF_TENANT.guid],
      },
    });
    expect(of('AZRoleEligible', objectOf('AZGroup'))[0]).not.toHaveProperty('fields.InitiatedBy|contains');
    expect(of('AZRoleEligible').filter((found) => typeof found === 'string')).toEqual([]);
    for (const rule of [added, of('AZHasRole')[0]])
      expect(rule).toMatchObject({
        falsePositives: expect.stringContaining('activations of eligible roles'),
      });
    expect(of('AZHasRole')[1]).toContain('no single event');
  });

  it('exist for every relationship of Entra ID that a card can remove by itself', () => {
    const named = EDGE_KINDS.filter(({ name }) =>
      /^AZ(?:MG|Add|Owns|HasRole|RoleEligible|MemberOf)/.test(name),
    );
    const targets = ['AZApp', 'AZServicePrincipal', 'AZGroup', 'AZTenant', 'AZRole'];
    const isWatched = ({ name }: (typeof EDGE_KINDS)[number]): boolean =>
      targets.some((kind) =>
        rulesOfRelation({
          ...relationOf(name, kind, USER_OF_TENANT),
          target: { ...objectOf(kind), objectId: 'A@B', applicationObjectId: 'a' },
        }).some((found) => typeof found !== 'string'),
      );
    expect(named.filter((one) => !isWatched(one)).map(({ name }) => name)).toEqual([]);
  });

  it('name a use that needs a single account, if the principal is a group', () => {
    for (const [right, kind] of [
      ['GenericAll', 'Computer'],
      ['GenericAll', 'OU'],
      ['AdminTo', 'Computer'],
      ['ReadLAPSPassword', 'Computer'],
    ] as const)
      expect(shown(relationOf(right, kind, GROUP)).at(-1)).toMatch(/^not: .*not a single account\.$/);
  });

  it('watch the policy and the container that the relationship passes on, and the published template', () => {
    const from = (kind: string, relation: string, target: string): string[] =>
      shown({ ...relationOf(relation, target), source: objectOf(kind) });
    expect(from('GPO', 'GPLink', 'OU')).toEqual([`5136 ${GPO}`, FILES]);
    expect(from('OU', 'Contains', 'User')).toEqual([`5136 ${LIST} gPLink`]);
    expect(from('Container', 'Contains', 'User')).toEqual([`5136 ${LIST}`]);
    expect(from('CertTemplate', 'PublishedTo', 'EnterpriseCA')).toEqual(['4887']);
    expect(from('Computer', 'HasSession', 'User')).toEqual(['4624']);
  });

  it('require the auditing that writes the event', () => {
    const needsOf = (right: string, kind: string): string[] =>
      rulesOfRelation(relationOf(right, kind)).flatMap((found) =>
        typeof found === 'string' ? [] : [found.needs],
      );
    expect(needsOf('WriteDacl', 'CertTemplate')).toEqual([
      'Directory Service Changes on all domain controllers of the forest, and an audit entry on the object for changing permissions, changing the owner, by Everyone',
    ]);
    expect(needsOf('GenericWrite', 'User')[0]).toContain(
      'on domain controllers, and an audit entry on the object for writing all properties',
    );
    expect(needsOf('ManageCA', 'EnterpriseCA')[0]).toContain('all events in its audit filter');
    expect(needsOf('MemberOf', 'Group')[1]).toContain('SpecialGroups');
  });
});

it('reports no logon of members of a group to which nearly every account belongs', () => {
  const from = (sid: string) => shown(relationOf('MemberOf', 'Group', { ...GROUP, sid, objectId: sid }));
  const some = ['S-1-1-0', 'S-1-5-11', 'S-1-5-32-545', `${SID}-513`, `${SID}-514`, `${SID}-515`];
  for (const sid of some)
    expect([sid, from(sid)]).toEqual([
      sid,
      [MEMBERS, expect.stringMatching(/^not: logons of members: nearly every account is a member/)],
    ]);
  for (const sid of [`${SID}-512`, `${SID}-1513`, 'S-1-5-32-544'])
    expect([sid, from(sid)]).toEqual([sid, [MEMBERS, '4964']]);
});

describe.skipIf(!isInstalled)(`pySigma${isInstalled ? '' : ' (not installed)'}`, () => {
  it('validates and converts the rules of every kind of relationship and target, and of findings', () => {
    const kinds = [...KINDS, 'ADLocalGroup', 'AZRole', 'AZGroup', 'AZUser'];
    const found = EDGE_KINDS.flatMap(({ name }) =>
      kinds.flatMap((kind) =>
        [ANN, GROUP].flatMap((source) => rulesOfRelation(relationOf(name, kind, source))),
      ),
    ).filter((one) => typeof one !== 'string');
    const all = [...found, ...[...RULES_OF_USE.values()].map((ruleOf) => ruleOf(SID))];
    // Rules with the same fields are converted in the same way.
    const shapes = new Map(
      all.map((rule) => [JSON.stringify([rule.fields.EventID, Object.keys(rule.fields)]), sigmaText(rule)]),
    );
    const rules = [...shapes.values()];
    expect(rules.length).toBeGreaterThan(25);
    const { stdout, stderr } = convertRules(rules);
    expect([JSON.parse(stdout), stderr]).toEqual([[], '']);
  }, 120_000);
});
