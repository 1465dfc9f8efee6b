/** Answers about the principals that can reach an object. */
import Type, { type Static } from 'typebox';
import { Count, nullable } from './common.ts';
import { ObjectRecord } from './plan.ts';
import { DrawnPathRecord } from './planCards.ts';

const REACHING = 'Number of users and computers that can reach the object';
const PRINCIPALS =
  'Users and computers that count: those of the forest or tenant outside the zone of the object';

export const ReachRecord = Type.Object({
  generation: Type.Integer(),
  object: ObjectRecord,
  zone: nullable(
    Type.Object({ id: Type.Integer(), name: Type.String() }),
    'The most privileged zone of the object. Its members, and those of more privileged zones, do not count. Null for an object in no zone: then members of Tier Zero do not count',
  ),
  reaching_count: nullable(Count, `${REACHING}; null where it is not shown`),
  principal_count: nullable(Count, `${PRINCIPALS}; null where it is not shown`),
  environments: Type.Array(
    Type.Object({
      environment_id: Type.String(),
      environment_name: Type.String(),
      reaching_count: Type.Integer({ minimum: 0, description: REACHING }),
      principal_count: Type.Integer({ minimum: 0, description: PRINCIPALS }),
    }),
  ),
  others: nullable(
    Type.Array(
      Type.Object({
        environment_id: Type.String(),
        environment_name: Type.String(),
        reaching_count: Type.Integer({ minimum: 1, description: REACHING }),
      }),
    ),
    'Environments outside of its forest or tenant whose users and computers can reach it, and that the user sees; null where there are no counts',
  ),
  others_not_shown: nullable(Type.String(), 'Why `others` may be incomplete'),
  easiest_path: nullable(
    DrawnPathRecord,
    'Where `include_path` asks for it: the path of the least attack effort of a user or computer that counts',
  ),
  not_shown: nullable(
    Type.String(),
    'Why there are no counts: the forest of the object has environments outside the access of the user, or the object belongs to no known forest or tenant',
  ),
});
export type ReachRecord = Static<typeof ReachRecord>;
