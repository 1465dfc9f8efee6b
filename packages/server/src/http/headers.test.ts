import { describe, expect, test } from 'vitest';
import { UUID_V4, useTestServer } from '../../test/http/harness.ts';

const harness = useTestServer();

describe('every answer', () => {
  test('carries a fresh request id and the security headers', async () => {
    const [a, b] = await Promise.all(
      ['/open', '/open'].map((path) => fetch(harness.url + path, { headers: { 'x-request-id': 'mine' } })),
    );
    const { data } = (await a.json()) as { data: { requestId: string } };
    expect(data.requestId).toMatch(UUID_V4);
    expect(a.headers.get('requestid')).toBe(data.requestId);
    expect(a.headers.get('x-request-id')).toBe(data.requestId);
    expect(b.headers.get('requestid')).not.toBe(data.requestId);
    expect(a.headers.get('x-content-type-options')).toBe('nosniff');
    expect(a.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(a.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(a.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(a.headers.get('strict-transport-security')).toBeNull();
    expect(a.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('requires TLS if users reach the service with it', async () => {
    const url = await harness.startOther({ publicUrl: 'https://clew.example.com' });
    expect((await fetch(`${url}/open`)).headers.get('strict-transport-security')).toMatch(/max-age=31536000/);
  });
});

describe('cross-origin requests', () => {
  const origin = 'https://portal.example.com';
  const preflight = (url: string, from: string) =>
    fetch(`${url}/json`, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'PATCH' },
    });

  test('are not allowed by default', async () => {
    const answer = await fetch(`${harness.url}/open`, { headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect((await preflight(harness.url, origin)).status).toBe(405);
  });

  test('are allowed from configured origins only', async () => {
    const url = await harness.startOther({ corsOrigins: [origin] });
    const allowed = await preflight(url, origin);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(allowed.headers.get('access-control-allow-headers')).toMatch(/RequestDate.*Signature.*Prefer/);
    for (const header of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])
      expect(allowed.headers.get('access-control-allow-headers')).toContain(header);
    expect(allowed.headers.get('access-control-allow-credentials')).toBe('true');
    const answer = await fetch(`${url}/open`, { headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('vary')).toContain('Origin');
    // Assistants in a page read in it where they sign in.
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/Retry-After.*WWW-Authenticate/);
    const stranger = await preflight(url, 'https://evil.example.com');
    expect(stranger.status).toBe(405);
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  });
});
