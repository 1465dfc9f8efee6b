/** Whether a host signs all SMB traffic: its first answer contains this, without a sign-in (MS-SMB2 2.2.4). */
import { connectTcp, type Target } from '../net/connect.ts';
import { Frames } from '../net/frames.ts';
import {
  Answer,
  COMMAND,
  encodePacket,
  negotiateBody,
  SIGNING_REQUIRED,
  STATUS,
  statusError,
} from './packets.ts';
import { packetLength } from './smbShare.ts';

/**
 * @param limitMs maximum milliseconds of silence
 * @param signal cancels the request, even if the host keeps sending
 * @throws Error if the host is silent, or does not speak SMB 2
 */
export async function askSigning(target: Target, limitMs: number, signal?: AbortSignal): Promise<boolean> {
  const socket = await connectTcp(target, limitMs);
  const abort = (): void => void socket.destroy(signal?.reason as Error);
  const frames = new Frames(packetLength);
  const head = { command: COMMAND.negotiate, id: 0n, session: Buffer.alloc(8), tree: 0 };
  const packet = encodePacket(head, negotiateBody(), undefined);
  const length = Buffer.alloc(4);
  length.writeUIntBE(packet.length, 1, 3);
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    const answer = await new Promise<Answer>((resolve, reject) => {
      socket.setTimeout(limitMs, () => reject(new Error(`${target.host} is silent`)));
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`${target.host} closed the connection`)));
      socket.on('data', (chunk: Buffer) => {
        try {
          frames.push(chunk);
          const whole = frames.take();
          if (whole !== undefined) resolve(new Answer(whole.subarray(4)));
        } catch (error) {
          reject(error);
        }
      });
      socket.write(Buffer.concat([length, packet]));
    });
    if (answer.status !== STATUS.success) throw statusError(answer.status, target.host);
    return (answer.number(2, 2) & SIGNING_REQUIRED) !== 0;
  } finally {
    signal?.removeEventListener('abort', abort);
    socket.destroy();
  }
}
