/** Every list finding: each has its own file and a row here. */

import { builtinAdministratorUsed } from './accounts/builtinAdministratorUsed.ts';
import { computerOldPassword } from './accounts/computerOldPassword.ts';
import { connectorAccountOldPassword } from './accounts/connectorAccountOldPassword.ts';
import { guestEnabled } from './accounts/guestEnabled.ts';
import { logonScriptOutsideTrust } from './accounts/logonScriptOutsideTrust.ts';
import { managedAccountNotRotated } from './accounts/managedAccountNotRotated.ts';
import { managedAccountUnused } from './accounts/managedAccountUnused.ts';
import { neverLoggedOnT0 } from './accounts/neverLoggedOnT0.ts';
import { oldServiceAccountPassword } from './accounts/oldServiceAccountPassword.ts';
import { passwordInAttribute } from './accounts/passwordInAttribute.ts';
import { passwordNeverExpires } from './accounts/passwordNeverExpires.ts';
import { passwordNotRequired } from './accounts/passwordNotRequired.ts';
import { preCreatedComputers } from './accounts/preCreatedComputers.ts';
import { reversibleEncryption } from './accounts/reversibleEncryption.ts';
import { serviceAccountUnused } from './accounts/serviceAccountUnused.ts';
import { shadowCredentialsPresent } from './accounts/shadowCredentialsPresent.ts';
import { smartCardPasswordOld } from './accounts/smartCardPasswordOld.ts';
import { staleComputers } from './accounts/staleComputers.ts';
import { staleUsers } from './accounts/staleUsers.ts';
import { t0DisabledUsers } from './accounts/t0DisabledUsers.ts';
import { t0OldPassword } from './accounts/t0OldPassword.ts';
import { t0PasswordNeverExpires } from './accounts/t0PasswordNeverExpires.ts';
import { t0StaleUsers } from './accounts/t0StaleUsers.ts';
import { caEditfFlag } from './certificates/caEditfFlag.ts';
import { caNoAgentRestrictions } from './certificates/caNoAgentRestrictions.ts';
import { caNoRoleSeparation } from './certificates/caNoRoleSeparation.ts';
import { caSecurityExtensionDisabled } from './certificates/caSecurityExtensionDisabled.ts';
import { caUnencryptedRPC } from './certificates/caUnencryptedRPC.ts';
import { caWebEnrollmentRelay } from './certificates/caWebEnrollmentRelay.ts';
import { templateAgentOpen } from './certificates/templateAgentOpen.ts';
import { templateESC1 } from './certificates/templateESC1.ts';
import { templateESC2 } from './certificates/templateESC2.ts';
import { templateESC15 } from './certificates/templateESC15.ts';
import { templateESC17 } from './certificates/templateESC17.ts';
import { templateFlagsWritable } from './certificates/templateFlagsWritable.ts';
import { templateLinkedToPrivilegedGroup } from './certificates/templateLinkedToPrivilegedGroup.ts';
import { templateNoSecurityExtension } from './certificates/templateNoSecurityExtension.ts';
import { templatePublishedUnresolved } from './certificates/templatePublishedUnresolved.ts';
import { azureAppExpiredSecrets } from './entra/azureAppExpiredSecrets.ts';
import { azureAppFederationWildcard } from './entra/azureAppFederationWildcard.ts';
import { azureAppOwnedByUser } from './entra/azureAppOwnedByUser.ts';
import { azureAppWithoutOwner } from './entra/azureAppWithoutOwner.ts';
import { azureDeviceNonCompliantT0 } from './entra/azureDeviceNonCompliantT0.ts';
import { azureDynamicPrivilegedGroup } from './entra/azureDynamicPrivilegedGroup.ts';
import { azureGlobalAdminCount } from './entra/azureGlobalAdminCount.ts';
import { azureGlobalAdminSingle } from './entra/azureGlobalAdminSingle.ts';
import { azureHighGraphPermission } from './entra/azureHighGraphPermission.ts';
import { azureLargeDynamicGroupRole } from './entra/azureLargeDynamicGroupRole.ts';
import { azureRoleAssignableGroupOwners } from './entra/azureRoleAssignableGroupOwners.ts';
import { azureSyncAccountPrivileges } from './entra/azureSyncAccountPrivileges.ts';
import { azureT0AppLongSecret } from './entra/azureT0AppLongSecret.ts';
import { azureT0AppManySecrets } from './entra/azureT0AppManySecrets.ts';
import { azureT0DisabledUser } from './entra/azureT0DisabledUser.ts';
import { azureT0ExternalAppServicePrincipal } from './entra/azureT0ExternalAppServicePrincipal.ts';
import { azureT0GuestHolder } from './entra/azureT0GuestHolder.ts';
import { azureT0MultiTenantApp } from './entra/azureT0MultiTenantApp.ts';
import { azureT0PermanentAssignment } from './entra/azureT0PermanentAssignment.ts';
import { azureT0RoleActivationNoApproval } from './entra/azureT0RoleActivationNoApproval.ts';
import { azureT0RoleActivationNoJustification } from './entra/azureT0RoleActivationNoJustification.ts';
import { azureT0RoleActivationNoMFA } from './entra/azureT0RoleActivationNoMFA.ts';
import { azureT0ServicePrincipalHolder } from './entra/azureT0ServicePrincipalHolder.ts';
import { azureT0StaleUser } from './entra/azureT0StaleUser.ts';
import { azureT0SyncedUser } from './entra/azureT0SyncedUser.ts';
import { computersWithoutLAPS } from './infrastructure/computersWithoutLAPS.ts';
import { controllerOldPassword } from './infrastructure/controllerOldPassword.ts';
import { controllerOutsideUnit } from './infrastructure/controllerOutsideUnit.ts';
import { controllerWeakLmLevel } from './infrastructure/controllerWeakLmLevel.ts';
import { dcLdapSigningOff } from './infrastructure/dcLdapSigningOff.ts';
import { dcLdapsChannelBindingOff } from './infrastructure/dcLdapsChannelBindingOff.ts';
import { dcUpnCertificateMapping } from './infrastructure/dcUpnCertificateMapping.ts';
import { dcVulnerableNetlogonAllowList } from './infrastructure/dcVulnerableNetlogonAllowList.ts';
import { dcWeakCertificateBinding } from './infrastructure/dcWeakCertificateBinding.ts';
import { dsHeuristicsWeak } from './infrastructure/dsHeuristicsWeak.ts';
import { lowFunctionalLevel } from './infrastructure/lowFunctionalLevel.ts';
import { machineAccountQuota } from './infrastructure/machineAccountQuota.ts';
import { nameConflicts } from './infrastructure/nameConflicts.ts';
import { noLockoutPolicy } from './infrastructure/noLockoutPolicy.ts';
import {
  authorityRegistryNotCollected,
  controllerRegistryNotCollected,
  ldapSigningNotCollected,
  userRightsNotCollected,
} from './infrastructure/notCollected.ts';
import { obsoleteOperatingSystem } from './infrastructure/obsoleteOperatingSystem.ts';
import { printSpoolerOnDC } from './infrastructure/printSpoolerOnDC.ts';
import { sessionCollectionGap } from './infrastructure/sessionCollectionGap.ts';
import { singleDomainController } from './infrastructure/singleDomainController.ts';
import { smbSigningNotRequired } from './infrastructure/smbSigningNotRequired.ts';
import { t0ObsoleteOperatingSystem } from './infrastructure/t0ObsoleteOperatingSystem.ts';
import { t0SMBSigningNotRequired } from './infrastructure/t0SMBSigningNotRequired.ts';
import { weakPasswordPolicy } from './infrastructure/weakPasswordPolicy.ts';
import { webClientRunning } from './infrastructure/webClientRunning.ts';
import { asrepRoasting } from './kerberos/asrepRoasting.ts';
import { azureADSSOKeyAge } from './kerberos/azureADSSOKeyAge.ts';
import { controllerWeakEncryption } from './kerberos/controllerWeakEncryption.ts';
import { desOnlyAccounts } from './kerberos/desOnlyAccounts.ts';
import { kerberoasting } from './kerberos/kerberoasting.ts';
import { kerberoastingWeakEncryption } from './kerberos/kerberoastingWeakEncryption.ts';
import { krbtgtDelegation } from './kerberos/krbtgtDelegation.ts';
import { krbtgtPasswordAge } from './kerberos/krbtgtPasswordAge.ts';
import { protocolTransition } from './kerberos/protocolTransition.ts';
import { rbcdConfigured } from './kerberos/rbcdConfigured.ts';
import { rc4Trusts } from './kerberos/rc4Trusts.ts';
import { rodcKrbtgtOrphaned } from './kerberos/rodcKrbtgtOrphaned.ts';
import { t0ASREPRoastable } from './kerberos/t0ASREPRoastable.ts';
import { t0ConstrainedDelegationFromT0 } from './kerberos/t0ConstrainedDelegationFromT0.ts';
import { t0Kerberoastable } from './kerberos/t0Kerberoastable.ts';
import { t0MarkSensitive } from './kerberos/t0MarkSensitive.ts';
import { t0UserNotProtected } from './kerberos/t0UserNotProtected.ts';
import { trustAccountOldPassword } from './kerberos/trustAccountOldPassword.ts';
import { trustWithTGTDelegation } from './kerberos/trustWithTGTDelegation.ts';
import { unconstrainedDelegationComputers } from './kerberos/unconstrainedDelegationComputers.ts';
import { unconstrainedDelegationUsers } from './kerberos/unconstrainedDelegationUsers.ts';
import { adminCountOrphans } from './privileges/adminCountOrphans.ts';
import { badSuccessor } from './privileges/badSuccessor.ts';
import { broadGroupInAdministrators } from './privileges/broadGroupInAdministrators.ts';
import { broadGroupNested } from './privileges/broadGroupNested.ts';
import { circularMembership } from './privileges/circularMembership.ts';
import { computersInPrivilegedGroups } from './privileges/computersInPrivilegedGroups.ts';
import { computersOwnedByUsers } from './privileges/computersOwnedByUsers.ts';
import { connectorReplicationRights } from './privileges/connectorReplicationRights.ts';
import { deletedAccountRights } from './privileges/deletedAccountRights.ts';
import { dnsAdminsNotEmpty } from './privileges/dnsAdminsNotEmpty.ts';
import { exchangeControlsDomain } from './privileges/exchangeControlsDomain.ts';
import { gpoOwnedOutside } from './privileges/gpoOwnedOutside.ts';
import { gpoUnlinked } from './privileges/gpoUnlinked.ts';
import { keyAdminsFullControl } from './privileges/keyAdminsFullControl.ts';
import { keyAdminsNotEmpty } from './privileges/keyAdminsNotEmpty.ts';
import { nestedForeignPrincipals } from './privileges/nestedForeignPrincipals.ts';
import { nonDefaultPrimaryGroup } from './privileges/nonDefaultPrimaryGroup.ts';
import { operatorsGroupsUsed } from './privileges/operatorsGroupsUsed.ts';
import { preWindows2000Access } from './privileges/preWindows2000Access.ts';
import { privilegedSIDHistory } from './privileges/privilegedSIDHistory.ts';
import { privilegedWithoutAdminCount } from './privileges/privilegedWithoutAdminCount.ts';
import { probablyTierZero } from './privileges/probablyTierZero.ts';
import { remoteLaunchGroupsUsed } from './privileges/remoteLaunchGroupsUsed.ts';
import { rodcAllowedGroupUsed } from './privileges/rodcAllowedGroupUsed.ts';
import { rodcDeniedGroupIncomplete } from './privileges/rodcDeniedGroupIncomplete.ts';
import { rodcRevealsPrivileged } from './privileges/rodcRevealsPrivileged.ts';
import { schemaAdminsNotEmpty } from './privileges/schemaAdminsNotEmpty.ts';
import { serviceAccountPrivileged } from './privileges/serviceAccountPrivileged.ts';
import { sidHistoryOwnDomain } from './privileges/sidHistoryOwnDomain.ts';
import { sidHistoryPresent } from './privileges/sidHistoryPresent.ts';
import { sidHistoryUnknownDomain } from './privileges/sidHistoryUnknownDomain.ts';
import { syncAccountInAdmins } from './privileges/syncAccountInAdmins.ts';
import { t0InheritanceEnabled } from './privileges/t0InheritanceEnabled.ts';
import { tooManyDomainAdmins } from './privileges/tooManyDomainAdmins.ts';
import { trustWithoutSIDFiltering } from './privileges/trustWithoutSIDFiltering.ts';
import { azureAutomationPrivilegedIdentity } from './resources/azureAutomationPrivilegedIdentity.ts';
import { azureDCInCloudUnprotected } from './resources/azureDCInCloudUnprotected.ts';
import { azureDirectUserAssignment } from './resources/azureDirectUserAssignment.ts';
import { azureKeyVaultAccessPolicies } from './resources/azureKeyVaultAccessPolicies.ts';
import { azureSubscriptionManyOwners } from './resources/azureSubscriptionManyOwners.ts';
import { azureUserAccessAdminRoot } from './resources/azureUserAccessAdminRoot.ts';
import { azureVMPrivilegedIdentity } from './resources/azureVMPrivilegedIdentity.ts';

