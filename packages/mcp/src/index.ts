/** Tools for language models, over the Model Context Protocol. */
export { answerOverHttp } from './httpAnswer.ts';
export { createMcpServer, type McpServerOptions } from './server.ts';
export { answerOverStdio } from './stdioAnswers.ts';
export { TOOLS } from './tools.ts';
