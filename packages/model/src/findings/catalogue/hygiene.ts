/** List findings: risky settings of one object. Each table of the folder is a part of the catalogue. */
import type { ListFindingType } from '../findingType.ts';
import { ACCOUNTS } from './hygiene/accounts.ts';
import { CERTIFICATES } from './hygiene/certificates.ts';
import { ENTRA } from './hygiene/entra.ts';
import { INFRASTRUCTURE } from './hygiene/infrastructure.ts';
import { KERBEROS } from './hygiene/kerberos.ts';
import { PRIVILEGES } from './hygiene/privileges.ts';
import { RESOURCES } from './hygiene/resources.ts';
import type { Row } from './hygiene/row.ts';

const listFindings = (platform: 'ad' | 'azure', rows: readonly Row[]): ListFindingType[] =>
  rows.map(([id, title, scope, category, family, floor, nature, needs, what]) => ({
    kind: 'list',
    id,
    title,
    category,
    platform,
    family,
    what,
    scope,
    needs,
    floor,
    nature,
  }));

export const LIST_FINDINGS: readonly ListFindingType[] = [
  ...listFindings('ad', KERBEROS),
  ...listFindings('ad', ACCOUNTS),
  ...listFindings('ad', PRIVILEGES),
  ...listFindings('ad', INFRASTRUCTURE),
  ...listFindings('ad', CERTIFICATES),
  ...listFindings('azure', ENTRA),
  ...listFindings('azure', RESOURCES),
];
