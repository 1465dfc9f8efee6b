import { expect, it } from 'vitest';
import { faultOfRedirect, isRegistered } from './redirectAddress.ts';

it.each([
  'https://assistant.example/callback',
  'https://assistant.example:8443/callback?from=clew',
  'http://127.0.0.1:33418/callback',
  'http://127.1.2.3/',
  'http://localhost:6274/oauth/callback',
  'http://[::1]:1/callback',
])('%s is accepted', (text) => {
  expect(faultOfRedirect(text)).toBeUndefined();
});

it.each([
  'http://assistant.example/callback',
  'http://127.0.0.1.evil.example/',
  'http://localhost.evil.example/',
  'http://localhost@evil.example/',
  'http://evil.example\\@localhost/',
  'http://0.0.0.0/',
  'https://user:password@assistant.example/',
  'https://@assistant.example/',
  'https://assistant.example/#code',
  'https://assistant.example/#',
  ' https://assistant.example/',
  'https://assistant.example/\n',
  'https://assistant.example/<script>',
  'https://assistänt.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'cursor://callback',
  'file:///etc/passwd',
  '//assistant.example/',
  '/callback',
  '',
])('%j is refused', (text) => {
  expect(faultOfRedirect(text)).toBeDefined();
});

it.each([
  ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:33419/callback'],
  ['http://127.0.0.1/callback', 'http://127.0.0.1:33419/callback'],
  ['http://127.0.0.1:33418/callback?a=1', 'http://127.0.0.1/callback?a=1'],
  ['http://[::1]:1/', 'http://[::1]:65535/'],
  ['http://127.0.0.1:1', 'http://127.0.0.1:2'],
  ['https://assistant.example/callback', 'https://assistant.example/callback'],
])('with %s, %s is registered', (registered, asked) => {
  expect(isRegistered(asked, ['https://other.example/', registered])).toBe(true);
});

it.each([
  ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:33419/callback/more'],
  ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:33419/Callback'],
  ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:33419/callback?a=1'],
  ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:33419/callback#x'],
  ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:33419/callback\n'],
  ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:99999/callback'],
  ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:/callback'],
  ['http://127.0.0.1:33418/callback', 'http://127.0.0.2:33418/callback'],
  ['http://127.0.0.1:33418/callback', 'http://[::1]:33418/callback'],
  ['http://127.0.0.1:33418/callback', 'https://127.0.0.1:33418/callback'],
  ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:33418@evil.example/callback'],
  ['http://127.0.0.1:33418', 'http://127.0.0.1:33418.evil.example'],
  ['http://localhost:33418/callback', 'http://localhost:33419/callback'],
  ['https://127.0.0.1:33418/callback', 'https://127.0.0.1:33419/callback'],
  ['https://assistant.example:1/callback', 'https://assistant.example:2/callback'],
])('with %s, %j is not registered', (registered, asked) => {
  expect(isRegistered(asked, [registered])).toBe(false);
});
