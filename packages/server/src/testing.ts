/** Helpers that tests of other packages share with those of this one. */

export { readExamples } from './apiReference/openapi/examples.ts';
export { exchangeRaw, openSocket, readOneAnswer } from './http/testing/rawClient.ts';
export { startTestServer, type TestServer, userNamed } from './http/testing/testServer.ts';
