import { expect, it } from 'vitest';
import { hostsOf, isForeignOrigin } from './mcpHosts.ts';

it.each([
  [undefined, 8090, false],
  ['http://127.0.0.1:8090', 8090, false],
  ['http://clew.example:8090', 8090, false],
  ['http://localhost', 80, false],
  ['http://localhost:80', 80, false],
  ['https://clew.example', 443, false],
  ['http://localhost', 8090, true],
  ['https://localhost', 80, true],
  ['http://localhost:8091', 8090, true],
  ['http://evil.example:8090', 8090, true],
  ['http://localhost.evil.example:8090', 8090, true],
  ['http://127.0.0.1:8090@evil.example', 8090, true],
  ['null', 8090, true],
  ['', 8090, true],
  ['file://localhost:8090', 8090, true],
])('%s is another origin at port %d: %s', (origin, port, isForeign) => {
  expect(isForeignOrigin(origin, 'clew.example', port)).toBe(isForeign);
});

it('accepts a Host header without the port if browsers omit it', () => {
  expect(hostsOf('clew.example', 80)).toContain('clew.example');
  // Clients write the name of a host in lowercase.
  expect(hostsOf('Server01', 8090)).toContain('server01:8090');
  expect(hostsOf('clew.example', 8090)).toEqual(['clew.example:8090', 'localhost:8090', '127.0.0.1:8090']);
});
