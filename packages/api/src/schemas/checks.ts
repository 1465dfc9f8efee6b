/** Custom checks: queries whose objects are findings (`docs/checks.md`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { dataOf, nullable, Time } from './common.ts';

const Text = Type.String();

/** A check as read, with defaults for omitted values: the contents of its file. */
export const CheckDefinition = Type.Object({
  name: Type.String({ description: 'This is also the id of the type of its findings' }),
  title: Text,
  category: Text,
  severity: Type.Enum(['low', 'moderate', 'high', 'critical', 'exposure', 'impact'], {
    description:
      '`exposure`: rated by the share of users and computers that can reach the object; `impact`: by the share that is compromised with it',
  }),
  cypher: Text,
  remediation: Type.Object({
    short_description: Text,
    long_description: Text,
    short_remediation: Text,
    long_remediation: Text,
  }),
  techniques: Type.Array(Text, { description: 'Numbers of techniques of MITRE ATT&CK' }),
  owner: Text,
  repair: Type.Optional(
    Type.Object({
      change: Type.Enum(['remove-relation']),
      relationship_kinds: Type.Array(Text),
      direction: Type.Enum(['in', 'out']),
    }),
  ),
  enabled: Type.Boolean(),
});
export type CheckDefinition = Static<typeof CheckDefinition>;

export const Check = Type.Object({
  name: Text,
  title: Text,
  enabled: Type.Boolean(),
  extension_id: nullable(
    Type.Integer(),
    'Id of the extension whose definition contains it; null for a check of the organization',
  ),
  definition: CheckDefinition,
  created_at: Time,
  created_by: Text,
  updated_at: Time,
  updated_by: Text,
  finding_count: Type.Integer({
    minimum: 0,
    description: 'Number of its open findings that the caller may see',
  }),
  ran_at: nullable(Time, 'When its query last ran; null before the first run'),
  milliseconds: nullable(Type.Integer()),
  error: nullable(Text, 'Why the last run failed; the findings are those of `found_at`'),
  warnings: Type.Array(Text),
  found_at: nullable(Time, 'When its query last succeeded'),
  evidence_columns: Type.Array(Text),
  definition_warnings: Type.Optional(
    Type.Array(Text, {
      description:
        'Only in the answer that stores the check: names in its query that do not occur in the data, each with its position and a suggestion',
    }),
  ),
});
export type Check = Static<typeof Check>;

export const CHECK_COLUMNS = {
  ...{ name: column('string'), title: column('string'), enabled: column('boolean') },
  ...{ extension_id: column('integer'), finding_count: column('integer'), error: column('string') },
  ...{ created_at: column('time'), created_by: column('string') },
  ...{ updated_at: column('time'), updated_by: column('string'), ran_at: column('time') },
} as const;

const Member = (description: string) => Type.Optional(Type.Unknown({ description }));

/** The service checks the members, because it reports every fault with its place; a schema reports only the first. */
export const CheckDocument = Type.Object(
  {
    name: Member(
      '`Check_` and a name of letters, digits and underscores: the id of the type of its findings',
    ),
    title: Member('Name of the finding, in up to 80 characters'),
    category: Member('Category in lists; "Custom Checks" unless given'),
    severity: Member('`low`, `moderate`, `high`, `critical`, `exposure`, or `impact`'),
    cypher: Member('A query whose first column is the object of the finding; its other columns are evidence'),
    remediation: Member(
      '`short_description`, `long_description`, `short_remediation` and `long_remediation`, in Markdown',
    ),
    techniques: Member('Numbers of techniques of MITRE ATT&CK, as T1078.002'),
    owner: Member('Person or team responsible for it'),
    repair: Member('`change`: "remove-relation", `relationship_kinds`, and `direction`: "in" or "out"'),
    enabled: Member('`false`: the check is kept but does not run'),
  },
  // Accepts unknown members, so that the service can report misspelled ones.
  { additionalProperties: Type.Unknown() },
);

/** Missing members stay unchanged. */
export const CheckSwitch = Type.Object({ enabled: Type.Optional(Type.Boolean()) });

export const CheckTestResult = dataOf(
  Type.Object({
    found_count: Type.Integer({ minimum: 0 }),
    evidence_columns: Type.Array(Text),
    found: Type.Array(
      Type.Object({
        object_id: Text,
        name: Text,
        kind: Text,
        environment_id: Text,
        evidence: Type.Array(Type.Array(Type.Unknown()), {
          description: 'The values of `evidence_columns`, by row of the query',
        }),
      }),
      { description: 'The first ones' },
    ),
    warnings: Type.Array(Text),
    milliseconds: Type.Integer({ minimum: 0 }),
  }),
);
