/**
 * Messages by mail, as plain text. The first message of a repair has an id made of the repair's key, and later ones refer to it, so that
 * mail programs show them together. A message is sent once and never changed. Rule: `docs/integration.md#mail-smtp`.
 */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { endAfter } from '@clew/model';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { redactorOf } from '../../platforms/secrets.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { type Block, fitted, PLAIN, plainLine, writeBlocks } from '../blocks.ts';
import { headlineOf } from '../messages.ts';
import type { Message, Messenger, Postponed, Refused } from '../workSystem.ts';

type Settings = SettingsOf<'smtp'>;

const PORTS: Readonly<Record<NonNullable<Settings['tls']>, number>> = {
  starttls: 587,
  implicit: 465,
  none: 25,
};
/** Hosts that messages reach without a network. */
const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
const MAX_SUBJECT = 200;
/** Maximum number of characters of a text. */
const MAX_TEXT = 64 * 1024;
const DEFAULT_TIMEOUT_S = 30;
const PAUSE_MS = 1000;

/** @throws Error for settings that would send a password or names of a directory over a network without encryption */
export function smtpMessenger(settings: Settings): Messenger {
  const { host, tls = 'starttls', user, password } = settings;
  if (tls === 'none' && !LOCAL.test(host))
    throw new Error('platform.tls none is for a mail server on this machine only');
  if ((user === undefined) !== (password === undefined))
    throw new Error('platform.user and platform.password belong together');
  const redact = redactorOf(settings);
  const open = new Set<SMTPConnection>();

  /** Runs a conversation with the server within the time limit of a request. */
  async function talk<Said>(
    signal: AbortSignal | undefined,
    say: (connection: SMTPConnection, stage: Stage) => Promise<Said>,
  ): Promise<Said> {
    const limit = (settings.timeout ?? DEFAULT_TIMEOUT_S) * 1000;
    const connection = new SMTPConnection(await connectionOptions(settings, limit));
    open.add(connection);
    const stage: Stage = { isSending: false };
    const deadline = endAfter(limit);
    const ended = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    try {
      ended.throwIfAborted();
      return await new Promise<Said>((resolve, reject) => {
        const end = (): void => reject(new Error(`no answer from ${host} in time`));
        ended.addEventListener('abort', end, { once: true });
        connection.on('error', reject);
        connection.on('end', () => reject(new Error(`${host} closed the connection`)));
        say(connection, stage).then(resolve, reject);
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new MailError(redact(plainLine((error as Error).message, MAX_REASON)), error, stage.isSending);
    } finally {
      open.delete(connection);
      connection.close();
    }
  }

  const signIn = async (connection: SMTPConnection): Promise<void> => {
    await called((done) => connection.connect(done));
    if (user === undefined || password === undefined) return;
    await called((done) => connection.login({ credentials: { user, pass: password } }, done));
  };

  return {
    ...{ kind: 'messenger', scope: 'SMTP', name: `the mail server ${host}`, pauseMs: PAUSE_MS },
    untested: 'no message was sent: the mail server decides about each recipient when it gets one',
    test: (signal) => talk(signal, signIn),
    async send(message, { signal, begin }) {
      const { envelope, content } = await composed(settings, message);
      try {
        const refused = await talk(signal, async (connection, stage) => {
          await signIn(connection);
          // Read once the server asks for the content.
          const asked = Readable.from(
            (async function* () {
              await begin();
              stage.isSending = true;
              yield content;
            })(),
          );
          const info = await called<Info>((done) => connection.send(envelope, asked, done));
          return (info?.rejected ?? []).map(String);
        });
        if (refused.length === 0) return { result: 'sent' };
        const names = redact(plainLine(refused.join(', '), MAX_REASON));
        return { result: 'sent', fault: `${host} refused these recipients: ${names}` };
      } catch (error) {
        if (error instanceof MailError) return error.meaning();
        throw error;
      }
    },
    async close() {
      for (const connection of open) connection.close();
    },
  };
}

const MAX_REASON = 300;

interface Stage {
  /** The server accepted sender and recipients, and gets the content. */
  isSending: boolean;
}

interface Info {
  readonly rejected?: readonly string[];
}

/** Turns a function with a callback into a promise. */
const called = <Result>(call: (done: (error?: Error | null, result?: Result) => void) => void) =>
  new Promise<Result | undefined>((resolve, reject) =>
    call((error, result) => (error ? reject(error) : resolve(result))),
  );

class MailError extends Error {
  override readonly name = 'MailError';
  readonly #cause: { readonly code?: unknown; readonly responseCode?: unknown };
  readonly #isSending: boolean;

  constructor(message: string, cause: unknown, isSending: boolean) {
    super(message);
    this.#cause = Object(cause);
    this.#isSending = isSending;
  }

  /** A refused sender, and refused recipients, wait for administrators; refused content is refused for good. */
  meaning(): Refused | Postponed {
    const { code, responseCode } = this.#cause;
    const reason = this.message;
    const isAnswered = typeof responseCode === 'number' && responseCode >= 400;
    if (!this.#isSending) return { result: 'retry', reason, mayHaveArrived: false };
    if (!isAnswered || code !== 'EMESSAGE') return { result: 'retry', reason, mayHaveArrived: true };
    return responseCode >= 500
      ? { result: 'rejected', reason }
      : { result: 'retry', reason, mayHaveArrived: false, isOwn: true };
  }
}

async function connectionOptions(settings: Settings, limit: number): Promise<SMTPConnection.Options> {
  const { host, tls = 'starttls', port = PORTS[tls], verifyTls = true, caBundle } = settings;
  return {
    ...{ host, port, secure: tls === 'implicit', requireTLS: tls === 'starttls', ignoreTLS: tls === 'none' },
    ...{ connectionTimeout: limit, greetingTimeout: limit, socketTimeout: limit, dnsTimeout: limit },
    tls: {
      ...{ minVersion: 'TLSv1.2', rejectUnauthorized: verifyTls },
      ...(caBundle !== undefined && { ca: await readFile(caBundle) }),
    },
  };
}

/** Addresses have no special characters, and the subject is one line without control characters: neither begins a header. */
async function composed({ from, to }: Settings, message: Message) {
  const { kind, ticket, eventId } = message;
  const host = from.slice(from.lastIndexOf('@') + 1);
  const first = `<${ticket.key}@${host}>`;
  const isFirst = kind === 'create';
  const mail = new MailComposer({
    ...{
      from: { name: 'Clew', address: from },
      to: [...to],
      subject: subjectOf(message),
    },
    text: textOf(isFirst ? ticket.body : message.body),
    messageId: isFirst ? first : `<${ticket.key}.${eventId}@${host}>`,
    ...(!isFirst && { inReplyTo: first, references: [first] }),
    // No one answers the connector, and automatic answers would return to it.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  }).compile();
  return { envelope: { from, to: [...to] }, content: await mail.build() };
}

/** A mail program would decode an encoded word (RFC 2047), so a name does not begin one. */
const subjectOf = (message: Message): string =>
  plainLine(headlineOf(message), MAX_SUBJECT).replaceAll('=?', '= ?');

const textOf = (blocks: readonly Block[]): string => {
  const write = (some: readonly Block[]): string => writeBlocks(some, PLAIN);
  return write(fitted(blocks, (some) => write(some).length, MAX_TEXT));
};
