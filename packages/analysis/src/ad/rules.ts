/** The Active Directory rules except certificate services. */

import { relayToLdap } from '../ntlm/relayToLdap.ts';
import { relayToSmb } from '../ntlm/relayToSmb.ts';
import type { Rule } from '../rule.ts';
import { containment } from './containment.ts';
import { groupPolicy } from './groupPolicy.ts';
import { joiningComputers } from './joiningComputers.ts';
import { adminTo, canPsRemote, executeDcom } from './localGroupRights.ts';
import { ownership } from './ownership.ts';
import { passingOn } from './passingOn.ts';
import { protectAdminGroups } from './protectAdminGroups.ts';
import { canRdp } from './remoteDesktop.ts';
import { dcSync, syncLapsPassword } from './replication.ts';
import { synchronization } from './synchronization.ts';
import { trustKeys } from './trustKeys.ts';

export const AD_RULES: readonly Rule[] = [
  dcSync,
  protectAdminGroups,
  syncLapsPassword,
  trustKeys,
  joiningComputers,
  synchronization,
  adminTo,
  canPsRemote,
  executeDcom,
  canRdp,
  ownership,
  relayToSmb,
  relayToLdap,
  groupPolicy,
  containment,
  passingOn,
];
