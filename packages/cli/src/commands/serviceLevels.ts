/** `clew service-levels`: days by severity until an open finding is due. */

import { SEVERITIES } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { writeJson } from '../terminal/text.ts';

const KEY = 'findings.service_levels';

type Levels = Readonly<Record<string, unknown>>;

export interface ServiceLevelOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export async function serviceLevels(context: Context, options: ServiceLevelOptions): Promise<void> {
  const { out, signal } = context;
  const levels = await levelsOf(await connect(context, options), signal);
  if (options.json) return writeJson(out, levels);
  out.write(levelsText(levels));
}

async function levelsOf(client: ClewClient, signal: AbortSignal): Promise<Levels> {
  const { data } = await client.call(
    'ListAppConfigParams',
    { query: { parameter: `eq:${KEY}` } },
    { signal },
  );
  const [parameter] = data;
  if (parameter === undefined) throw new CommandError('the service has no service levels: it is older');
  return parameter.value;
}

function levelsText(levels: Levels): string {
  const lines = SEVERITIES.toReversed().map((severity) => {
    const days = Number(levels[severity]);
    return `${severity.padEnd(8)}  ${days === 0 ? 'no due day' : counted(days, 'day')}\n`;
  });
  const since = typeof levels.since === 'string' ? levels.since : '';
  return `${lines.join('')}${since === '' ? '' : `Findings that opened before ${since} count from that day.\n`}`;
}

export interface SetServiceLevelsOptions extends ConnectionOptions {
  readonly critical?: number;
  readonly high?: number;
  readonly moderate?: number;
  readonly low?: number;
  readonly since?: string;
}

export async function setServiceLevels(context: Context, options: SetServiceLevelsOptions): Promise<void> {
  const { out, signal } = context;
  const { critical, high, moderate, low, since } = options;
  const given = Object.entries({ critical, high, moderate, low, since }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length === 0)
    throw new CommandError('name at least one of --critical, --high, --moderate, --low, --since', EXIT.usage);
  const client = await connect(context, options);
  const value = Object.fromEntries(given);
  await client.call('SetAppConfigParam', { body: { key: KEY, value } }, { signal });
  out.write(levelsText(await levelsOf(client, signal)));
}
