/** The enabled features of analysis: defaults, and the choices that override them. */
import { FEATURES, type FeatureName } from '@clew/analysis';
import { type FeatureFlag, NOT_DELETED, ZERO_TIME } from '@clew/api';
import { type Db, wake } from '@clew/store';
import { sql } from 'kysely';

/** Key of the setting with the choices: feature name to choice. */
const SETTING = 'analysis.features';

/** Flags that interfaces of this API read before they show a part: true if this service has the part, and never changed. */
const INTERFACE_FLAGS: readonly FeatureFlag[] = (
  [
    ['tier_management_engine', true, 'Zones, labels and their selectors'],
    ['open_graph_phase_2', true, 'OpenGraph data with custom kinds'],
    ['clear_graph_data', true, 'Deletion of collected data'],
    ['oidc_support', false, 'Sign-in with OpenID Connect'],
    ['back_button_support', true, 'Addresses of views'],
    ['updated_posture_page', true, 'Posture over time'],
    ['dark_mode', true, 'Dark theme'],
    ['explore_table_view', true, 'Results of a query as a table'],
    ['azure_support', true, 'Objects and relationships of Entra ID and Azure'],
    ['adcs', true, 'AD CS and the attack paths through it'],
    ['butterfly_analysis', true, 'Findings that start or end at many principals'],
  ] as const
).map(([key, enabled, description], at) => ({
  id: 1001 + at,
  created_at: ZERO_TIME,
  updated_at: ZERO_TIME,
  deleted_at: NOT_DELETED,
  key,
  name: key.replaceAll('_', ' '),
  description,
  enabled,
  user_updatable: false,
}));

interface Choice {
  readonly enabled: boolean;
  readonly chosenAt: string;
}

type Choices = Readonly<Record<string, Choice | undefined>>;

async function readChoices(db: Db): Promise<Choices> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', SETTING).executeTakeFirst();
  return (row?.value ?? {}) as Choices;
}

/** @returns names of enabled features */
export async function enabledFeatures(db: Db): Promise<FeatureName[]> {
  const choices = await readChoices(db);
  return FEATURES.filter((feature) => choices[feature.name]?.enabled ?? feature.default).map(
    (feature) => feature.name,
  );
}

export async function listFeatures(db: Db): Promise<FeatureFlag[]> {
  const choices = await readChoices(db);
  const own = FEATURES.map((feature) => {
    const choice = choices[feature.name];
    const changedAt = choice?.chosenAt ?? ZERO_TIME;
    return {
      id: feature.id,
      created_at: ZERO_TIME,
      updated_at: changedAt,
      deleted_at: NOT_DELETED,
      key: feature.name,
      name: feature.name.replaceAll('_', ' '),
      description: feature.description,
      enabled: choice?.enabled ?? feature.default,
      user_updatable: true,
    };
  });
  return [...own, ...INTERFACE_FLAGS];
}

export function isFixedFeature(id: number): boolean {
  return INTERFACE_FLAGS.some((flag) => flag.id === id);
}

/**
 * Toggles a feature, and wakes the worker: a generation with other features is built again.
 * @returns its new state; `undefined` for an unknown id
 */
export async function toggleFeature(db: Db, id: number): Promise<boolean | undefined> {
  const feature = FEATURES.find((known) => known.id === id);
  if (feature === undefined) return undefined;
  // One statement, so that two simultaneous calls toggle twice.
  const { rows } = await sql<{ enabled: boolean }>`
    insert into setting (key, value)
    values (${SETTING}, jsonb_build_object(${feature.name}::text, jsonb_build_object(
      'enabled', ${!feature.default}::boolean, 'chosenAt', ${timeText})))
    on conflict (key) do update set value = setting.value || jsonb_build_object(${feature.name}::text, jsonb_build_object(
      'enabled', not coalesce((setting.value -> ${feature.name}::text ->> 'enabled')::boolean, ${feature.default}::boolean),
      'chosenAt', ${timeText}))
    returning (value -> ${feature.name}::text ->> 'enabled')::boolean as enabled`.execute(db);
  await wake(db, 'build');
  return rows[0].enabled;
}

/** Switches a feature on or off. */
export async function setFeature(db: Db, name: FeatureName, enabled: boolean): Promise<void> {
  await sql`
    insert into setting (key, value)
    values (${SETTING}, jsonb_build_object(${name}::text, jsonb_build_object('enabled', ${enabled}::boolean, 'chosenAt', ${timeText})))
    on conflict (key) do update set value = setting.value || excluded.value`.execute(db);
  await wake(db, 'build');
}

/** The current time in the format of answers. */
const timeText = sql`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
