/** Messages by mail to a real server: TLS, sign-in, headers, threads, refused recipients. */
import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../test/fakePlans.ts';
import { killedWhen } from '../../../test/killedAfter.ts';
import { stopped, TicketHarness } from '../../../test/ticketHarness.ts';
import { MailModel } from '../../../test/trackers/mail.ts';
import { readSettings } from '../../connector/settings.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { smtpMessenger } from './smtp.ts';

type Own = Partial<SettingsOf<'smtp'>>;

const messengerFor = (model: MailModel, more: Own = {}) =>
  smtpMessenger({ ...(model.settings() as SettingsOf<'smtp'>), ...more });

async function started(options?: ConstructorParameters<typeof MailModel>[0]): Promise<MailModel> {
  const model = new MailModel(options);
  await model.start();
  return model;
}

const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: Error) => error.message,
  );

describe('a mail server', () => {
  it('is tried with TLS and the password, without a message', async () => {
    await using model = await started();
    await messengerFor(model).test();
    expect([model.messages, model.violations]).toEqual([[], []]);
    expect(await faultOf(messengerFor(model, { password: 'wrong-password' }).test())).toMatch(
      /Invalid login|535/,
    );
  });

  it('is not trusted with another certificate, or another name, unless the settings say so', async () => {
    await using model = await started();
    const { caBundle: _, ...rest } = model.settings() as SettingsOf<'smtp'>;
    expect(await faultOf(smtpMessenger(rest).test())).toMatch(/self-signed certificate/);
    expect(await faultOf(messengerFor(model, { host: '127.0.0.1' }).test())).toMatch(/certificate|altnames/i);
    await smtpMessenger({ ...rest, verifyTls: false }).test();
  });

  it('without TLS gets neither the password nor a message', async () => {
    await using model = await started({ isPlain: true });
    expect(await faultOf(messengerFor(model).test())).toMatch(/STARTTLS|TLS/i);
    expect(await faultOf(messengerFor(model, { tls: 'implicit' }).test())).not.toBe('none');
    await messengerFor(model, { tls: 'none' }).test();
    expect(() => messengerFor(model, { tls: 'none', host: 'mail.example.com' })).toThrow(/this machine only/);
  });

  it('that says nothing is left after the time limit', async () => {
    const { createServer } = await import('node:net');
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    await using model = await started();
    const startedAt = performance.now();
    expect(await faultOf(messengerFor(model, { port, timeout: 0.5 }).test())).not.toBe('none');
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    silent.close();
  });
});

