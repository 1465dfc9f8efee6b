/** A relationship finding as a row of the tables of this folder. */
import type { Platform } from '@clew/model';
import type { RelationshipFindingType } from '../findingType.ts';

/** Most are edges of one kind that cross the boundary of a zone. */
export type RelationshipRow = Omit<RelationshipFindingType, 'kind' | 'platform' | 'boundary'> &
  Partial<Pick<RelationshipFindingType, 'boundary'>>;

type Of<Rows extends readonly RelationshipRow[]> = {
  [At in keyof Rows]: RelationshipFindingType & { readonly id: Rows[At]['id'] };
};

export function relationshipFindings<const Rows extends readonly RelationshipRow[]>(
  platform: Platform,
  rows: Rows,
): Of<Rows> {
  return rows.map((row) => ({
    boundary: 'crossing',
    ...row,
    kind: 'relationship',
    platform,
  })) as unknown as Of<Rows>;
}
