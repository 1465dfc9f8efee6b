/** The data to delete. */
import Type, { type Static } from 'typebox';

const Flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const Ids = (description: string) =>
  Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), { description }));

export const ClearDatabase = Type.Object({
  deleteCollectedGraphData: Flag(
    'All nodes and edges. Not together with `deleteSourceKinds` or `deleteRelationships`',
  ),
  deleteSourceKinds: Ids(
    'Ids of source kinds whose nodes and edges are deleted; 0 is data without a source kind',
  ),
  deleteRelationships: Type.Optional(
    Type.Array(Type.String(), { description: 'Names of kinds whose edges are deleted' }),
  ),
  deleteFileIngestHistory: Flag('All upload jobs that have ended'),
  deleteDataQualityHistory: Flag('All figures of data quality'),
  deleteAssetGroupSelectors: Ids(
    'Ids of asset groups whose own selectors are deleted; a new analysis follows. Ids of no group are ignored',
  ),
});
export type ClearDatabase = Static<typeof ClearDatabase>;
