/** A real mail server with TLS and sign-in, whose faults the test controls. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type ParsedMail, simpleParser } from 'mailparser';
import { generate } from 'selfsigned';
import { SMTPServer } from 'smtp-server';
import type { WorkSettings } from '../../src/platforms/settings.ts';
import type { Answer, Received } from '../receiver.ts';
import { type Fault, ModelSystem } from './modelSystem.ts';

const PASSWORD = 'mail-secret-password';
/** Made once, because that takes longer than a test. */
let certificate: ReturnType<typeof generate> | undefined;

export class MailModel extends ModelSystem {
  /** Subject and text of each message. */
  readonly messages: string[] = [];
  readonly mails: ParsedMail[] = [];
  /** Each message as the server received it. */
  readonly sources: string[] = [];
  readonly secrets = [PASSWORD, Buffer.from(PASSWORD).toString('base64')];
  /** Called when a message arrives, before the server answers. */
  atContent: () => unknown = () => undefined;
  /** Recipients that the server does not know. */
  readonly unknown = new Set<string>();
  #server: SMTPServer | undefined;
  #directory = '';
  #sessions = 0;

  readonly options: { readonly isPlain?: boolean };

  /** @param options `isPlain`: the server offers no TLS */
  constructor(options: { readonly isPlain?: boolean } = {}) {
    super();
    this.options = options;
  }

  override async start(): Promise<void> {
    this.#directory = await mkdtemp(join(tmpdir(), 'clew-mail-'));
    certificate ??= generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    });
    const { private: key, cert } = await certificate;
    await writeFile(this.caBundle, cert);
    const faults = new Map<string, Fault | undefined>();
    const isMet = (id: string, status: number): boolean => {
      const fault = faults.get(id);
      return typeof fault === 'object' && fault.status === status;
    };
    const server = new SMTPServer({
      ...{ key, cert, disableReverseLookup: true, closeTimeout: 10 },
      ...(this.options.isPlain && {
        hideSTARTTLS: true,
        disabledCommands: ['STARTTLS'],
        allowInsecureAuth: true,
      }),
      onConnect: ({ id }, done) => {
        faults.set(id, this.fault(this.#sessions++, SESSION));
        done();
      },
      onAuth: ({ username, password }, { id, secure }, done) => {
        this.demand(secure || this.options.isPlain === true, 'the password is sent with TLS');
        const isRight = username === 'clew' && password === PASSWORD && !isMet(id, 403);
        done(isRight ? null : new Error('the password is wrong'), { user: username });
      },
      onMailFrom: (_, { id }, done) => done(isMet(id, 429) ? refusal(451, 'too many messages') : null),
      onRcptTo: ({ address }, { id }, done) => {
        const isUnknown = isMet(id, 404) || this.unknown.has(address);
        done(isUnknown ? refusal(550, 'no such user here') : null);
      },
      onData: (stream, { id }, done) => {
        const fault = faults.get(id);
        const isKept = fault === 'taken' || fault === undefined;
        const answer = () => {
          if (isMet(id, 400)) done(refusal(554, 'the content is refused'));
          else if (fault === undefined) done();
          // The connection breaks before the answer.
          else for (const one of server.connections) one.close();
        };
        // A message that was not received in full gets no answer.
        void this.#take(stream, isKept)
          .then(() => this.atContent())
          .then(answer, () => {});
      },
    });
    server.on('error', () => {});
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  async #take(stream: Readable, isKept: boolean): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const source = Buffer.concat(chunks);
    if (!isKept) return;
    const mail = await simpleParser(source);
    this.demand(
      mail.headers.get('auto-submitted') === 'auto-generated',
      'the message says that it is automatic',
    );
    this.mails.push(mail);
    this.sources.push(source.toString('latin1'));
    this.messages.push(`${mail.subject}\n${mail.text}`);
  }

  get caBundle(): string {
    return join(this.#directory, 'cert.pem');
  }

  get port(): number {
    if (this.#server === undefined) throw new Error('the mail server is not started');
    return (this.#server.server.address() as AddressInfo).port;
  }

  settings(): WorkSettings {
    return {
      ...{ type: 'smtp', host: 'localhost', port: this.port, user: 'clew', password: PASSWORD },
      ...{ from: 'clew@example.com', to: ['security@example.com'], caBundle: this.caBundle, timeout: 10 },
    };
  }

  answer(_: Received): Answer {
    throw new Error('mail is not sent by HTTP');
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server?.close(() => resolve()) ?? resolve());
    await rm(this.#directory, { recursive: true, force: true });
  }
}

const SESSION: Received = { method: 'SMTP', path: '', headers: {}, body: '' };

const refusal = (responseCode: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode });
