/** A list finding as a row of the tables of this folder. */
import type { FindingCategory, ListFindingType, Severity } from '../../findingType.ts';

export type Row = readonly [
  id: string,
  title: string,
  scope: 'tier-zero' | 'hygiene',
  category: FindingCategory,
  family: string,
  floor: Severity,
  nature: ListFindingType['nature'],
  needs: readonly string[],
  what: string,
];
