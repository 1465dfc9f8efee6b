/** Answers messages of the protocol on standard input and output. The first message of the client chooses the revision. */
import type { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

/**
 * Ends when the other side closes its end.
 * @param makeServer called again if the client first asks for a revision that it then does not use
 */
export async function answerOverStdio(makeServer: () => Server, signal: AbortSignal): Promise<void> {
  const transport = new StdioServerTransport();
  const { close } = serveStdio(makeServer, { transport });
  const { promise, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  signal.addEventListener('abort', () => void close(), { once: true });
  // A signal that has aborted before calls no listener.
  if (signal.aborted) await close();
  await promise;
}
