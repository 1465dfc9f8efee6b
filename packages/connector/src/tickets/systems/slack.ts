/**
 * Messages to a channel of Slack by an incoming webhook: the webhook returns no id, so a message is sent once and never changed.
 * Names are plain text, which mentions no one. Rule: `docs/integration.md#slack`.
 */
import { cutTo } from '../../cutTo.ts';
import { PlatformHttp } from '../../platforms/http.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { refusalOf } from '../answers.ts';
import { type Block, fitted, PLAIN, plainLine, writeBlocks } from '../blocks.ts';
import { headlineOf } from '../messages.ts';
import type { Messenger } from '../workSystem.ts';

/** Maximum number of characters in the text of a section; also used for headers. */
const MAX_SECTION = 3000;
const MAX_HEADER = 150;
/** One message per second. */
const PAUSE_MS = 1000;

export function slackMessenger(settings: SettingsOf<'slack'>): Messenger {
  const http = new PlatformHttp(settings);
  return {
    ...{ kind: 'messenger', scope: 'Slack' },
    ...{ name: `Slack at ${new URL(settings.url).host}`, pauseMs: PAUSE_MS },
    untested: 'the webhook was not tested: it would post a message',
    async test() {},
    async send(message, { signal, begin }) {
      const headline = headlineOf(message);
      const body = message.kind === 'create' ? message.ticket.body : message.body;
      const content = {
        // Notifications show this text, in which three characters are special.
        text: escaped(plainLine(headline, MAX_SECTION / 5)),
        blocks: [
          { type: 'header', text: plainText(plainLine(headline, MAX_HEADER)) },
          { type: 'section', text: plainText(textOf(body)) },
        ],
        unfurl_links: false,
      };
      await begin();
      const answer = await http.send(
        {
          url: settings.url,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(content),
        },
        signal,
      );
      return answer.status === 200 && answer.text === 'ok' ? { result: 'sent' } : refusalOf(answer);
    },
    close: () => http.close(),
  };
}

const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false });

const textOf = (blocks: readonly Block[]): string => {
  const write = (some: readonly Block[]): string => writeBlocks(some, PLAIN);
  return cutTo(write(fitted(blocks, (some) => write(some).length, MAX_SECTION)), MAX_SECTION);
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
