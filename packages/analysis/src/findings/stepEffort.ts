/** What one step of an attack path takes an attacker, as the severity of a finding asks it. */
import { edgeKindById } from '@clew/model';

/** 1 one action, 2 several, 4 a condition must hold, 8 luck. */
export type StepEffortClass = 1 | 2 | 4 | 8;

const LUCK: ReadonlySet<string> = new Set(['CanRDP', 'CanPSRemote', 'ExecuteDCOM', 'WriteSPN']);

const CONDITION: ReadonlySet<string> = new Set([
  ...['HasSession', 'CoerceToTGT', 'CoerceAndRelayNTLMToSMB', 'CoerceAndRelayNTLMToADCS'],
  ...['CoerceAndRelayNTLMToLDAP', 'CoerceAndRelayNTLMToLDAPS', 'SpoofSIDHistory', 'AbuseTGTDelegation'],
  ...['ManageCertificates', 'AZRoleApprover', 'AZExecuteCommand', 'SyncedToADUser'],
]);

const ONE_ACTION: ReadonlySet<string> = new Set([
  ...['GenericAll', 'AllExtendedRights', 'ForceChangePassword', 'AddMember', 'AddSelf', 'ReadLAPSPassword'],
  ...['ReadGMSAPassword', 'AdminTo', 'DCSync', 'DCFor', 'GPLink', 'GPOAppliesTo', 'ADCSESC1', 'ADCSESC6a'],
  ...['ADCSESC13', 'AZGetSecrets', 'AZGetCertificates', 'AZVMContributor', 'AZVMAdminLogin', 'AZOwns'],
  ...['AZManagedIdentity', 'AZNodeResourceGroup', 'AZOwner', 'AZUserAccessAdministrator', 'AZAppAdmin'],
  ...[
    'AZCloudAppAdmin',
    'AZAddSecret',
    'AZAddMembers',
    'AZMGAddMember',
    'AZMGAddSecret',
    'AZMGGrantAppRoles',
  ],
  ...['AZMGGrantRole', 'AZGlobalAdmin', 'AZPrivilegedRoleAdmin', 'AZPrivilegedAuthAdmin', 'MemberOf'],
  ...[
    'AZMemberOf',
    'AZHasRole',
    'HasSIDHistory',
    'AZRunsAs',
    'Contains',
    'AZContains',
    'ClaimSpecialIdentity',
  ],
]);

export function stepEffort(edgeKind: number): StepEffortClass {
  const name = edgeKindById(edgeKind)?.name ?? '';
  if (LUCK.has(name)) return 8;
  if (CONDITION.has(name)) return 4;
  return ONE_ACTION.has(name) ? 1 : 2;
}
