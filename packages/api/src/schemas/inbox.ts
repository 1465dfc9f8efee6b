/** The inbox of changes: its rows, and the position up to which a user has read them (`docs/history.md#inbox`). */
import Type, { type Static } from 'typebox';
import { Count, nullable, Time } from './common.ts';
import { UnifiedFindingRow } from './findings.ts';

export const INBOX_GROUPS = ['opened', 'closed', 'verified', 'waiting', 'data'] as const;
export type InboxGroupName = (typeof INBOX_GROUPS)[number];

export const INBOX_KINDS = [
  ...(['opened', 'closed', 'verified', 'undone'] as const),
  ...(['assigned', 'repair', 'overdue', 'approval', 'decision', 'expires', 'certify'] as const),
  ...(['upload', 'mention'] as const),
] as const;

/** Notes that may mention users. */
export const NOTE_PLACES = ['repair', 'change', 'acceptance', 'constraint', 'certification'] as const;
export type NotePlaceName = (typeof NOTE_PLACES)[number];

export const InboxItem = Type.Object({
  key: Type.String({ description: 'Identifies the row when marking it as done' }),
  kind: Type.Enum([...INBOX_KINDS], {
    description:
      '`opened`, `closed`: a finding; `verified`, `undone`: a change of a started plan; `assigned`: a finding of the user; `repair`: a repair of the user; `overdue`: a finding of another owner or none whose due day has passed; `approval`: an acceptance of another user that waits for a second approver; `decision`: the end of an acceptance that the user asked for; `expires`: an acceptance that ends within 14 days; `certify`: members of a zone that wait for certification; `upload`: a finished upload; `mention`: a note that mentions the user by name',
  }),
  at: Type.Optional(Time),
  done: Type.Boolean(),
  by: nullable(Type.String(), 'The user who did it; null if not known'),
  finding: Type.Optional(UnifiedFindingRow),
  place: Type.Optional(
    Type.Enum([...NOTE_PLACES], {
      description:
        'Where the user is mentioned: notes of a repair, the mark of a change, the reason of an acceptance or of a constraint, the note of a certification',
    }),
  ),
  note: Type.Optional(
    Type.String({
      description:
        'The beginning of the note that mentions the user, or why an acceptance was decided like this',
    }),
  ),
  decision: Type.Optional(
    Type.Object({
      state: Type.Enum(['approved', 'refused', 'withdrawn', 'expired', 'closed']),
      finding_id: Type.Integer({ description: 'The most severe finding of the request' }),
      accepted_count: Type.Integer({ minimum: 0, description: 'Findings that are accepted by it' }),
      skipped_count: Type.Integer({
        minimum: 0,
        description: 'Findings that were closed, or accepted otherwise since the request',
      }),
    }),
  ),
  text: Type.Optional(
    Type.String({
      description:
        'Title of a change, repair or constraint, or of the most severe finding of a request; name of a zone, state of an upload',
    }),
  ),
  plan: Type.Optional(Type.Object({ id: Type.Integer(), name: Type.String() })),
  repair: Type.Optional(Type.Integer({ description: 'Number of the repair in its plan' })),
  due: Type.Optional(nullable(Type.String({ description: 'The day on which a repair is due' }))),
  overdue: Type.Optional(
    Type.Boolean({ description: 'The due day of a repair has passed (UTC), and a change of it is to do' }),
  ),
  zone: Type.Optional(Type.Integer({ description: 'Number of the zone' })),
  upload: Type.Optional(Type.Integer({ description: 'Number of the upload' })),
  count: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Members that wait, files of an upload, findings of a request, or what a note is about together',
    }),
  ),
  failed_count: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Number of files of an upload that have errors' }),
  ),
});
export type InboxItem = Static<typeof InboxItem>;

export const InboxGroup = Type.Object({
  group: Type.Enum([...INBOX_GROUPS]),
  count: Type.Integer({ minimum: 0, description: 'Number of rows that are not done' }),
  has_more: Type.Boolean({
    description: 'Whether there are more than the count says because counting stopped',
  }),
  items: Type.Array(InboxItem, { description: 'Most severe first, or newest first' }),
});
export type InboxGroup = Static<typeof InboxGroup>;

export const InboxRecord = Type.Object({
  from: nullable(Time, 'The analysis after which changes count; null before the first'),
  to: nullable(Time, 'The latest analysis'),
  read_before: nullable(Time, 'All changes up to this time are read; null if it is not set'),
  count: Count,
  groups: Type.Array(InboxGroup),
});
export type InboxRecord = Static<typeof InboxRecord>;

const Keys = Type.Array(
  Type.String({
    minLength: 3,
    maxLength: 100,
    pattern: '^[a-z]+(:[0-9A-Za-z-]+){1,3}$',
    'x-form': 'the key of an entry, as the inbox gives it',
  }),
  { maxItems: 500 },
);

export const InboxMarks = Type.Object(
  {
    done: Type.Optional(Keys),
    undone: Type.Optional(Keys),
    read_before: Type.Optional(
      nullable(Type.String({ description: 'A time (RFC 3339); null if nothing is read' })),
    ),
  },
  { minProperties: 1, description: 'Rows by their keys; parts that are absent keep their values' },
);
export type InboxMarks = Static<typeof InboxMarks>;

export const InboxMarked = Type.Object({ read_before: nullable(Time) });
