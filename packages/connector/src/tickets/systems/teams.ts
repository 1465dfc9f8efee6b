/**
 * Messages to a channel of Microsoft Teams by a workflow webhook: an adaptive card whose text runs have no markup. The webhook
 * returns no id, so a message is sent once and never changed. Rule: `docs/integration.md#microsoft-teams`.
 */
import { PlatformHttp } from '../../platforms/http.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { refusalOf } from '../answers.ts';
import { type Block, fitted, plainLine, type Run } from '../blocks.ts';
import { headlineOf } from '../messages.ts';
import type { Message, Messenger } from '../workSystem.ts';

/** Maximum number of bytes of a message. */
const MAX_BYTES = 28 * 1024;
const MAX_HEADLINE = 300;
/** At most four per second. */
const PAUSE_MS = 300;

export function teamsMessenger(settings: SettingsOf<'teams'>): Messenger {
  const http = new PlatformHttp(settings);
  return {
    ...{ kind: 'messenger', scope: 'Teams' },
    ...{ name: `Teams at ${new URL(settings.url).host}`, pauseMs: PAUSE_MS },
    untested: 'the workflow was not tested: it would post a message',
    async test() {},
    async send(message, { signal, begin }) {
      await begin();
      const answer = await http.send(
        { url: settings.url, headers: { 'content-type': 'application/json' }, body: bodyOf(message) },
        signal,
      );
      return answer.status === 200 || answer.status === 202 ? { result: 'sent' } : refusalOf(answer);
    },
    close: () => http.close(),
  };
}

function bodyOf(message: Message): string {
  const write = (blocks: readonly Block[]): string => JSON.stringify(cardOf(headlineOf(message), blocks));
  const blocks = message.kind === 'create' ? message.ticket.body : message.body;
  return write(fitted(blocks, (some) => Buffer.byteLength(write(some)), MAX_BYTES));
}

function cardOf(headline: string, blocks: readonly Block[]): object {
  const links = blocks.flatMap((block) => ('paragraph' in block ? block.paragraph.filter(isLink) : []));
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    ...{ type: 'AdaptiveCard', version: '1.4' },
    body: [
      richText([{ text: plainLine(headline, MAX_HEADLINE), weight: 'Bolder' }]),
      ...blocks.flatMap(elementsOf),
    ],
    actions: links.map(({ link, words }) => ({ type: 'Action.OpenUrl', title: words, url: link })),
  };
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    ...{ contentUrl: null, content },
  };
  return { type: 'message', attachments: [attachment] };
}

type Link = Extract<Run, { readonly link: string }>;
const isLink = (run: Run): run is Link => typeof run === 'object' && 'link' in run;

function elementsOf(block: Block): object[] {
  if ('heading' in block) return [richText([{ text: block.heading, weight: 'Bolder' }])];
  const lines =
    'list' in block ? block.list.map((item): readonly Run[] => ['- ', ...item]) : [block.paragraph];
  return lines.flatMap((line) => {
    const runs = line.flatMap((run) => {
      if (typeof run === 'string') return [{ text: run }];
      return isLink(run) ? [] : [{ text: plainLine(run.quoted) }];
    });
    return runs.length === 0 ? [] : [richText(runs)];
  });
}

/** Text runs have no Markdown, unlike text blocks. */
const richText = (runs: readonly { readonly text: string; readonly weight?: string }[]) => ({
  type: 'RichTextBlock',
  inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
});
