/** Attack paths that remain after changes, and the repairs that close them (`docs/plan.md#what-if`). */
import Type, { type Static } from 'typebox';
import { nullable } from './common.ts';
import { ExposureRecord, RepairFields, SimulationRequest } from './plan.ts';
import { DrawnPathRecord } from './planCards.ts';

const MAX_REMAINING_PATHS = 10;
const NOT_CLOSED = ['unknown', 'members', 'excluded', 'not-shown'] as const;
const ENDS = ['none', 'open', 'more'] as const;

export const RemainingPathsRequest = Type.Object({
  ...SimulationRequest.properties,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_REMAINING_PATHS,
      description: 'Number of paths to return; default: 5',
    }),
  ),
});
export type RemainingPathsRequest = Static<typeof RemainingPathsRequest>;

export const RemainingPathsRecord = Type.Object({
  generation: Type.Integer(),
  exposure: Type.Array(ExposureRecord, {
    description:
      'Exposure after the changes, before the repairs of the paths; empty for users who may see only some environments',
  }),
  paths: Type.Array(
    Type.Object({
      ...DrawnPathRecord.properties,
      environment_id: Type.String({
        description: 'Environment of the users and computers that can use the path',
      }),
      principal_count: nullable(
        Type.Integer({ minimum: 1 }),
        'Users and computers of the environment whose easiest path into the zone is this one; null for users who may see only some environments',
      ),
      closed_by: nullable(
        Type.Object({
          step: Type.Integer({ minimum: 0, description: 'Position of the step that is removed' }),
          cost: Type.Number({ description: 'Cost of the work and damage of all its repairs, as on cards' }),
          repairs: Type.Array(Type.Object(RepairFields), { minItems: 1 }),
        }),
        'The cheapest repairs that close the path; null with the reason in `not_closed`',
      ),
      not_closed: nullable(
        Type.Object({ reason: Type.Enum([...NOT_CLOSED]), text: Type.String() }),
        'Why no repairs are shown: none is known (`unknown`), only some members of the group at its start could leave it (`members`), constraints exclude them (`excluded`), or they change objects that the user may not see (`not-shown`)',
      ),
      after: Type.Array(ExposureRecord, {
        description:
          'Exposure after the repairs of this path and of those before it; empty without repairs, and for users who may see only some environments',
      }),
    }),
    {
      description:
        'The easiest first: each is the easiest after the changes and the repairs of the paths before it, so each needs another repair. Paths that no known repair closes are listed once, not for each group or principal that reaches them',
    },
  ),
  is_complete: Type.Boolean({
    description:
      'No path is left after the repairs in `paths`; for users who may see only some environments, no path through objects that they may see. False if a repair is not shown, because the repairs in `paths` do not close every path then',
  }),
  end: Type.Object(
    { reason: Type.Enum([...ENDS]), text: Type.String() },
    {
      description:
        'Why the list ends: no path is left (`none`), only paths without a known and allowed repair are left (`open`), or more paths are left, by `limit` or because 200 starts were examined or 50 simulations closed no listed path (`more`)',
    },
  ),
});
export type RemainingPathsRecord = Static<typeof RemainingPathsRecord>;
