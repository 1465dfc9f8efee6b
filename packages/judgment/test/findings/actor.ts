/** Somebody who changes zones and accepts risks in tests. */
import type { Actor } from '@clew/common';

export function testActor(name: string): Actor {
  return {
    principal: {
      kind: 'user',
      userId: '00000000-0000-4000-8000-000000000001',
      name,
      email: `${name}@example.test`,
      role: 'Administrator',
      permissions: new Set(),
      environments: null,
    },
    requestId: '00000000-0000-4000-8000-000000000002',
    clientAddress: '192.0.2.1',
    peerAddress: '192.0.2.1',
  };
}
