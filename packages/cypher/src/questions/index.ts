/** Built-in queries, by category. */
import { ATTACK_PATH_QUESTIONS } from './attackPaths.ts';
import { CERTIFICATE_QUESTIONS } from './certificates.ts';
import { CLOUD_QUESTIONS } from './cloud.ts';
import { DOMAIN_QUESTIONS } from './domains.ts';
import { HYBRID_QUESTIONS } from './hybrid.ts';
import { HYGIENE_QUESTIONS } from './hygiene.ts';
import { KERBEROS_QUESTIONS } from './kerberos.ts';
import { NTLM_QUESTIONS } from './ntlm.ts';
import { PRIVILEGED_ROLE_QUESTIONS } from './privilegedRoles.ts';
import type { BuiltInQuery, QuestionOfCategory } from './question.ts';
import { RIGHTS_QUESTIONS } from './rights.ts';
import { RIGHTS_OF_ALL_QUESTIONS } from './rightsOfAll.ts';
import { TIER_ZERO_QUESTIONS } from './tierZero.ts';

const CATEGORIES: readonly (readonly [category: string, questions: readonly QuestionOfCategory[]])[] = [
  ['Tier Zero', TIER_ZERO_QUESTIONS],
  ['Attack paths', ATTACK_PATH_QUESTIONS],
  ['NTLM relay and signing', NTLM_QUESTIONS],
  ['Rights of all users', RIGHTS_OF_ALL_QUESTIONS],
  ['Rights', RIGHTS_QUESTIONS],
  ['Kerberos and passwords', KERBEROS_QUESTIONS],
  ['Accounts and machines', HYGIENE_QUESTIONS],
  ['Domains and trusts', DOMAIN_QUESTIONS],
  ['AD CS', CERTIFICATE_QUESTIONS],
  ['Roles in Entra ID', PRIVILEGED_ROLE_QUESTIONS],
  ['Entra ID and Azure', CLOUD_QUESTIONS],
  ['Hybrid', HYBRID_QUESTIONS],
];

export const BUILT_IN_QUERIES: readonly BuiltInQuery[] = CATEGORIES.flatMap(([category, questions]) =>
  questions.map((question) => ({ ...question, category })),
);
