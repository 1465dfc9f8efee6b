import { describe, expect, test } from 'vitest';
import { trustedProxies } from '../config/configValues.ts';
import { clientAddress, isLocal, isProxyNetwork, isTrustedProxy, publicUrl } from './clientAddress.ts';

const peer = (address: string, headers: Record<string, string> = {}) => ({ address, headers });
const forwarded = (chain: string) => ({ 'x-forwarded-for': chain });

describe('the address of the client', () => {
  test.each([
    ['no proxy is trusted', '0', '10.0.0.1', '1.2.3.4', '10.0.0.1'],
    ['one proxy', '1', '10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['one proxy, a forged entry before it', '1', '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['two proxies', '2', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', '1.2.3.4'],
    ['fewer entries than proxies', '3', '10.0.0.1', '1.2.3.4, 10.0.0.2', '1.2.3.4'],
    ['a trusted network', '10.0.0.0/8', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9', '1.2.3.4'],
    ['a peer outside the network', '10.0.0.0/8', '9.9.9.9', '1.2.3.4', '9.9.9.9'],
    ['no address at all', '1', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['an entry with a port', '1', '10.0.0.1', '1.2.3.4:5678', '1.2.3.4'],
    ['IPv6 in brackets', '1', '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['a mapped IPv4 peer', '0', '::ffff:10.0.0.1', '', '10.0.0.1'],
    ['a mapped IPv4 proxy', '10.0.0.1', '::ffff:10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ])('%s', (_, trusted, address, chain, expected) => {
    expect(clientAddress(peer(address, forwarded(chain)), trustedProxies(trusted))).toBe(expected);
  });
});

test('a number of proxies names no address as one, only a network does', () => {
  const has = (trusted: string, address: string) => [
    isTrustedProxy(address, trustedProxies(trusted)),
    isProxyNetwork(address, trustedProxies(trusted)),
  ];
  expect(has('1', '9.9.9.9')).toEqual([true, false]);
  expect(has('10.0.0.0/8', '9.9.9.9')).toEqual([false, false]);
  expect(has('10.0.0.0/8', '::ffff:10.1.1.1')).toEqual([true, true]);
});

describe('the public address', () => {
  const proxied = {
    host: 'inner:8080',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'clew.example.com',
  };

  test.each([
    ['configured', { publicUrl: 'https://set', trusted: '1' }, proxied, 'https://set'],
    ['from the Host header', { trusted: '0' }, { host: 'clew:8080' }, 'http://clew:8080'],
    ['forwarded headers of strangers do not count', { trusted: '0' }, proxied, 'http://inner:8080'],
    ['forwarded headers of a trusted proxy', { trusted: '1' }, proxied, 'https://clew.example.com'],
    ['a hostile Host header', { trusted: '0' }, { host: 'a b"<>' }, 'http://localhost'],
    ['a Host header with a path', { trusted: '0' }, { host: 'evil/x' }, 'http://evil'],
    ['no Host header', { trusted: '0' }, {}, 'http://localhost'],
  ])(
    '%s',
    (_, { publicUrl: configured, trusted }: { publicUrl?: string; trusted: string }, headers, expected) => {
      expect(
        publicUrl(peer('10.0.0.1', headers as Record<string, string>), {
          publicUrl: configured,
          trustedProxies: trustedProxies(trusted),
        }),
      ).toBe(expected);
    },
  );
});

describe('a local caller', () => {
  test.each([
    ['127.0.0.1', {}, true],
    ['::1', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['10.0.0.1', {}, false],
    ['127.0.0.1', forwarded('1.2.3.4'), false],
    ['127.0.0.1', { via: '1.1 proxy' }, false],
  ])('%s %j', (address, headers, expected) => {
    expect(isLocal(peer(address, headers as Record<string, string>))).toBe(expected);
  });
});
