/** `clew plan`: what to repair first, and its effect. `clew simulate`: the effect of a change. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PlanRecord, RemainingPathsRecord, SimulationRecord, SimulationRequest } from '@clew/api';
import type { ClewClient, PlanQuery } from '@clew/client';
import { ANALYZED_MEANWHILE, type PhraseOf, phrasesOf, whatIf } from '@clew/connector';
import { counted, jsonFault, phrasesText, principalsText, reachSentence } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { isNotAnalyzed, NOT_ANALYZED } from '../findings/notAnalyzed.ts';
import { chosenEnvironments, chosenLabel, zoneQuery } from '../findings/readFindings.ts';
import { explanationText } from '../plan/explanationText.ts';
import {
  kindsOfCard,
  MAX_CARDS,
  moreCards,
  OUTDATED,
  planCsv,
  planMarkdown,
  planText,
  WAIT_SECONDS,
} from '../plan/planPages.ts';
import { readRelations } from '../plan/readRelations.ts';
import { exposureName, remainingPathsText, shareText } from '../plan/remainingPathsText.ts';
import { writeKits, writeRules } from '../plan/writeKits.ts';
import { pathLine } from '../terminal/pathLine.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTable } from '../terminal/table.ts';
import { formatCount, jsonText, printable, shownName, writeJson } from '../terminal/text.ts';

export const PLAN_FORMATS = ['text', 'json', 'markdown', 'csv'] as const;

export interface PlanOptions extends ConnectionOptions {
  readonly limit: number;
  readonly zone?: string;
  /** Percent of each environment. */
  readonly goal?: number;
  readonly environment?: readonly string[];
  readonly within?: readonly string[];
  /** Name or number of a label. */
  readonly ownedBy?: string;
  readonly exclude?: readonly string[];
  readonly cost?: readonly string[];
  readonly explain?: boolean;
  /** Output folder for the change kits of the cards. */
  readonly scripts?: string;
  /** Output folder for detection rules of the paths that remain after all cards. */
  readonly rules?: string;
  readonly format: (typeof PLAN_FORMATS)[number];
}

export async function plan(context: Context, options: PlanOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { goal, environment, within, ownedBy, exclude, cost, explain } = options;
  const idsOf = (names: readonly string[] | undefined) => names && environmentIds(client, names, signal);
  const query = {
    ...{ limit: options.limit, ...(await zoneQuery(client, options, signal)) },
    ...{ goal: goal && goal / 100, exclude, cost, explain },
    owned_by: ownedBy === undefined ? undefined : await chosenLabel(client, ownedBy, signal),
    ...{ environment: await idsOf(environment), within: await idsOf(within) },
  };
  const found = await readPlan(context, client, query, LOOK_SECONDS);
  if (options.scripts !== undefined) await writeKits(context, client, found.cards, options.scripts);
  if (options.rules !== undefined) {
    const whole = await readPlan(context, client, { ...query, limit: MAX_CARDS }, LOOK_SECONDS);
    await writeRules(context, client, whole, options.rules, query.environment);
  }
  const phraseOf = await phrasesOf(client, found.cards.flatMap(kindsOfCard), signal);
  const text = write(context, options.format, found, phraseOf);
  if (options.format === 'text')
    out.write(explain === true ? `${text}\n${explanationText(out, found.explanation)}` : text);
  else out.writeData(text);
  if (options.format !== 'text' && found.excluded.is_outdated) err.write(`${OUTDATED}\n`);
  // Unlike the others, these formats have no place for it.
  const more = moreCards(found);
  if (options.format === 'csv' && more !== undefined) err.write(`${more}\n`);
}

/** Finds the ids of environments by name or object ID. */
async function environmentIds(
  client: ClewClient,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names)
    found.push(...(await chosenEnvironments(client, name, signal)).map(({ id }) => id));
  return found;
}

/** After this time, the previous plan is shown with its date. */
const LOOK_SECONDS = 20;

/** Shows progress while the plan is computed. @param seconds maximum wait if there is already a plan */
export async function readPlan(
  { err, signal }: Context,
  client: ClewClient,
  query: PlanQuery,
  seconds = WAIT_SECONDS,
): Promise<PlanRecord> {
  const known = await client.call('GetPlan', { query: query as never }, { signal, wait: seconds });
  if ('cards' in known.data && seconds < WAIT_SECONDS) return known.data;
  if (!('cards' in known.data) && known.data.generation === 0) throw new CommandError(NOT_ANALYZED);
  let said = '';
  return client.plan(query, {
    signal,
    wait: WAIT_SECONDS,
    onProgress: ({ card_count, exposed_count, fault }) => {
      const left = exposed_count === null ? '' : `, ${formatCount(exposed_count)} still exposed`;
      const text = fault ?? `The plan is being created: ${counted(card_count, 'card')} so far${left}`;
      if (text !== said) err.write(`${text}\n`);
      said = text;
    },
  });
}

