/** Tools for assistants, over the Model Context Protocol (`docs/integration.md#mcp`). */
import Type from 'typebox';
import { defineRoutes } from './defineRoutes.ts';

export const MCP_PATH = '/api/v2/mcp';

const McpMessage = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Integer()])),
    method: Type.Optional(Type.String({ maxLength: 200, description: 'The method, such as `tools/list`' })),
    params: Type.Optional(Type.Unknown()),
  },
  { description: 'One message of the protocol; lists of messages are not accepted' },
);

export const mcpRoutes = defineRoutes([
  {
    method: 'POST',
    path: MCP_PATH,
    operationId: 'SendMcpMessage',
    reads: true,
    tag: 'Assistants',
    summary: 'Send a message of the Model Context Protocol; a request is answered by an event stream',
    access: 'any',
    bodyKind: 'json',
    body: McpMessage,
    responses: { 200: null, 202: null },
    otherMediaTypes: ['text/event-stream'],
    errors: [403, 404, 406, 415],
  },
]);
