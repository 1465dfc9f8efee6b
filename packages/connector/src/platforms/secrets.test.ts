import { expect, it } from 'vitest';
import { redactorOf } from './secrets.ts';

it('replaces the secrets of all parts of a configuration, as they are and as they are sent', () => {
  const redact = redactorOf({
    ...{ server: 'https://clew.example', tokenId: 'known-id', tokenKey: 'key of the service' },
    proxy: 'http://user:proxy%20password@proxy.example',
    platform: {
      ...{ type: 'jira', email: 'a@b.example', token: 'jira-token', soar: { appKey: 'nested-key' } },
      labels: ['plain-label'],
    },
  });
  const signed = Buffer.from('a@b.example:jira-token').toString('base64');
  for (const secret of ['key of the service', 'key%20of%20the%20service', 'jira-token', signed, 'nested-key'])
    expect(redact(`a ${secret} b`)).toBe('a [secret] b');
  expect(redact('proxy%20password, proxy password')).toBe('[secret], [secret]');
  const rest = 'known-id plain-label a@b.example https://clew.example jira';
  expect(redact(rest)).toBe(rest);
});

it('replaces the addresses of webhooks of channels, and no other addresses', () => {
  const url = 'https://hooks.example/services/T0/B0/abcdef?sig=123456';
  const redact = redactorOf({ type: 'teams', url });
  expect(redact(`no ${url}`)).toBe('no [secret]');
  expect(redact('POST /services/T0/B0/abcdef failed')).toBe('POST [secret] failed');
  expect(redactorOf({ type: 'webhook', url })(url)).toBe(url);
});
