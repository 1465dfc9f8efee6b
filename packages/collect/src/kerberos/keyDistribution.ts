/** One request to the Kerberos service of a controller, over TCP (RFC 4120, 7.2.2). */
import { connectTcp, type Target } from '../net/connect.ts';
import { Frames, lengthInFront } from '../net/frames.ts';

export const KERBEROS_PORT = 88;
const ANSWER_MS = 15_000;
const MAX_ANSWER_BYTES = 2 ** 20;

/** @throws Error with the controller's name */
export async function askKerberos(target: Target, message: Buffer, limitMs = ANSWER_MS): Promise<Buffer> {
  const socket = await connectTcp(target, Math.min(limitMs, 10_000));
  const frames = new Frames(lengthInFront(MAX_ANSWER_BYTES, 'an answer of Kerberos'));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const fail = (text: string): void => reject(new Error(`Kerberos: ${target.host} ${text}`));
      timer = setTimeout(() => fail(`does not respond within ${limitMs / 1000} s`), limitMs);
      socket.on('data', (chunk: Buffer) => {
        try {
          frames.push(chunk);
          const answer = frames.take();
          if (answer !== undefined) resolve(answer.subarray(4));
        } catch (error) {
          reject(error);
        }
      });
      socket.on('error', ({ message: text }) => fail(`cannot be reached: ${text}`));
      socket.on('close', () => fail('closed the connection'));
      socket.write(Buffer.concat([length, message]));
    });
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
