/**
 * The condition of every list finding, by its id. To add one: write it into the file of its subject, beside the row of
 * the catalogue. A condition that reads what nobody collected finds nothing, and the coverage report says so.
 */
import type { Reads } from '../../analysisContext.ts';
import { FACTS_READS } from '../findingFacts.ts';
import { ACCOUNT_CONDITIONS } from './accounts.ts';
import { CERTIFICATE_CONDITIONS } from './certificates.ts';
import type { Condition, ConditionGroup } from './condition.ts';
import { ENTRA_CONDITIONS } from './entra.ts';
import { INFRASTRUCTURE_CONDITIONS } from './infrastructure.ts';
import { KERBEROS_CONDITIONS } from './kerberos.ts';
import { PRIVILEGE_CONDITIONS } from './privileges.ts';
import { RESOURCE_CONDITIONS } from './resources.ts';

const GROUPS: readonly ConditionGroup[] = [
  KERBEROS_CONDITIONS,
  ACCOUNT_CONDITIONS,
  PRIVILEGE_CONDITIONS,
  INFRASTRUCTURE_CONDITIONS,
  CERTIFICATE_CONDITIONS,
  ENTRA_CONDITIONS,
  RESOURCE_CONDITIONS,
];

export const CONDITIONS: Readonly<Record<string, Condition>> = Object.assign(
  {},
  ...GROUPS.map(({ conditions }) => conditions),
);

export const CONDITION_READS: readonly Reads[] = [FACTS_READS, ...GROUPS.map(({ reads }) => reads)];
