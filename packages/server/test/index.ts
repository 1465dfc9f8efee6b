/** Helpers that tests of other packages share with those of this one. */

export { readExamples } from '../src/apiReference/openapi/examples.ts';
export { useHandlerServer } from './http/handlerServer.ts';
export { exchangeRaw, openSocket, readOneAnswer } from './http/rawClient.ts';
export { startTestServer, type TestServer, userNamed } from './http/testServer.ts';
