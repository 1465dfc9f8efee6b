/** A program that asks everything with the SDK, one thing after the other; fails with errors that the SDK does not promise. */
import { hostileClient, known, SDK_CALLS } from './hostileSdkCalls.ts';

const { CLEW_URL = '', CLEW_TOKEN_ID = '', CLEW_TOKEN_KEY = '', CLEW_ENDS = '' } = process.env;
const [from = '', to = ''] = CLEW_ENDS.split(' ');
const client = hostileClient(CLEW_URL, { tokenId: CLEW_TOKEN_ID, tokenKey: CLEW_TOKEN_KEY });
for (const call of SDK_CALLS) await call(client, [from, to]).catch(known);
