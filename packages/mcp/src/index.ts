/** Tools for language models, over the Model Context Protocol. */
export { createMcpServer } from './server.ts';
export { TOOLS } from './tools.ts';
