import { expect, it } from 'vitest';
import { faultOfRedirect } from './redirectAddress.ts';

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
