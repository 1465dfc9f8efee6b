/** type Cases of list findings about Entra ID. */
import { type Fact, TENANT } from '../worlds.ts';
import {
  type Cases,
  cloudUsers,
  GLOBAL,
  GLOBAL_ADMINISTRATOR,
  globalAdministrators,
  inTierZero,
  members,
  ofKind,
} from './case.ts';

export const ENTRA_CASES: Cases = {
  AzureT0RoleActivationNoMFA: inTierZero(
    ofKind('AZRole')(
      { enduserassignmentrequiresmfa: false, enduserassignmentrequirescapauthenticationcontext: false },
      { enduserassignmentrequiresmfa: true },
      { enduserassignmentrequiresmfa: false, enduserassignmentrequirescapauthenticationcontext: true },
    ),
  ),
  AzureT0RoleActivationNoApproval: inTierZero(
    ofKind('AZRole')(
      { enduserassignmentrequiresapproval: false },
      { enduserassignmentrequiresapproval: true },
    ),
  ),
  AzureT0RoleActivationNoJustification: inTierZero(
    ofKind('AZRole')(
      { enduserassignmentrequiresjustification: false },
      { enduserassignmentrequiresjustification: true },
    ),
  ),
  AzureGlobalAdminCount: [
    globalAdministrators(9, { finds: [TENANT], not: [] }),
    globalAdministrators(8, { finds: [], not: [TENANT] }),
  ],
  AzureGlobalAdminSingle: [
    globalAdministrators(1, { finds: [TENANT], not: [] }),
    globalAdministrators(2, { finds: [], not: [TENANT] }),
  ],
  AzureT0PermanentAssignment: {
    things: [
      GLOBAL,
      ['BAD', 'AZUser'],
      ['SP', 'AZServicePrincipal'],
      ['ELIGIBLE', 'AZUser'],
      ['ACTIVATED', 'AZUser'],
      ['GROUP', 'AZGroup'],
      ['MEMBER', 'AZUser'],
      ['GLASS', 'AZUser', { name: 'BREAK-GLASS@CORP' }],
      ['READERS', 'AZRole'],
      ['READER', 'AZUser'],
    ],
    facts: [
      ['BAD', 'AZHasRole', GLOBAL_ADMINISTRATOR],
      ['SP', 'AZHasRole', GLOBAL_ADMINISTRATOR],
      ['GLASS', 'AZHasRole', GLOBAL_ADMINISTRATOR],
      ['ELIGIBLE', 'AZRoleEligible', GLOBAL_ADMINISTRATOR],
      ['ACTIVATED', 'AZRoleEligible', GLOBAL_ADMINISTRATOR],
      ['ACTIVATED', 'AZHasRole', GLOBAL_ADMINISTRATOR],
      ['MEMBER', 'AZMemberOf', 'GROUP'],
      ['GROUP', 'AZRoleEligible', GLOBAL_ADMINISTRATOR],
      ['MEMBER', 'AZHasRole', GLOBAL_ADMINISTRATOR],
      ['READER', 'AZHasRole', 'READERS'],
    ],
    tierZero: [GLOBAL_ADMINISTRATOR],
    finds: ['BAD'],
    not: ['SP', 'ELIGIBLE', 'ACTIVATED', 'MEMBER', 'GLASS', 'READER'],
  },
  AzureT0GuestHolder: inTierZero(ofKind('AZUser')({ usertype: 'Guest' }, { usertype: 'Member' })),
  AzureT0SyncedUser: inTierZero(ofKind('AZUser')({ onpremsyncenabled: true }, { onpremsyncenabled: false })),
  AzureT0DisabledUser: inTierZero(ofKind('AZUser')({ enabled: false }, { enabled: true })),
  AzureT0StaleUser: inTierZero(
    ofKind('AZUser')(
      { lastsuccessfulsignindatetime: '2025-11-01T00:00:00Z' },
      { lastsuccessfulsignindatetime: '2025-12-31T00:00:00Z' },
      { lastsuccessfulsignindatetime: 'never' },
    ),
  ),
  AzureT0ServicePrincipalHolder: {
    things: [
      GLOBAL,
      ['BAD', 'AZServicePrincipal'],
      ['U', 'AZUser'],
      ['READERS', 'AZRole'],
      ['GOOD', 'AZServicePrincipal'],
    ],
    facts: [
      ['BAD', 'AZHasRole', GLOBAL_ADMINISTRATOR],
      ['U', 'AZHasRole', GLOBAL_ADMINISTRATOR],
      ['GOOD', 'AZHasRole', 'READERS'],
    ],
    tierZero: [GLOBAL_ADMINISTRATOR],
    finds: ['BAD'],
    not: ['U', 'GOOD'],
  },
  AzureT0ExternalAppServicePrincipal: inTierZero(
    ofKind('AZServicePrincipal')(
      { appownerorganizationid: '99999999-0000-0000-0000-000000000000' },
      { appownerorganizationid: TENANT.toLowerCase() },
      { appownerorganizationid: 'f8cdef31-a31e-4b4a-93e4-5f571e91255a' },
    ),
  ),
  AzureT0MultiTenantApp: inTierZero(
    ofKind('AZApp')({ signinaudience: 'AzureADMultipleOrgs' }, { signinaudience: 'AzureADMyOrg' }, {}),
  ),
  AzureT0AppManySecrets: inTierZero(
    ofKind('AZApp')({ validcredentialcount: 3 }, { validcredentialcount: 2 }),
  ),
  AzureT0AppLongSecret: inTierZero(
    ofKind('AZApp')({ longestcredentialdays: 366 }, { longestcredentialdays: 365 }),
  ),
  AzureAppExpiredSecrets: ofKind('AZApp')(
    { expiredcredentialcount: 1, validcredentialcount: 0 },
    { expiredcredentialcount: 1, validcredentialcount: 1 },
    { expiredcredentialcount: 0, validcredentialcount: 0 },
  ),
  AzureAppFederationWildcard: [
    ofKind('AZFederatedIdentityCredential')(
      { subject: 'repo:corp/*' },
      { subject: 'repo:corp/app:ref:refs/heads/main' },
    ),
    ofKind('AZFederatedIdentityCredential')(
      { subject: 'repo:corp/app:pull_request' },
      { subject: 'repo:corp/app:environment:prod' },
    ),
  ],
  AzureHighGraphPermission: {
    things: [
      ['BAD', 'AZServicePrincipal'],
      ['GOOD', 'AZServicePrincipal'],
      ['G', 'AZGroup'],
    ],
    facts: [['BAD', 'AZMGAddMember', 'G']],
    finds: ['BAD'],
    not: ['GOOD'],
  },
  AzureAppWithoutOwner: {
    things: [
      ['BAD', 'AZApp'],
      ['OWNED', 'AZApp'],
      ['ELSEWHERE', 'AZApp'],
      ['U', 'AZUser'],
    ],
    facts: [['U', 'AZOwns', 'OWNED']],
    tierZero: ['BAD', 'OWNED'],
    finds: ['BAD'],
    not: ['OWNED', 'ELSEWHERE'],
  },
  AzureAppOwnedByUser: {
    things: [
      ['BAD', 'AZApp'],
      ['GOOD', 'AZApp'],
      ['ELSEWHERE', 'AZApp'],
      ['U', 'AZUser'],
      ['ADMIN', 'AZUser'],
    ],
    facts: [
      ['U', 'AZOwns', 'BAD'],
      ['ADMIN', 'AZOwns', 'GOOD'],
      ['U', 'AZOwns', 'ELSEWHERE'],
    ],
    tierZero: ['BAD', 'GOOD', 'ADMIN'],
    finds: ['BAD'],
    not: ['GOOD', 'ELSEWHERE'],
  },
  AzureRoleAssignableGroupOwners: {
    things: [
      ['BAD', 'AZGroup', { isassignabletorole: true }],
      ['UNOWNED', 'AZGroup', { isassignabletorole: true }],
      ['ORDINARY', 'AZGroup', { isassignabletorole: false }],
      ['U', 'AZUser'],
    ],
    facts: [
      ['U', 'AZOwns', 'BAD'],
      ['U', 'AZOwns', 'ORDINARY'],
    ],
    finds: ['BAD'],
    not: ['UNOWNED', 'ORDINARY'],
  },
  AzureDynamicPrivilegedGroup: inTierZero(
    ofKind('AZGroup')({ membershiprule: '(user.department -eq "IT")' }, { membershiprule: '' }),
  ),
  AzureSyncAccountPrivileges: {
    things: [
      [TENANT, 'AZTenant', { tenantid: TENANT }],
      ['SYNC', 'AZRole', { templateid: 'd29b2b05-8046-44ba-8758-1e26182fcf32' }],
      ['OTHER', 'AZRole', { templateid: 'x' }],
      ['BAD', 'AZUser'],
      ['GOOD', 'AZUser'],
      ['ELSE', 'AZUser'],
    ],
    facts: [
      [TENANT, 'AZContains', 'SYNC'],
      [TENANT, 'AZContains', 'OTHER'],
      ...members('SYNC', 'AZHasRole', ['BAD', 'GOOD']),
      ...members('OTHER', 'AZHasRole', ['BAD', 'ELSE']),
    ],
    finds: ['BAD'],
    not: ['GOOD', 'ELSE'],
  },
  AzureLargeDynamicGroupRole: {
    things: [GLOBAL, ['BAD', 'AZGroup'], ['SMALL', 'AZGroup'], ['ELSEWHERE', 'AZGroup'], ...cloudUsers(51)],
    facts: [
      ['BAD', 'AZHasRole', GLOBAL_ADMINISTRATOR],
      ['SMALL', 'AZRoleEligible', GLOBAL_ADMINISTRATOR],
      ...cloudUsers(51).flatMap(([id]): Fact[] => [
        [id, 'AZMemberOf', 'BAD'],
        [id, 'AZMemberOf', 'ELSEWHERE'],
      ]),
      ...members(
        'SMALL',
        'AZMemberOf',
        cloudUsers(50).map(([id]) => id),
      ),
    ],
    tierZero: [GLOBAL_ADMINISTRATOR],
    finds: ['BAD'],
    not: ['SMALL', 'ELSEWHERE'],
  },
  AzureDeviceNonCompliantT0: {
    things: [
      ['OPEN', 'AZDevice', { ismanaged: false }],
      ['MANAGED', 'AZDevice', { ismanaged: true }],
      ['BAD', 'AZUser'],
      ['GOOD', 'AZUser'],
      ['ELSEWHERE', 'AZUser'],
    ],
    facts: [
      ['BAD', 'AZOwns', 'OPEN'],
      ['GOOD', 'AZOwns', 'MANAGED'],
      ['ELSEWHERE', 'AZOwns', 'OPEN'],
    ],
    tierZero: ['BAD', 'GOOD'],
    finds: ['BAD'],
    not: ['GOOD', 'ELSEWHERE'],
  },
};