function write(
  { out }: Context,
  format: PlanOptions['format'],
  data: PlanRecord,
  phraseOf: PhraseOf,
): string {
  switch (format) {
    case 'json':
      return jsonText(data);
    case 'markdown':
      return planMarkdown(data);
    case 'csv':
      return planCsv(data);
    case 'text':
      return planText(out, data, phraseOf);
  }
}

export interface ChokePointOptions extends ConnectionOptions {
  readonly limit: number;
  readonly uncuttable?: boolean;
  readonly zone?: string;
  readonly json?: boolean;
}

/** `clew choke-points`: the objects on most attack paths. */
export async function chokePoints(context: Context, options: ChokePointOptions): Promise<void> {
  const { out, signal } = context;
  const client = await connect(context, options);
  const { limit, uncuttable } = options;
  const query = { limit, uncuttable, ...(await zoneQuery(client, options, signal)) };
  const { data } = await client.call('GetChokePoints', { query }, { signal, wait: WAIT_SECONDS });
  if (options.json) return writeJson(out, data);
  if (data.exposed_count === 0 && data.not_shown.length === 0 && (await isNotAnalyzed(client, signal)))
    throw new CommandError(NOT_ANALYZED);
  const objects = data.objects.map(({ object, principal_count }) => [
    principal_count,
    object.kind,
    object.name,
  ]);
  const every = data.relations.flatMap(({ kinds }) => kinds);
  const phraseOf = await phrasesOf(client, every, signal);
  const relations = data.relations.map(({ source, kinds, target, principal_count }) => [
    ...[principal_count, source.name, phrasesText(kinds, phraseOf), target.name],
  ]);
  const notShown = data.not_shown.map(({ environment_name }) => shownName(environment_name));
  out.write(`${reachSentence(data.exposed_count, notShown)}\n`);
  if (data.exposed_count === 0 && notShown.length > 0) return;
  out.write('\n');
  out.write(formatTable(out, [PRINCIPALS, { title: 'KIND' }, { title: 'OBJECT' }], objects));
  out.write('\n');
  out.write(
    formatTable(out, [PRINCIPALS, { title: 'FROM' }, { title: 'RELATIONSHIP' }, { title: 'TO' }], relations),
  );
  if (data.uncuttable_count > 0 && options.uncuttable !== true)
    out.write(
      `\n${counted(data.uncuttable_count, 'relationship')} that cannot be removed omitted: --uncuttable shows them.\n`,
    );
}

const PRINCIPALS = { title: 'PRINCIPALS', align: 'right' } as const;

export interface SimulateOptions extends ConnectionOptions {
  readonly repairs?: number;
  readonly file?: string;
  readonly remove?: readonly string[];
  readonly disable?: readonly string[];
  readonly zone?: string;
  /** Name under which the plan is saved. */
  readonly save?: string;
  /** Maximum number of remaining paths; default: one, without its repairs. */
  readonly paths?: number;
  readonly json?: boolean;
}

export async function simulate(context: Context, options: SimulateOptions): Promise<void> {
  const { out, signal, directory } = context;
  const client = await connect(context, options);
  const body: SimulationRequest =
    options.file === undefined ? {} : await readChanges(resolve(directory, options.file));
  const zone = await zoneQuery(client, options, signal);
  if (options.repairs !== undefined) {
    const found = await readPlan(context, client, { limit: options.repairs, ...zone });
    const packages = found.cards.flatMap((card) => card.packages);
    body.repairs = [...(body.repairs ?? []), ...packages.flatMap(({ references }) => references)];
  }
  if (options.remove !== undefined)
    body.remove = [...(body.remove ?? []), ...(await readRelations(client, options.remove, signal))];
  if (options.disable !== undefined) body.disable = [...(body.disable ?? []), ...options.disable];
  if (Object.keys(body).length === 0 && options.paths === undefined)
    throw new CommandError('give the changes: --repairs, --remove, --disable or --file', EXIT.usage);
  let saved: { readonly plan_id?: number } = {};
  if (options.save !== undefined) {
    const { data } = await client.call(
      'CreatePlan',
      { body: { ...body, ...zone, name: options.save } },
      { signal, wait: WAIT_SECONDS },
    );
    context.err.write(`Saved as plan ${data.id}: clew plans show ${data.id} shows its progress.\n`);
    saved = { plan_id: data.id };
  }
  const { data, left } = await readEffect(client, { ...body, ...zone }, options.paths, signal);
  if (options.json) {
    out.write(jsonText({ ...saved, ...data, ...(left && { remaining_paths: left }) }));
    return;
  }
  const kinds = left?.paths.flatMap(({ steps }) => steps.map(({ kind }) => kind));
  const phraseOf = await phrasesOf(client, kinds ?? data.remaining_path?.relations ?? [], signal);
  out.write(simulationText(data, phraseOf, out, { zone: zone.asset_group_tag_id, left }));
}

