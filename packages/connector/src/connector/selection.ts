/** Selects the environments, zones and finding types that the settings of a connector name. */
import type { StartedPlan } from '../tickets/planSource.ts';
import { type ConnectorSettings, SettingsError } from './settings.ts';
import type { Environment, FindingSource, Zone } from './source.ts';

/**
 * Selects collected environments by name or id.
 * @param warn receives a sentence for each selected environment that was not collected, if others were
 * @throws SettingsError for an unknown name, and if no selected environment was collected
 */
export async function chooseEnvironments(
  source: FindingSource,
  { environments: selected }: Pick<ConnectorSettings, 'environments'>,
  warn: (sentence: string) => void,
): Promise<readonly Environment[]> {
  const all = await source.environments();
  const fault = 'selectedEnvironments: unknown environment';
  const known = chosen(all, selected, fault, ({ id, name }) => [id, name]);
  const collected = known.filter(({ isCollected }) => isCollected);
  if (selected === undefined) return collected;
  const missing = known
    .filter(({ isCollected }) => !isCollected)
    .map(({ name }) => `selectedEnvironments: ${name} is known, but not collected`);
  if (collected.length === 0) throw new SettingsError(missing);
  for (const sentence of missing) warn(sentence);
  return collected;
}

/** Selects zones by name or number; the first zone is Tier Zero, under any name. @throws SettingsError */
export async function chooseZones(
  source: FindingSource,
  { zones: selected }: Pick<ConnectorSettings, 'zones'>,
): Promise<readonly Zone[]> {
  const all = await source.zones();
  return chosen(all, selected, 'selectedZones: unknown zone', ({ id, name }) => [
    ...[String(id), name],
    ...(id === 1 ? ['tier zero'] : []),
  ]);
}

/** Selects types by id or title. @returns ids; `undefined` for all @throws SettingsError */
export async function chooseTypes(
  source: FindingSource,
  { findingTypes: selected }: Pick<ConnectorSettings, 'findingTypes'>,
): Promise<ReadonlySet<string> | undefined> {
  if (selected === undefined) return undefined;
  const names = await source.typeNames();
  const unknown = selected.filter((word) => !names.has(word));
  if (unknown.length > 0)
    throw new SettingsError(unknown.map((word) => `selectedFindingTypes: unknown type ${word}`));
  return new Set(selected.map((word) => names.get(word) as string));
}

/** @returns the selected started plans, and the words that match no plan's number or name */
export const choosePlans = (
  all: readonly StartedPlan[],
  { plans }: Pick<ConnectorSettings, 'plans'>,
): Choice<StartedPlan> => choiceOf(all, plans, ({ plan_id, name }) => [String(plan_id), name.trim()]);

/** Numbers of plans among the selected words, because the service does not list old plans. */
export const selectedNumbers = ({ plans = [] }: Pick<ConnectorSettings, 'plans'>): number[] =>
  plans.filter((word) => /^[1-9]\d{0,8}$/.test(word)).map(Number);

interface Choice<Item> {
  readonly chosen: readonly Item[];
  readonly unknown: readonly string[];
}

function chosen<Item>(
  all: readonly Item[],
  selected: readonly string[] | undefined,
  fault: string,
  namesOf: (item: Item) => readonly string[],
): readonly Item[] {
  const { chosen: found, unknown } = choiceOf(all, selected, namesOf);
  if (unknown.length > 0) throw new SettingsError(unknown.map((word) => `${fault} ${word}`));
  return found;
}

function choiceOf<Item>(
  all: readonly Item[],
  selected: readonly string[] | undefined,
  namesOf: (item: Item) => readonly string[],
): Choice<Item> {
  if (selected === undefined) return { chosen: all, unknown: [] };
  const isMeant = (item: Item, word: string): boolean =>
    namesOf(item).some((name) => name.toLowerCase() === word);
  return {
    chosen: all.filter((item) => selected.some((word) => isMeant(item, word))),
    unknown: selected.filter((word) => !all.some((item) => isMeant(item, word))),
  };
}
