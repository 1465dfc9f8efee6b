/**
 * Channels that take messages by webhooks, by the documentation: Slack ("Sending messages using incoming webhooks", "Block Kit", "Rate
 * limits"), Teams ("Create incoming webhooks with Workflows", "Adaptive cards", limits of 28 KB).
 */
import type { WorkSettings } from '../../src/platforms/settings.ts';
import type { Answer, Received } from '../receiver.ts';
import { ModelSystem } from './modelSystem.ts';

const PATH = '/services/T000/B000/webhook-secret';

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests are checked field by field.
type Json = any;

export abstract class MessengerModel extends ModelSystem {
  /** Texts of each message, as a reader sees them. */
  readonly messages: string[] = [];
  readonly secrets = [PATH];

  abstract take(json: Json, bytes: number): Answer;

  answer({ method, path, headers, body }: Received): Answer {
    if (path !== PATH) return { status: 404, body: 'no_service' };
    this.demand(method === 'POST' && headers['content-type'] === 'application/json', 'JSON is posted');
    return this.take(JSON.parse(body), Buffer.byteLength(body));
  }
}

export class SlackModel extends MessengerModel {
  settings(url: string): WorkSettings {
    return { type: 'slack', url: `${url}${PATH}` };
  }

  take(json: Json): Answer {
    // In marked-up text, `<` begins links and mentions.
    this.demand(typeof json.text === 'string' && !/[<>]/.test(json.text), 'the text is escaped');
    for (const { type, text } of json.blocks) {
      const most = { header: 150, section: 3000 }[type as string] ?? 0;
      const isRight = text.type === 'plain_text' && text.text !== '' && text.text.length <= most;
      if (!isRight) return { status: 400, body: 'invalid_blocks' };
    }
    this.messages.push(json.blocks.map(({ text }: Json) => text.text).join('\n'));
    return { status: 200, body: 'ok' };
  }
}

export class TeamsModel extends MessengerModel {
  settings(url: string): WorkSettings {
    return { type: 'teams', url: `${url}${PATH}` };
  }

  take(json: Json, bytes: number): Answer {
    if (bytes > 28 * 1024) return { status: 413 };
    const [attachment] = json.attachments;
    this.demand(json.type === 'message', 'a message');
    this.demand(attachment.contentType === 'application/vnd.microsoft.card.adaptive', 'an adaptive card');
    const { type, version, body, actions } = attachment.content;
    this.demand(type === 'AdaptiveCard' && version === '1.4', 'a card with a version');
    // Text blocks have Markdown; runs have none.
    this.demand(
      body.every((one: Json) => one.type === 'RichTextBlock' && one.inlines.length > 0),
      'runs of text',
    );
    this.demand(
      body.flatMap((one: Json) => one.inlines).every((one: Json) => one.type === 'TextRun'),
      'runs',
    );
    this.demand(
      actions.every((one: Json) => one.type === 'Action.OpenUrl'),
      'links',
    );
    const lines = body.map(({ inlines }: Json) => inlines.map(({ text }: Json) => text).join(''));
    this.messages.push([...lines, ...actions.map(({ url }: Json) => url)].join('\n'));
    return { status: 202 };
  }
}