interface Effect {
  readonly data: SimulationRecord;
  readonly left?: RemainingPathsRecord;
}

async function readEffect(
  client: ClewClient,
  body: SimulationRequest,
  paths: number | undefined,
  signal: AbortSignal,
): Promise<Effect> {
  const options = { signal, wait: WAIT_SECONDS };
  if (paths === undefined) return { data: (await client.call('SimulatePlan', { body }, options)).data };
  const found = await whatIf(client, body, paths, options);
  if (found === undefined) throw new CommandError(ANALYZED_MEANWHILE);
  return { data: found.simulation, left: found.remaining };
}

async function readChanges(path: string): Promise<SimulationRequest> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read: ${error.code ?? error.message}`, EXIT.usage);
  });
  try {
    return JSON.parse(text) as SimulationRequest;
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${jsonFault(text, error)}`, EXIT.usage);
  }
}

/** The exposure of a zone in the environments together and, if there are several, in each. */
function exposureLines(
  before: SimulationRecord['before'],
  after: SimulationRecord['after'],
  zone: number,
): string[] {
  const own = before.filter(({ asset_group_tag_id }) => asset_group_tag_id === zone);
  const falls = own.map((one) => {
    const left = after.find(
      ({ environment_id, asset_group_tag_id }) =>
        environment_id === one.environment_id && asset_group_tag_id === zone,
    );
    return { before: one, after: left ?? one };
  });
  const all = { before: falls.map((fall) => fall.before), after: falls.map((fall) => fall.after) };
  if (all.before.every(({ exposed_count, principal_count }) => exposed_count + principal_count === 0))
    return [];
  const exposed = falls.filter((fall) => fall.before.exposed_count + fall.after.exposed_count > 0);
  const others = falls.length - exposed.length;
  const lineOf = (from: SimulationRecord['before'], to: SimulationRecord['after']): string =>
    `${shareText(from)} -> ${shareText(to)} of ${principalsText(to.reduce((sum, one) => sum + one.principal_count, 0))}`;
  return [
    `${exposureName(own)}: ${lineOf(all.before, all.after)}`,
    ...(own.length < 2
      ? []
      : [
          ...exposed.map(
            (fall) => `  ${shownName(fall.before.environment_name)}: ${lineOf([fall.before], [fall.after])}`,
          ),
          ...(others > 0 ? [`  ${counted(others, 'other environment')}: 0%`] : []),
        ]),
  ];
}

const TIER_ZERO = 1;

interface SimulatedZone {
  readonly zone?: number | undefined;
  /** Absent if not requested. */
  readonly left?: RemainingPathsRecord | undefined;
}

export function simulationText(
  {
    before,
    after,
    closed_count,
    opened_count,
    closed,
    remaining_path,
    not_shown,
    not_computed,
  }: SimulationRecord,
  phraseOf: PhraseOf,
  screen: Pick<Screen, 'width'>,
  { zone = TIER_ZERO, left }: SimulatedZone,
): string {
  const lines = exposureLines(before, after, zone);
  for (const { environment_name, reason } of not_shown)
    lines.push(`${shownName(environment_name)}  ${reason}`);
  const titles = [...new Set(closed.map(({ title }) => title))];
  lines.push(
    '',
    `${counted(closed_count, 'finding')} would close${titles.length === 0 ? '' : `: ${titles.slice(0, 5).join('; ')}${titles.length > 5 ? '; ...' : ''}`}`,
  );
  if (opened_count > 0) lines.push(`${counted(opened_count, 'finding')} would open`);
  if (remaining_path === null)
    lines.push(
      not_shown.length === 0
        ? 'No path into the zone would remain.'
        : 'No path through objects that you can see would remain.',
    );
  else if (left === undefined)
    lines.push(pathLine(screen, remaining_path, phraseOf, { lead: 'Remaining paths include: ' }));
  else lines.push(...remainingPathsText(left, phraseOf, screen));
  lines.push(...not_computed.map(printable));
  return `${lines.join('\n')}\n`;
}
