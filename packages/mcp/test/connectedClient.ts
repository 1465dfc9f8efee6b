/** The official client, connected to a server of the protocol without a network. */
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { answerOverHttp, type createMcpServer } from '../src/index.ts';

/** How a client finds the revision: it asks for the present one and uses an earlier one otherwise, or begins as all did before 2026-07-28. */
export const REVISION_MODES = ['auto', 'legacy'] as const;

export const newClient = (mode: VersionNegotiationMode): Client =>
  new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });

/** @param makeServer called for each message */
export async function connectedClient(
  makeServer: () => ReturnType<typeof createMcpServer>,
  mode: VersionNegotiationMode,
): Promise<Client> {
  const client = newClient(mode);
  const send: typeof fetch = async (_, { method, headers, body } = {}) =>
    method === 'POST'
      ? answerOverHttp(makeServer(), Object.fromEntries(new Headers(headers)), JSON.parse(String(body)))
      : new Response(null, { status: 405 });
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost'), { fetch: send }));
  return client;
}

/** @returns the text of an answer that consists of one text */
export const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;