export const LIST_FINDINGS = [
  kerberoasting,
  asrepRoasting,
  t0MarkSensitive,
  t0Kerberoastable,
  t0ASREPRoastable,
  kerberoastingWeakEncryption,
  desOnlyAccounts,
  t0UserNotProtected,
  krbtgtPasswordAge,
  azureADSSOKeyAge,
  unconstrainedDelegationComputers,
  unconstrainedDelegationUsers,
  protocolTransition,
  t0ConstrainedDelegationFromT0,
  rbcdConfigured,
  trustWithTGTDelegation,
  rc4Trusts,
  reversibleEncryption,
  passwordNotRequired,
  passwordNeverExpires,
  t0PasswordNeverExpires,
  t0OldPassword,
  oldServiceAccountPassword,
  passwordInAttribute,
  logonScriptOutsideTrust,
  staleUsers,
  staleComputers,
  t0StaleUsers,
  t0DisabledUsers,
  neverLoggedOnT0,
  builtinAdministratorUsed,
  guestEnabled,
  shadowCredentialsPresent,
  adminCountOrphans,
  t0InheritanceEnabled,
  sidHistoryPresent,
  privilegedSIDHistory,
  trustWithoutSIDFiltering,
  preWindows2000Access,
  operatorsGroupsUsed,
  schemaAdminsNotEmpty,
  dnsAdminsNotEmpty,
  tooManyDomainAdmins,
  nestedForeignPrincipals,
  computersInPrivilegedGroups,
  rodcRevealsPrivileged,
  gpoOwnedOutside,
  gpoUnlinked,
  computersWithoutLAPS,
  obsoleteOperatingSystem,
  t0ObsoleteOperatingSystem,
  smbSigningNotRequired,
  t0SMBSigningNotRequired,
  webClientRunning,
  dcLdapSigningOff,
  dcLdapsChannelBindingOff,
  dcWeakCertificateBinding,
  dcUpnCertificateMapping,
  dcVulnerableNetlogonAllowList,
  printSpoolerOnDC,
  machineAccountQuota,
  weakPasswordPolicy,
  noLockoutPolicy,
  lowFunctionalLevel,
  sessionCollectionGap,
  caEditfFlag,
  caWebEnrollmentRelay,
  caUnencryptedRPC,
  caSecurityExtensionDisabled,
  caNoRoleSeparation,
  caNoAgentRestrictions,
  templateESC1,
  templateESC2,
  templateAgentOpen,
  templateNoSecurityExtension,
  templateLinkedToPrivilegedGroup,
  templatePublishedUnresolved,
  azureT0RoleActivationNoMFA,
  azureGlobalAdminCount,
  azureGlobalAdminSingle,
  azureT0PermanentAssignment,
  azureT0RoleActivationNoApproval,
  azureT0RoleActivationNoJustification,
  azureT0GuestHolder,
  azureT0SyncedUser,
  azureT0DisabledUser,
  azureT0StaleUser,
  azureT0ServicePrincipalHolder,
  azureT0ExternalAppServicePrincipal,
  azureT0MultiTenantApp,
  azureT0AppManySecrets,
  azureT0AppLongSecret,
  azureAppExpiredSecrets,
  azureAppFederationWildcard,
  azureHighGraphPermission,
  azureAppWithoutOwner,
  azureAppOwnedByUser,
  azureRoleAssignableGroupOwners,
  azureDynamicPrivilegedGroup,
  azureSyncAccountPrivileges,
  azureLargeDynamicGroupRole,
  azureDeviceNonCompliantT0,
  azureUserAccessAdminRoot,
  azureSubscriptionManyOwners,
  azureDirectUserAssignment,
  azureKeyVaultAccessPolicies,
  azureVMPrivilegedIdentity,
  azureAutomationPrivilegedIdentity,
  azureDCInCloudUnprotected,
  singleDomainController,
  keyAdminsNotEmpty,
  dsHeuristicsWeak,
  smartCardPasswordOld,
  circularMembership,
  broadGroupInAdministrators,
  broadGroupNested,
  syncAccountInAdmins,
  nameConflicts,
  controllerOldPassword,
  controllerWeakLmLevel,
  templateESC15,
  templateFlagsWritable,
  badSuccessor,
  nonDefaultPrimaryGroup,
  controllerRegistryNotCollected,
  authorityRegistryNotCollected,
  ldapSigningNotCollected,
  userRightsNotCollected,
  probablyTierZero,
  connectorAccountOldPassword,
  krbtgtDelegation,
  trustAccountOldPassword,
  computersOwnedByUsers,
  exchangeControlsDomain,
  keyAdminsFullControl,
  deletedAccountRights,
  sidHistoryOwnDomain,
  sidHistoryUnknownDomain,
  privilegedWithoutAdminCount,
  controllerOutsideUnit,
  controllerWeakEncryption,
  computerOldPassword,
  preCreatedComputers,
  managedAccountNotRotated,
  managedAccountUnused,
  serviceAccountUnused,
  serviceAccountPrivileged,
  remoteLaunchGroupsUsed,
  rodcAllowedGroupUsed,
  rodcDeniedGroupIncomplete,
  rodcKrbtgtOrphaned,
  connectorReplicationRights,
  templateESC17,
] as const;
