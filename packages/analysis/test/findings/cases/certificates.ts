/** type Cases of list findings about certificate services. */
import type { Fact, Thing } from '../worlds.ts';
import {
  AGENT,
  type Cases,
  group,
  ofKind,
  ofTemplates,
  ofTemplatesFor,
  type Props,
  suffixed,
  TEMPLATE,
  user,
} from './case.ts';

const ofServers = {
  effectiveekus: ['1.3.6.1.5.5.7.3.1'],
  enrolleesuppliessubject: true,
  authenticationenabled: false,
};

export const CERTIFICATES_CASES: Cases = {
  CAEditfFlag: ofKind('EnterpriseCA')(
    { isuserspecifiessanenabled: true },
    { isuserspecifiessanenabled: false },
  ),
  CAWebEnrollmentRelay: ofKind('EnterpriseCA')(
    { hasvulnerableendpoint: true },
    { hasvulnerableendpoint: false },
  ),
  CAUnencryptedRPC: ofKind('EnterpriseCA')({ rpcencryptionenforced: false }, { rpcencryptionenforced: true }),
  CASecurityExtensionDisabled: ofKind('EnterpriseCA')(
    { disabledextensions: ['1.3.6.1.4.1.311.25.2'] },
    { disabledextensions: ['1.2.3'] },
  ),
  CANoRoleSeparation: {
    things: [
      ['BAD', 'EnterpriseCA', { roleseparationenabled: false }],
      ['GOOD', 'EnterpriseCA', { roleseparationenabled: false }],
      ['ON', 'EnterpriseCA', { roleseparationenabled: true }],
      user('U'),
      user('V'),
    ],
    facts: [
      ['U', 'ManageCA', 'BAD'],
      ['U', 'ManageCertificates', 'BAD'],
      ['U', 'ManageCA', 'GOOD'],
      ['V', 'ManageCertificates', 'GOOD'],
      ['U', 'ManageCA', 'ON'],
      ['U', 'ManageCertificates', 'ON'],
    ],
    finds: ['BAD'],
    not: ['GOOD', 'ON'],
  },
  CANoAgentRestrictions: {
    things: [
      ['BAD', 'EnterpriseCA', { hasenrollmentagentrestrictions: false }],
      ['GOOD', 'EnterpriseCA', { hasenrollmentagentrestrictions: false }],
      ['ON', 'EnterpriseCA', { hasenrollmentagentrestrictions: true }],
      ['AGENTS', 'CertTemplate', { ...TEMPLATE, effectiveekus: [AGENT] }],
      ['LOGON', 'CertTemplate', TEMPLATE],
    ],
    facts: [
      ['AGENTS', 'PublishedTo', 'BAD'],
      ['AGENTS', 'PublishedTo', 'ON'],
      ['LOGON', 'PublishedTo', 'GOOD'],
    ],
    finds: ['BAD'],
    not: ['GOOD', 'ON'],
  },
  TemplateESC1: [
    ofTemplates(
      { enrolleesuppliessubject: true },
      {},
      { enrolleesuppliessubject: true, requiresmanagerapproval: true },
      { enrolleesuppliessubject: true, authorizedsignatures: 1 },
      { enrolleesuppliessubject: true, authenticationenabled: false },
    ),
    ofTemplatesFor({ enrolleesuppliessubject: true }),
  ],
  TemplateESC15: [
    ofTemplates(
      { schemaversion: 1, enrolleesuppliessubject: true },
      { schemaversion: 2, enrolleesuppliessubject: true },
      { schemaversion: 1, enrolleesuppliessubject: false },
      { schemaversion: 1, enrolleesuppliessubject: true, requiresmanagerapproval: true },
    ),
    ofTemplatesFor({ schemaversion: 1, enrolleesuppliessubject: true }),
  ],
  TemplateESC17: [
    ofTemplates(
      ofServers,
      {},
      { ...ofServers, enrolleesuppliessubject: false },
      { ...ofServers, requiresmanagerapproval: true },
      { ...ofServers, authorizedsignatures: 1 },
      // One for logon is ESC1.
      { ...ofServers, authenticationenabled: true },
      { ...ofServers, effectiveekus: ['1.3.6.1.5.5.7.3.3'] },
    ),
    ofTemplatesFor(ofServers),
  ],
  TemplateFlagsWritable: (() => {
    const free = { ...TEMPLATE, enrolleesuppliessubject: true };
    const templates: Readonly<Record<string, Props>> = {
      BAD: TEMPLATE,
      APPROVAL: { ...free, requiresmanagerapproval: true },
      EXTENSION: { ...TEMPLATE, subjectaltrequireupn: true, subjectaltrequirespn: false },
      AGENTS: {
        ...TEMPLATE,
        authenticationenabled: false,
        effectiveekus: [AGENT],
        requiresmanagerapproval: true,
      },
      BOTH: { ...TEMPLATE, requiresmanagerapproval: true },
      OWN: TEMPLATE,
      PLAIN: TEMPLATE,
      UNPUBLISHED: TEMPLATE,
      // The flags that outsiders can write do not matter there.
      SIGNED: { ...TEMPLATE, authorizedsignatures: 1 },
      'NO-LOGON': { ...TEMPLATE, authenticationenabled: false, effectiveekus: ['1.3.6.1.4.1.311.10.3.12'] },
      FREE: free,
      APPROVED: { ...TEMPLATE, requiresmanagerapproval: true },
      FLAGS: TEMPLATE,
      PRIVATE: TEMPLATE,
      CONTROLLERS: TEMPLATE,
    };
    const ids = Object.keys(templates);
    const finds = ['BAD', 'APPROVAL', 'EXTENSION', 'AGENTS', 'BOTH'];
    const administrators = suffixed('512');
    const readOnly = suffixed('498');
    return {
      things: [
        ...ids.map((id): Thing => [id, 'CertTemplate', templates[id]]),
        ['CA', 'EnterpriseCA'],
        ...['STAFF', administrators, readOnly].map((id) => group(id)),
      ],
      facts: [
        ...ids.filter((id) => id !== 'UNPUBLISHED').map((id): Fact => [id, 'PublishedTo', 'CA']),
        ...['STAFF', readOnly].map((id): Fact => [id, 'Enroll', 'CA']),
        ...ids
          .filter((id) => !['PRIVATE', 'CONTROLLERS'].includes(id))
          .map((id): Fact => ['STAFF', 'Enroll', id]),
        [readOnly, 'Enroll', 'CONTROLLERS'],
        ...[
          'BAD',
          'BOTH',
          'UNPUBLISHED',
          'SIGNED',
          'NO-LOGON',
          'FREE',
          'APPROVED',
          'PRIVATE',
          'CONTROLLERS',
        ].map((id): Fact => ['STAFF', 'WritePKINameFlag', id]),
        ...['APPROVAL', 'EXTENSION', 'AGENTS', 'BOTH', 'FLAGS'].map(
          (id): Fact => ['STAFF', 'WritePKIEnrollmentFlag', id],
        ),
        [administrators, 'WritePKINameFlag', 'BAD'],
        [administrators, 'WritePKIEnrollmentFlag', 'OWN'],
      ],
      tierZero: [administrators],
      finds,
      not: ids.filter((id) => !finds.includes(id)),
    };
  })(),
  TemplateESC2: [
    ofTemplates(
      { effectiveekus: [] },
      {},
      { effectiveekus: [], requiresmanagerapproval: true },
      { effectiveekus: [], authorizedsignatures: 1 },
    ),
    ofTemplatesFor({ effectiveekus: [] }),
    ofTemplates({ effectiveekus: ['2.5.29.37.0'] }, {}),
  ],
  TemplateAgentOpen: {
    things: [
      ['BAD', 'CertTemplate', { ...TEMPLATE, effectiveekus: [AGENT] }],
      ['NARROW', 'CertTemplate', { ...TEMPLATE, effectiveekus: [AGENT] }],
      ['APPROVED', 'CertTemplate', { ...TEMPLATE, effectiveekus: [AGENT], requiresmanagerapproval: true }],
      ['LOGON', 'CertTemplate', TEMPLATE],
      ['CA', 'EnterpriseCA'],
      group(suffixed('513')),
      group('STAFF'),
    ],
    facts: [
      ...['BAD', 'NARROW', 'APPROVED', 'LOGON'].map((id): Fact => [id, 'PublishedTo', 'CA']),
      [suffixed('513'), 'Enroll', 'BAD'],
      [suffixed('513'), 'Enroll', 'APPROVED'],
      [suffixed('513'), 'Enroll', 'LOGON'],
      ['STAFF', 'Enroll', 'NARROW'],
    ],
    finds: ['BAD'],
    not: ['NARROW', 'APPROVED', 'LOGON'],
  },
  TemplateNoSecurityExtension: ofTemplates(
    { nosecurityextension: true },
    {},
    { nosecurityextension: true, authenticationenabled: false },
  ),
  TemplateLinkedToPrivilegedGroup: {
    things: [['BAD', 'IssuancePolicy'], ['GOOD', 'IssuancePolicy'], group('ADMINS'), group('STAFF')],
    facts: [
      ['BAD', 'OIDGroupLink', 'ADMINS'],
      ['GOOD', 'OIDGroupLink', 'STAFF'],
    ],
    tierZero: ['ADMINS'],
    finds: ['BAD'],
    not: ['GOOD'],
  },
  TemplatePublishedUnresolved: ofKind('EnterpriseCA')(
    { unresolvedpublishedtemplates: ['Gone'] },
    { unresolvedpublishedtemplates: [] },
  ),
};
