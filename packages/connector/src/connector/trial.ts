/** A dry run: it stores and delivers nothing. */
import { type Alert, buildAlert, eventIdOf } from '../findings/alerts.ts';
import { stableUuid } from '../findings/identity.ts';
import type { FindingTexts } from '../findings/items.ts';
import { keyOf, type NamedTriple, readRecord } from '../findings/records.ts';
import { isSelected } from './intake.ts';
import type { RunOptions } from './runParts.ts';
import { chooseEnvironments, chooseTypes, chooseZones } from './selection.ts';
import { type ConnectorSettings, SettingsError } from './settings.ts';
import { FindingSource } from './source.ts';

export interface TestReport {
  readonly environment: string;
  readonly findingType: string | undefined;
  /** Marked as a test. */
  readonly alert: Alert | undefined;
}

/**
 * Reads one page of the first environment and the first type that has a finding.
 * @throws SettingsError, RecordError, ApiError, ConnectionError, TimeoutError
 */
export async function testConnector({
  settings,
  client,
  signal,
  log,
  now = Date.now,
}: Pick<RunOptions, 'settings' | 'client' | 'signal' | 'log' | 'now'>): Promise<TestReport> {
  const source = new FindingSource(client, signal);
  const [environment] = await chooseEnvironments(source, settings, (sentence) => log.warn(sentence));
  if (environment === undefined)
    throw new SettingsError(['no environment is visible with these credentials']);
  const types = await chooseTypes(source, settings);
  const { id: environmentId, name: environmentName } = environment;
  for (const { id: zoneId, name: zoneName } of await chooseZones(source, settings)) {
    for (const findingType of await source.availableTypes(environmentId, zoneId)) {
      if (types?.has(findingType) === false) continue;
      const triple = { environmentId, environmentName, zoneId, zoneName, findingType };
      const alert = await firstAlert(source, settings, triple, now());
      if (alert !== undefined) return { environment: environmentName, findingType, alert };
    }
  }
  return { environment: environmentName, findingType: undefined, alert: undefined };
}

async function firstAlert(
  source: FindingSource,
  settings: ConnectorSettings,
  triple: NamedTriple,
  now: number,
): Promise<Alert | undefined> {
  const { records } = await source.details(triple, undefined, 0);
  const items = records
    .map((record) => ({ finding: readRecord(record, triple), details: JSON.stringify(record) }))
    .filter(({ finding }) => isSelected(settings, finding))
    .slice(0, settings.maxEventsPerAlert)
    .map(({ finding, details }, seq) => ({
      ...triple,
      ...{ seq, attempts: 0, key: keyOf(finding), kind: 'create' as const },
      eventId: eventIdOf(keyOf(finding), 'create', finding, { life: 0, status: 'active' }),
      payload: { finding, details, status: 'active' as const, reason: 'found' },
    }));
  if (items.length === 0) return undefined;
  const text = (asset: string) => source.text(triple.findingType, asset, triple.zoneId);
  const texts: FindingTexts = {
    title: await text('title'),
    shortDescription: await text('short_description'),
    shortRemediation: await text('short_remediation'),
    longRemediation: await text('long_remediation'),
  };
  const place = { part: 1, parts: 1, total: items.length, first: 1 };
  const batch = { ...triple, id: stableUuid('test', now), kind: 'create' as const, ...place };
  return buildAlert(settings, batch, items, texts, true);
}
