/** `clew who-can-reach NAME`: the number of users and computers that can reach an object, and an example of an easiest path. */
import type { ReachRecord } from '@clew/api';
import { phrasesOf } from '@clew/connector';
import { effortWords, othersReachText, shareOf } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { WAIT_SECONDS } from '../plan/planPages.ts';
import { pathLine } from '../terminal/pathLine.ts';
import { formatCount, jsonText, printable, shownName } from '../terminal/text.ts';
import { resolveObject } from './path.ts';

export interface WhoCanReachOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export async function whoCanReach(
  context: Context,
  name: string,
  options: WhoCanReachOptions,
): Promise<number> {
  const { out, signal } = context;
  const client = await connect(context, options);
  const { objectid } = await resolveObject(client, name, signal);
  const query = { object_id: objectid, include_path: true };
  const { data } = await client.call('GetReach', { query }, { signal, wait: WAIT_SECONDS });
  if (options.json) {
    out.write(jsonText(data));
    return 0;
  }
  out.write(`${countsText(data)}\n`);
  const path = data.easiest_path;
  if (path === null) return 0;
  const relations = path.steps.map(({ kind }) => kind);
  const phraseOf = await phrasesOf(client, relations, signal);
  out.write(`\nEasiest path, ${effortWords(path.effort)}:\n`);
  out.write(`${pathLine(out, { nodes: path.nodes, relations }, phraseOf, { lead: '  ', indent: 4 })}\n`);
  return 0;
}

function countsText(record: ReachRecord) {
  const { object, zone, reaching_count, principal_count, environments, not_shown } = record;
  const others = othersReachText(record, shownName);
  const target = `${printable(object.kind)} ${shownName(object.name)}`;
  if (reaching_count === null || principal_count === null)
    return `The number of users and computers that can reach ${target} is unknown. ${printable(not_shown ?? '')}.`;
  const outside = `users and computers outside ${printable(zone?.name ?? 'Tier Zero')}`;
  if (principal_count === 0) return `There are no ${outside} in the forest or tenant of ${target}. ${others}`;
  const of = (reaching: number, all: number): string => `${formatCount(reaching)} of ${formatCount(all)}`;
  const share = shareOf(reaching_count, principal_count);
  const lines = [`${of(reaching_count, principal_count)} ${outside} (${share}) can reach ${target}.`];
  if (environments.length > 1)
    for (const one of environments)
      lines.push(
        `  ${shownName(one.environment_name)}: ${of(one.reaching_count, one.principal_count)} (${shareOf(one.reaching_count, one.principal_count)})`,
      );
  return [...lines, others].join('\n');
}
