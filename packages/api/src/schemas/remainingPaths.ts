/** Attack paths that remain after changes, and the repairs that close them (`docs/plan.md#what-if`). */
import Type, { type Static } from 'typebox';
import { nullable } from './common.ts';
import { ExposureRecord, RepairFields, SimulationRequest } from './plan.ts';
import { DrawnPathRecord } from './planCards.ts';

const MAX_REMAINING_PATHS = 10;

export const RemainingPathsRequest = Type.Object({
  ...SimulationRequest.properties,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_REMAINING_PATHS,
      description: 'The first so many paths; 5 when absent',
    }),
  ),
});
export type RemainingPathsRequest = Static<typeof RemainingPathsRequest>;

export const RemainingPathsRecord = Type.Object({
  generation: Type.Integer(),
  paths: Type.Array(
    Type.Object({
      ...DrawnPathRecord.properties,
      environment_id: Type.String({ description: 'Environment of the users and computers who use the path' }),
      principal_count: nullable(
        Type.Integer({ minimum: 1 }),
        'Users and computers of the environment whose easiest path into the zone is this one; null for users who may see some environments',
      ),
      closed_by: nullable(
        Type.Object({
          step: Type.Integer({ minimum: 0, description: 'Place of the step that goes' }),
          cost: Type.Number({ description: 'Of all its repairs' }),
          repairs: Type.Array(Type.Object(RepairFields), { minItems: 1 }),
        }),
        'The cheapest repairs that close the path; null where none is known, or the user may not see what they change',
      ),
      after: Type.Array(ExposureRecord, {
        description:
          'Exposure after the repairs of this path and of those before it; empty without repairs, and for users who may see some environments',
      }),
    }),
    {
      description:
        'The easiest first: each is the easiest after the changes and the repairs of the paths before it, so each needs another repair',
    },
  ),
  is_complete: Type.Boolean({ description: 'No other path is left after these repairs' }),
});
export type RemainingPathsRecord = Static<typeof RemainingPathsRecord>;
