import { expect, it } from 'vitest';
import { collectCommand, collectorCommand, serviceAddress, tokenFileText } from './collectCommands.ts';

it.each([
  ['https://clew.example.test/ui/', 'https://clew.example.test'],
  ['http://127.0.0.1:8080/ui/data?view=collectors', 'http://127.0.0.1:8080'],
  ['https://tools.example.test/clew/ui/fix', 'https://tools.example.test/clew'],
])('finds the service of the page %s', (page, address) => {
  expect(serviceAddress(page)).toBe(address);
});

it('fills the address in, and has no secret in a command', () => {
  const token = { id: 'an-id', key: 'a-key' };
  expect(tokenFileText(token)).toBe('TOKEN_ID=an-id\nTOKEN_KEY=a-key\n');
  expect(collectCommand('https://clew.example.test')).toMatch(
    /^clew collect --url https:\/\/clew\.example\.test --host/,
  );
  const command = collectorCommand('https://clew.example.test');
  expect(command).toMatch(/^chmod 600 (\S+) && clew collector run .*--token-file \1 /);
  expect(command).not.toContain(token.key);
});
