/** Helpers shared with tests of other packages. */

export { readExamples } from '../src/apiReference/openapi/examples.ts';
export { RawBolt } from './bolt/rawBolt.ts';
export { useHandlerServer } from './http/handlerServer.ts';
export { exchangeRaw, openSocket, readOneAnswer } from './http/rawClient.ts';
export { startTestServer, type TestServer, userNamed } from './http/testServer.ts';
