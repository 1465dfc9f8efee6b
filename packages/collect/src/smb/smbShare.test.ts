import { expect, it } from 'vitest';
import { withMutations } from '../../test/mutations.ts';
import { REALM, SERVICE_KEY } from '../../test/simulatedKerberos.ts';
import { type SmbFaults, simulatedSmb } from '../../test/simulatedSmb.ts';
import { BerError } from '../ber/reader.ts';
import { IntegrityError } from '../kerberos/encryption.ts';
import type { Ticket } from '../kerberos/tickets.ts';
import { Answer, COMMAND, encodePacket, SmbError } from './packets.ts';
import { SmbShare } from './smbShare.ts';

const ticket: Ticket = {
  ...{ ticket: Buffer.from([0x61, 0]), key: SERVICE_KEY, realm: REALM, skewMs: 0 },
  client: Buffer.from([0x30, 0]),
};
const LONG = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251));

async function readFrom(faults: SmbFaults, path = 'lab/long', silenceMs = 10_000) {
  await using server = await simulatedSmb({
    files: { 'lab/long': LONG, 'lab/empty': Buffer.alloc(0) },
    ...faults,
  });
  const target = { host: 'dc1.lab.test', address: '127.0.0.1', port: server.port };
  try {
    const share = await SmbShare.open(target, { share: 'sysvol', ticket, maxFileBytes: 2 ** 20, silenceMs });
    try {
      return { bytes: await share.read(path), commands: server.commands };
    } finally {
      share.close();
    }
  } catch (error) {
    return { error: (error as Error).message, commands: server.commands };
  }
}

it('reads files in parts, and detects missing ones', async () => {
  const { bytes, commands } = await readFrom({});
  expect(bytes?.equals(LONG)).toBe(true);
  expect(commands).toEqual([0, 1, 3, 5, 8, 8, 8, 8, 6]);
  expect((await readFrom({}, 'lab/empty')).bytes).toHaveLength(0);
  expect(await readFrom({}, 'lab/other')).toMatchObject({ bytes: undefined, commands: [0, 1, 3, 5] });
});

it.each([
  [{ status: { [COMMAND.sessionSetup]: 0xc000006d } }, 'sign-in at dc1.lab.test: the sign-in is refused'],
  [{ status: { [COMMAND.treeConnect]: 0xc00000cc } }, 'there is no such share'],
  [{ status: { [COMMAND.create]: 0xc0000022 } }, 'lab/long: access is denied'],
  [{ status: { [COMMAND.read]: 0xc0000999 } }, 'status 0xc0000999'],
  [{ signatureKey: Buffer.alloc(16, 1) }, 'is not signed by dc1.lab.test'],
  [{ claimedSize: 2 ** 21 }, 'the limit is 1048576'],
  [{ claimedSize: LONG.length + 1 }, 'changed while it was read'],
  [{ raw: () => Buffer.from('HTTP/1.1 400 Bad Request'.padEnd(80)) }, 'does not speak SMB 2'],
  [{ raw: (answer: Buffer) => answer.subarray(0, 66) }, 'an answer is cut off'],
] as const)('refuses %o', async (faults, text) => {
  expect((await readFrom(faults)).error).toContain(text);
});

it('stops waiting for a silent server', async () => {
  expect((await readFrom({ isSilent: true }, 'lab/long', 200)).error).toContain('silent for 0.2 s');
});

it('opens files for reading only', async () => {
  const { commands } = await readFrom({});
  // This client does not implement write, set information, control and delete on close.
  for (const command of commands) expect(Object.values(COMMAND)).toContain(command);
});

it('reads or refuses mutated answers with clear errors', () => {
  const head = { command: COMMAND.read, id: 3n, session: Buffer.alloc(8), tree: 1 } as const;
  const seeds = [
    encodePacket(head, Buffer.alloc(40, 3), undefined),
    encodePacket(head, Buffer.alloc(9), Buffer.alloc(16)),
  ];
  withMutations(seeds, 10_000, (bytes) => {
    try {
      const answer = new Answer(bytes);
      answer.isSignedWith(Buffer.alloc(16));
      answer.part(answer.number(2, 1), answer.number(4, 4));
      answer.long(16);
    } catch (error) {
      if (!(error instanceof SmbError || error instanceof BerError || error instanceof IntegrityError))
        throw error;
    }
  });
});
