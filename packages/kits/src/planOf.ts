/**
 * Maps the facts of a change to an engine with its settings, or to steps with the reason why there is no script.
 *
 * Rule: `docs/kits.md#kinds-of-changes`.
 */
import type { KitFacts, RepairKind } from '@clew/planning';
import type { Maker, Plan } from './change.ts';
import { removeCloudMember, removeRelation, removeRole } from './cloudChanges.ts';
import {
  changeOwner,
  clearSidHistory,
  computerQuota,
  moveObject,
  removeDelegation,
  removeEntries,
  removeMember,
  templateApproval,
  templateExtension,
  unlinkPolicy,
  unpublish,
} from './directoryChanges.ts';
import {
  certificateBinding,
  certificateMapping,
  channelBinding,
  computerSigning,
  domainSigning,
  extensions,
  filterTrust,
  keepOff,
  ldapSigning,
  netlogonExceptions,
  protectHost,
  removeLocalMember,
  removeLogonRight,
  removePolicyMember,
  rpcEncryption,
  sanFlag,
  separateLogons,
  unsynchronize,
  webEnrollment,
} from './hostChanges.ts';
import { NotScripted } from './ids.ts';
import { templateSubject } from './templateNames.ts';

const MAKERS: Readonly<Record<RepairKind, Maker>> = {
  'template-subject': templateSubject,
  'template-approval': templateApproval,
  'template-security-extension': templateExtension,
  'authority-san-flag': sanFlag,
  'authority-web-enrollment': webEnrollment,
  'authority-rpc-encryption': rpcEncryption,
  'authority-extensions': extensions,
  'controllers-certificate-binding': certificateBinding,
  'controllers-certificate-mapping': certificateMapping,
  'controllers-ldap-signing': ldapSigning,
  'controllers-channel-binding': channelBinding,
  'controllers-netlogon-exceptions': netlogonExceptions,
  'computer-smb-signing': computerSigning,
  'domain-smb-signing': domainSigning,
  'domain-computer-quota': computerQuota,
  'remove-permission': removeEntries,
  'change-owner': changeOwner,
  'remove-enrollment': removeEntries,
  'unpublish-template': unpublish,
  'remove-member': (facts) => (facts.object.kind === 'AZGroup' ? removeCloudMember : removeMember)(facts),
  'remove-local-member': removeLocalMember,
  'remove-policy-member': removePolicyMember,
  'remove-logon-right': removeLogonRight,
  'keep-off': keepOff,
  'separate-logons': separateLogons,
  'unlink-policy': unlinkPolicy,
  'move-object': moveObject,
  'remove-delegation': removeDelegation,
  'clear-sid-history': clearSidHistory,
  'filter-trust': filterTrust,
  'protect-host': protectHost,
  'remove-role': removeRole,
  unsynchronize,
  'remove-relation': removeRelation,
};

/** @returns steps if a fact is missing, or an id has the wrong form */
export function planOf(facts: KitFacts): Plan {
  try {
    return MAKERS[facts.kind](facts);
  } catch (error) {
    if (!(error instanceof NotScripted)) throw error;
    return { why: error.message, steps: [] };
  }
}
