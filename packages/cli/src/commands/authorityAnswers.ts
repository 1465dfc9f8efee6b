/** `clew plan answer`: records whether a certification authority has the update of November 2024, which no collector reports. */
import { ApiError, type ClewClient } from '@clew/client';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, printable, writeJson } from '../terminal/text.ts';
import { readPlan } from './plan.ts';

export interface AnswerOptions extends ConnectionOptions {
  readonly updated?: boolean;
  readonly notUpdated?: boolean;
  readonly withdraw?: boolean;
  readonly json?: boolean;
}

/** @param authority name or object ID; absent to list the questions with their answers */
export async function answerAuthority(
  context: Context,
  authority: string | undefined,
  options: AnswerOptions,
): Promise<void> {
  const { err, signal } = context;
  const { updated, notUpdated, withdraw } = options;
  const chosen = [updated, notUpdated, withdraw].filter(Boolean).length;
  if (chosen !== (authority === undefined ? 0 : 1))
    throw new CommandError(
      'give a CA and one of --updated, --not-updated and --withdraw, or nothing to list the questions',
      EXIT.usage,
    );
  const client = await connect(context, options);
  if (authority === undefined) {
    await listQuestions(context, client, options);
    return;
  }
  const params = { authority_id: await idOf(context, client, authority) };
  try {
    if (withdraw) {
      await client.call('WithdrawAuthorityAnswer', { params }, { signal });
      if (options.json) context.out.write(jsonText(params));
      else err.write('The answer is withdrawn. A new analysis will follow.\n');
      return;
    }
    const body = { is_updated: updated === true };
    const { data } = await client.call('AnswerAuthorityQuestion', { params, body }, { signal });
    if (options.json) return writeJson(context.out, data);
    const effect = data.is_updated ? 'ADCSESC15 over it does not count' : 'ADCSESC15 over it counts';
    err.write(`${printable(data.name)}: ${effect}. A new analysis will follow.\n`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      throw new CommandError(
        withdraw ? `there is no answer about ${authority}` : `CA ${authority} not found`,
      );
    throw error;
  }
}

async function listQuestions(context: Context, client: ClewClient, { json }: AnswerOptions): Promise<void> {
  const { out, err } = context;
  const { authority_questions: asked } = await readPlan(context, client, { limit: 1 });
  if (json) return writeJson(out, asked);
  if (asked.length === 0) {
    err.write('The plan has no questions about CAs.\n');
    return;
  }
  const rows = asked.map(({ authority, template_count, principal_count, answer }) => [
    ...[authority.name, answer === null ? 'not answered' : answer.is_updated ? 'updated' : 'not updated'],
    ...[answer?.answered_by ?? '', answer?.answered_at.slice(0, 10) ?? ''],
    ...[template_count, principal_count],
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

const COLUMNS = [
  ...[{ title: 'AUTHORITY' }, { title: 'UPDATE OF NOVEMBER 2024' }, { title: 'BY' }, { title: 'SINCE' }],
  ...[
    { title: 'TEMPLATES', align: 'right' as const },
    { title: 'MAY ENROLL', align: 'right' as const },
  ],
];

/** @returns the id of the CA with this name in an answer or a question of the plan; otherwise the text itself */
async function idOf(context: Context, client: ClewClient, text: string): Promise<string> {
  const isNamed = (name: string): boolean => name.toUpperCase() === text.toUpperCase();
  const { data: answers } = await client.call('ListAuthorityAnswers', { query: { limit: 1000 } });
  const answered = answers.find(({ name }) => isNamed(name));
  if (answered !== undefined) return answered.authority_id;
  const { authority_questions: asked } = await readPlan(context, client, { limit: 1 });
  return asked.find(({ authority }) => isNamed(authority.name))?.authority.object_id ?? text;
}
