/** The present posture on one page. */
import Type, { type Static } from 'typebox';
import { Count, NotRead, nullable, Time } from './common.ts';

export const PostureSummary = Type.Object({
  asset_group_tag_id: Type.Integer(),
  score: Type.Object({
    /** 100 is best; null without an analysis. */
    value: nullable(Type.Integer({ minimum: 0, maximum: 100 })),
    parts: Type.Array(
      Type.Object({
        name: Type.Enum(['exposure', 'findings', 'coverage']),
        /** Null if unknown. */
        points: nullable(Type.Number({ minimum: 0 })),
        most: Type.Integer(),
        because: Type.String({ description: 'A sentence that says why it is not more' }),
      }),
    ),
  }),
  findings: Type.Object(
    { critical: Count, high: Count, moderate: Count, low: Count },
    {
      description:
        'Number of open findings that are not accepted and that no other finding represents, as in the list',
    },
  ),
  overdue: Type.Object(
    { critical: Count, high: Count, moderate: Count, low: Count },
    { description: 'Number of these findings whose due day by the service levels has passed' },
  ),
  types: Type.Array(
    Type.Object({
      finding: Type.String(),
      title: Type.String(),
      category: Type.String(),
      techniques: Type.Array(Type.String(), { description: 'Techniques of MITRE ATT&CK' }),
      count: Type.Integer({
        minimum: 0,
        description: 'Number of open findings that are not accepted, as in the list of this type',
      }),
      part_count: Type.Integer({
        minimum: 0,
        description: 'Number of these findings that another finding represents',
      }),
      came_count: Type.Integer({
        minimum: 0,
        description: 'Counts findings that no other finding represents',
      }),
      went_count: Type.Integer({
        minimum: 0,
        description: 'Counts findings that no other finding represents',
      }),
    }),
    {
      description:
        'Types with findings that are open, were opened or were closed; those with the most findings first',
    },
  ),
  analysis_changes: Type.Array(
    Type.Object({
      at: Time,
      cause: Type.Enum(['rules', 'zones', 'answers', 'several'], {
        description:
          '`several`: more than one of rules, zones, answers and data, whose effects cannot be distinguished',
      }),
      rules_version: Type.String(),
      came_count: Count,
      went_count: Count,
      because: Type.Array(Type.String(), {
        description:
          'Who answered what about certification authorities, and when, for users who see all environments; sentences',
      }),
    }),
    {
      description:
        'Analyses of the window with other rules, zones or answers than the one before: figures before and after are not comparable, and findings that ended there were not repaired',
    },
  ),
  authority_answers: Type.Array(
    Type.Object({
      authority_id: Type.String(),
      name: Type.String(),
      answered_by: Type.String(),
      answered_at: Time,
      text: Type.String({
        description: 'A sentence that says what does not count, and whose answer it rests on',
      }),
    }),
    {
      description:
        'Certification authorities of which someone answered that the update of November 2024 (CVE-2024-49019) is installed, as the latest analysis counted it; none for users who do not see all environments',
    },
  ),
  not_reported: Type.Array(
    Type.Object({
      at: Time,
      environment_id: Type.String(),
      job_id: Type.Integer({ description: 'Upload job that removed them' }),
      removed_count: Count,
      names_methods: Type.Boolean({
        description:
          'False: its files do not say what their run collected, and findings that ended with them are `deprecated`',
      }),
      kinds: Type.Array(Type.Object({ kind: Type.String(), removed_count: Count, before_count: Count })),
      text: Type.String({ description: 'A sentence, with the exposure before and after where it fell' }),
    }),
    {
      description:
        'Jobs of the window that removed more than a fifth, and at least 20, of the relationships of a kind from an environment: a lower exposure may come from that alone',
    },
  ),
  environments: Type.Array(
    Type.Object({
      environment_id: Type.String(),
      name: Type.String(),
      type: Type.String(),
      collected: Type.Boolean(),
      collected_at: nullable(Time, 'When its newest collection saw it; null if it was not collected'),
      not_read: NotRead,
      not_said: Type.Array(
        Type.Object({ fields: Type.Array(Type.String()), findings: Type.Array(Type.String()) }),
        {
          description:
            'Fields that no object of the environment has, since its collector does not write them, and the titles of the findings that are silent, or miss a part, without them',
        },
      ),
      exposure: nullable(Type.Number({ minimum: 0, maximum: 1 })),
      principals: Type.Integer({
        minimum: 0,
        description:
          'Principals outside the zone that `exposure` counts: users and computers, or accounts of a platform',
      }),
      users: Count,
      computers: Count,
      groups: Count,
      controllers: Count,
      authorities: Count,
      administrators: Count,
      trusts: Count,
      active_computers: Count,
      session_computers: Type.Integer({
        minimum: 0,
        description: 'Number of active computers whose sessions were collected',
      }),
      group_computers: Type.Integer({
        minimum: 0,
        description: 'Number of active computers whose local groups were collected',
      }),
    }),
  ),
});
export type PostureSummary = Static<typeof PostureSummary>;