describe('mails', () => {
  it('are one conversation per repair', async () => {
    await using harness = await TicketHarness.make(new MailModel());
    const { service, system } = harness;
    const plan = service.add('Plan', 'One', 'Two');
    await harness.settle();
    service.found(plan, 1, 'done');
    await harness.settle();
    const [first, second, verified] = system.mails;
    expect(system.mails).toHaveLength(3);
    expect(first?.messageId).toMatch(/^<clew-[0-9a-f]{32}@example\.com>$/);
    expect(second?.messageId).not.toBe(first?.messageId);
    expect(verified).toMatchObject({ inReplyTo: first?.messageId, references: first?.messageId });
    expect(first).toMatchObject({
      subject: 'To do: Repair: One',
      from: { text: '"Clew" <clew@example.com>' },
      to: { text: 'security@example.com' },
    });
    expect(system.violations).toEqual([]);
  });

  it.each([
    'One\r\nBcc: eve@evil.example\r\n\r\n<b>text</b>',
    'One\nBcc: eve@evil.example',
    'One\u2028Bcc: eve@evil.example\u0085X: y\u0000',
    '=?utf-8?Q?One=0D=0ABcc:_eve@evil.example?=',
    `${'é'.repeat(300)}\r\nBcc: eve@evil.example`,
    '\u202egro.live@eve :ccB',
  ])('with the hostile name %j have no other header and no other recipient', async (name) => {
    await using harness = await TicketHarness.make(new MailModel());
    harness.service.add(name, name);
    expect(await harness.settle()).toMatchObject({ status: 'complete' });
    const { mails, sources } = harness.system;
    expect(mails).toHaveLength(1);
    const names = (sources[0] as string)
      .split('\r\n\r\n')[0]
      ?.split(/\r\n(?![ \t])/)
      .map((line) => line.split(':')[0]?.toLowerCase())
      .sort();
    expect(names).toEqual(
      [
        ...['auto-submitted', 'content-transfer-encoding', 'content-type', 'date', 'from', 'message-id'],
        ...['mime-version', 'subject', 'to', 'x-auto-response-suppress'],
      ].sort(),
    );
    expect(mails[0]?.bcc).toBeUndefined();
    expect(mails[0]?.subject).not.toMatch(/[\r\n\0\u2028\u202e]/);
  });

  it('that some recipients do not get are sent, and the run says so', async () => {
    await using harness = await TicketHarness.make(new MailModel());
    harness.platform = { to: ['security@example.com', 'unknown@example.com'] };
    harness.system.unknown.add('unknown@example.com');
    harness.service.add('Plan', 'One');
    const report = await harness.run();
    expect(report).toMatchObject({ status: 'partial', delivery: { delivered: 1 }, health: { waiting: 0 } });
    expect(report.faults.join()).toBe('localhost refused these recipients: unknown@example.com');
    expect(await harness.run()).toMatchObject({ delivery: { delivered: 0 }, status: 'complete' });
  });

  it('keep the password out of state and log when the server repeats it', async () => {
    await using harness = await TicketHarness.make(new MailModel());
    harness.platform = { password: 'wrong-secret-password' };
    const plan = harness.service.add('Plan', 'One');
    changeOf(plan, 1);
    expect(await harness.run()).toMatchObject({ status: 'partial', health: { waiting: 1 } });
    expect(await harness.written()).not.toContain('wrong-secret-password');
    harness.platform = {};
    expect(await harness.settle()).toMatchObject({ status: 'complete', delivery: { delivered: 1 } });
  });

  it('are sent once when a stop comes while the server takes the content', async () => {
    await using harness = await TicketHarness.make(new MailModel());
    harness.service.add('Plan', 'One');
    const abort = new AbortController();
    harness.system.atContent = () => {
      abort.abort(new Error('stopped'));
      return new Promise((resolve) => setTimeout(resolve, 200));
    };
    await stopped(harness.run(undefined, abort.signal));
    expect(await harness.settle()).toMatchObject({
      ...{ delivery: { delivered: 0 }, health: { waiting: 0, rejected: 0 } },
    });
    expect(harness.system.mails).toHaveLength(1);
  });

  it('are not stopped for longer than the time limit by a server that does not answer', async () => {
    await using harness = await TicketHarness.make(new MailModel());
    harness.platform = { timeout: 1 };
    harness.service.add('Plan', 'One');
    const abort = new AbortController();
    const answer = Promise.withResolvers<void>();
    harness.system.atContent = () => {
      abort.abort(new Error('stopped'));
      return answer.promise;
    };
    const begun = performance.now();
    // The server answers only after the run has ended.
    await stopped(harness.run(undefined, abort.signal));
    expect(performance.now() - begun).toBeLessThan(20_000);
    answer.resolve();
    // No one knows whether it arrived.
    expect(await harness.settle()).toMatchObject({ health: { waiting: 0, rejected: 1 } });
  });

  it('are kept when the process is killed before the server asks for the content', async () => {
    await using harness = await TicketHarness.make(new MailModel());
    harness.service.add('Plan', 'One');
    let isKilled = false;
    harness.system.fault = () => {
      isKilled = true;
      return undefined;
    };
    await expect(harness.run((engine) => killedWhen(engine, () => isKilled))).rejects.toThrow('killed');
    harness.system.fault = () => undefined;
    expect(harness.system.mails).toEqual([]);
    expect(await harness.settle()).toMatchObject({ delivery: { delivered: 1 }, health: { rejected: 0 } });
    expect(harness.system.mails).toHaveLength(1);
  });

  it.each([
    { from: 'clew@example.com\r\nBcc: eve@evil.example' },
    { to: ['Eve <eve@evil.example>'] },
    { to: [] },
    { to: ['a@b.example,eve@evil.example'] },
    { host: 'mail.example.com/x' },
    { port: 0 },
    { tls: 'maybe' },
  ])('refuse the settings %j', (more) => {
    const platform = {
      type: 'smtp',
      host: 'localhost',
      from: 'clew@example.com',
      to: ['a@example.com'],
      ...more,
    };
    expect(() =>
      readSettings({ server: 'https://clew.example', tokenId: 'id', tokenKey: 'key', platform }),
    ).toThrow(/platform/);
  });
});
