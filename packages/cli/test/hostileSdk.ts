/** A program that calls everything in the SDK, one call after the other; fails for errors that the SDK does not document. */
import { hostileClient, known, SDK_CALLS } from './hostileSdkCalls.ts';

const { CLEW_URL = '', CLEW_TOKEN_ID = '', CLEW_TOKEN_KEY = '', CLEW_ENDS = '' } = process.env;
const [from = '', to = ''] = CLEW_ENDS.split(' ');
const client = hostileClient(CLEW_URL, { tokenId: CLEW_TOKEN_ID, tokenKey: CLEW_TOKEN_KEY });
for (const call of SDK_CALLS) await call(client, [from, to]).catch(known);
