/** Saved reports, which can be issued again on a schedule (`docs/web.md#reports`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { Count, nullable, Severity, Time } from './common.ts';
import { ObjectRecord } from './plan.ts';

export const REPORT_AUDIENCES = ['management', 'operations'] as const;
export const REPORT_SCHEDULES = ['none', 'weekly', 'monthly'] as const;
/** Maximum number of issues of one report; older ones are removed. */
export const MAX_REPORT_ISSUES = 12;
export const MAX_REPORTS = 50;

const Share = Type.Number({ minimum: 0, maximum: 1 });

const Deadline = Type.Object({
  title: Type.String(),
  severity: Severity,
  day: Type.String({ description: 'The due day, or the day on which the acceptance ends (UTC)' }),
  source: nullable(Type.String(), 'Name of the source; null for a finding of one object'),
  target: Type.String({ description: 'Name of the target' }),
  by: nullable(Type.String(), 'Its owner, or the user who accepted it; null in masked reports'),
  template: Type.Optional(
    nullable(
      Type.String(),
      'Name of the template of its acceptance; null without one, and in masked reports. Only of acceptances with evidence',
    ),
  ),
  file_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Files attached to its acceptance. Only of those with evidence',
    }),
  ),
});

export const ReportContent = Type.Object(
  {
    published_at: nullable(Time, 'When the analysis of the repairs was published; null if there is no plan'),
    zone: Type.String({ description: 'Name of the zone in sentences' }),
    environment: nullable(Type.String(), 'Name of the one environment; null for all'),
    from: Type.String({ description: 'Start of the period' }),
    exposed_count: Count,
    principal_count: Count,
    not_shown_count: Type.Integer({
      minimum: 0,
      description:
        'Number of environments of its owner whose figures are left out, because their forest has environments that the owner may not see',
    }),
    environments: Type.Array(
      Type.Object({
        environment_id: Type.String(),
        name: Type.String(),
        collected: Type.Boolean(),
        exposure: nullable(Share),
        users: Count,
        computers: Count,
        active_computers: Count,
        session_computers: Count,
      }),
    ),
    history: Type.Array(
      Type.Object({
        environment_id: Type.String(),
        name: Type.String(),
        points: Type.Array(Type.Object({ date: Type.String(), exposure: Share })),
      }),
      { description: 'Exposure of the first 6 environments by day' },
    ),
    repairs: nullable(
      Type.Array(
        Type.Object({
          titles: Type.Array(Type.String(), {
            description: 'One for each change that helps only together with the others',
          }),
          reasons: Type.Optional(
            Type.Array(Type.String(), {
              description: 'The reasons for the cost of its changes; absent in reports of earlier releases',
            }),
          ),
          questions: Type.Optional(
            Type.Array(Type.String(), {
              description: 'Questions about its changes that the data cannot answer',
            }),
          ),
          cost: Type.Number(),
          closed_count: nullable(Count),
          exposed_before: nullable(Count),
          exposed_after: nullable(Count),
          principal_count: Type.Integer({ minimum: 0, description: 'Users and computers before the repair' }),
          principal_count_after: Type.Optional(
            Type.Integer({
              minimum: 0,
              description:
                'Their number afterward if a repair removes accounts from the zone; absent in reports of earlier releases',
            }),
          ),
          path: nullable(
            Type.Object({
              nodes: Type.Array(ObjectRecord),
              kinds: Type.Array(Type.String(), { description: 'One fewer than the nodes' }),
              cut: Type.Integer({ minimum: 0, description: 'Position of the removed step, counted from 0' }),
            }),
          ),
        }),
      ),
      'Null while no plan is known',
    ),
    proof: Type.Optional(
      nullable(
        Type.Object({
          ...{ change_count: Count, proved_count: Count, came_back_count: Count },
          ...{ contradicted_count: Count, not_seen_count: Count, overdue_count: Count },
          repairs: Type.Array(
            Type.Object({
              title: Type.String(),
              ...{ change_count: Count, proved_count: Count, came_back_count: Count },
              ...{ contradicted_count: Count, not_seen_count: Count },
              due: nullable(Type.String(), 'Its due day'),
              overdue: Type.Boolean(),
              at: nullable(Time, 'The last analysis of the period that changed it'),
              claims: Type.Optional(
                Type.Object(
                  { agrees: Count, disagrees: Count, waits: Count, 'not-made': Count },
                  {
                    description:
                      'What transcripts and backups of kits say, compared with collections. Absent without such files',
                  },
                ),
              ),
              facts: Type.Array(Type.String(), { description: 'The first 5 facts that moved in the period' }),
              effect: Type.String({
                description: 'What its card promised and what was reached; empty if not known',
              }),
            }),
            { description: 'Repairs with an event of a change in the period, and overdue repairs' },
          ),
        }),
        'Proof of started plans; null without started plans. Absent in reports of earlier releases',
      ),
    ),
    deadlines: Type.Optional(
      Type.Object(
        {
          overdue_count: Count,
          overdue: Type.Array(Deadline, { description: 'The longest overdue' }),
          ending_count: Count,
          ending: Type.Array(Deadline, { description: 'The findings whose acceptance ends first' }),
        },
        {
          description:
            'Findings whose due day by the service levels has passed, and accepted ones whose acceptance ends within 14 days. Absent in reports of earlier releases',
        },
      ),
    ),
  },
  { description: 'A masked report has pseudonyms in place of all names and ids' },
);
export type ReportContent = Static<typeof ReportContent>;

