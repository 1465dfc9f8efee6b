/** Attack efforts, with their reasons, that several kinds of edges share. */
import type { StepEffort } from './effortClasses.ts';

export const IN_THE_TOKEN = {
  effort: 0,
  reason: 'Part of the token, or the same identity under another name',
} as const satisfies StepEffort;
export const PASSED_ON = {
  effort: 0,
  reason: 'Inherited; the action was counted at the right on the parent',
} as const satisfies StepEffort;
export const ONE_WRITE = { effort: 1, reason: 'One write to the directory' } as const satisfies StepEffort;
export const ONE_READ = { effort: 1, reason: 'One read gives the credential' } as const satisfies StepEffort;
export const REMOTE_ADMINISTRATION = {
  effort: 1,
  reason: 'Remote administration, or a run command that is made for it',
} as const satisfies StepEffort;
export const ONE_REPLICATION = {
  effort: 1,
  reason: 'One replication request; a domain controller stores the database',
} as const satisfies StepEffort;
export const POLICY_IS_APPLIED = {
  effort: 1,
  reason: 'Policies are applied automatically within about 90 minutes',
} as const satisfies StepEffort;
export const ONE_CERTIFICATE = { effort: 1, reason: 'One certificate request' } as const satisfies StepEffort;
export const ONE_CALL = {
  effort: 1,
  reason: 'One call to the directory or to the resource manager, with a right or role that is active',
} as const satisfies StepEffort;
export const WRITE_THEN_USE = {
  effort: 2,
  reason: 'First a write or grant, then its use',
} as const satisfies StepEffort;
export const WRITE_THEN_CERTIFICATE = {
  effort: 2,
  reason: 'A credential or mapping is written, then a certificate authenticates',
} as const satisfies StepEffort;
export const IMPERSONATION = {
  effort: 2,
  reason: 'Needs an account with a service principal name, and then impersonation',
} as const satisfies StepEffort;
export const FORGERY = {
  effort: 2,
  reason: 'A key is stolen, something is forged, then used',
} as const satisfies StepEffort;
export const SPECIAL_TOOL = {
  effort: 2,
  reason: 'Several writes or reads with a special tool',
} as const satisfies StepEffort;
export const TWO_REQUESTS = {
  effort: 2,
  reason: 'Two requests, or an object or the CA is changed first',
} as const satisfies StepEffort;
export const CODE_IS_RUN = {
  effort: 2,
  reason: 'Code is changed or run, then its identity is used',
} as const satisfies StepEffort;
export const RIGHT_THEN_USE = {
  effort: 2,
  reason: 'One action gets the right, another uses it',
} as const satisfies StepEffort;
export const RELAYED_CALL = {
  effort: 4,
  reason: 'Another host must connect, and the attacker must be in between',
} as const satisfies StepEffort;
export const FITTING_TARGET = {
  effort: 4,
  reason: 'Needs a suitable target, a pending request, a second account or the check-in of a device',
} as const satisfies StepEffort;
export const HOST_WEAKNESS = {
  effort: 8,
  reason: 'Signs in without administrator rights: the host needs a weakness',
} as const satisfies StepEffort;
