/** Posture measures by day, for one environment at a time. */
import type { DomainSelector } from '@clew/api';
import type { ClewClient } from '@clew/client';
import type { ChosenZone } from './readFindings.ts';

export const MEASURES = [
  { type: 'exposure', title: 'Exposure of', unit: '%', namesZone: true },
  { type: 'findings', title: 'Findings', unit: '', namesZone: false },
  { type: 'attack-paths', title: 'Attack paths', unit: '', namesZone: false },
  { type: 'assets', title: 'Objects in', unit: '', namesZone: true },
] as const;

export interface MeasuredDay {
  readonly date: string;
  readonly value: number;
}

export interface Posture {
  readonly environment: DomainSelector;
  readonly measures: readonly {
    readonly title: string;
    readonly unit: string;
    readonly days: readonly MeasuredDay[];
  }[];
}

const DAY_MS = 24 * 60 * 60 * 1000;

export async function readPosture(
  client: ClewClient,
  environment: DomainSelector,
  { days, zone }: { readonly days: number; readonly zone: ChosenZone | undefined },
  signal: AbortSignal,
): Promise<Posture> {
  const start = new Date(Date.now() - days * DAY_MS).toISOString();
  const query = { environments: environment.id, start, ...(zone && { asset_group_tag_id: String(zone.id) }) };
  const measures = MEASURES.map(async ({ type, title: text, unit, namesZone }) => {
    const title = namesZone ? `${text} ${zone?.name ?? 'Tier Zero'}` : text;
    const params = { data_type: type };
    const { data } = await client.call('PostureHistoryForEnvironments', { params, query }, { signal });
    return { title, unit, days: data };
  });
  return { environment, measures: await Promise.all(measures) };
}

/** At most one decimal. */
export function formatMeasure(value: number, unit: string): string {
  const digits = Number.isInteger(value) ? 0 : 1;
  const [whole = '', rest] = value.toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${grouped}${rest === undefined ? '' : `.${rest}`}${unit}`;
}