export const ReportRecord = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  audience: Type.Enum([...REPORT_AUDIENCES]),
  asset_group_tag_id: Type.Integer(),
  environment_id: nullable(Type.String(), 'The one environment; null for all'),
  days: Type.Integer({ minimum: 1, description: 'Number of days that the trend covers' }),
  masked: Type.Boolean(),
  schedule: Type.Enum([...REPORT_SCHEDULES], {
    description: '`weekly`: Mondays, `monthly`: the first day of a month, both at 06:00 UTC',
  }),
  next_at: nullable(Time, 'When its next issue is created'),
  ended: nullable(
    Type.String(),
    'Why no more issues are created: its owner was deleted or disabled or lost the permission, or its zone was deleted',
  ),
  failure: nullable(
    Type.Object({ at: Time, reason: Type.String() }),
    'When its schedule first failed after its last issue, and why; null if it did not fail',
  ),
  owner: Type.String(),
  is_own: Type.Boolean(),
  created_at: Time,
  issues: Type.Array(Type.Object({ id: Type.Integer(), made_at: Time, generation: Type.Integer() }), {
    description: 'Those that the user may see, newest first',
  }),
});
export type ReportRecord = Static<typeof ReportRecord>;

export const REPORT_COLUMNS = {
  ...{ id: column('integer'), name: column('string'), asset_group_tag_id: column('integer') },
  audience: column('string', { words: REPORT_AUDIENCES }),
  schedule: column('string', { words: REPORT_SCHEDULES }),
  environment_id: column('string', { isId: true }),
  ...{ days: column('integer'), masked: column('boolean'), next_at: column('time') },
  ...{ owner: column('string'), is_own: column('boolean'), created_at: column('time') },
} as const;

export const ReportIssue = Type.Object({
  id: Type.Integer(),
  made_at: Time,
  generation: Type.Integer(),
  content: ReportContent,
});
export type ReportIssue = Static<typeof ReportIssue>;

export const NewReport = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  audience: Type.Optional(Type.Enum([...REPORT_AUDIENCES])),
  asset_group_tag_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  environment_id: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  masked: Type.Optional(
    Type.Boolean({
      description: 'Whether names are replaced when the report is created; this cannot be undone',
    }),
  ),
  schedule: Type.Optional(Type.Enum([...REPORT_SCHEDULES])),
});
export type NewReport = Static<typeof NewReport>;

/** Missing members stay unchanged. */
export const ReportChange = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  schedule: Type.Optional(Type.Enum([...REPORT_SCHEDULES])),
});
export type ReportChange = Static<typeof ReportChange>;
