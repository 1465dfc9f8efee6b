/** The Azure and hybrid rules. None of them reads edges of another one. */
import type { Rule } from '../rule.ts';
import { addMembers } from './addMembers.ts';
import { addOwner, addSecret } from './applicationRights.ts';
import { executeCommand } from './executeCommand.ts';
import { graphPermissions } from './graphPermissions.ts';
import { hybridUsers } from './hybrid.ts';
import { resetPassword } from './resetPassword.ts';
import { roleApprovers } from './roleApprovers.ts';
import { tenantAdmins } from './tenantAdmins.ts';

export const AZURE_RULES: readonly Rule[] = [
  resetPassword,
  tenantAdmins,
  addMembers,
  addSecret,
  addOwner,
  graphPermissions,
  roleApprovers,
  executeCommand,
  hybridUsers,
];
