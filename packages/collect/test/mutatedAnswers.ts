/** LDAP server answers with hostile mutations, parsed like in the client, without a socket. */
import { BerError, BerReader } from '../src/ber/reader.ts';
import { berContext, berOctets } from '../src/ber/writer.ts';
import { nextPage } from '../src/ldap/controls.ts';
import { messageLength, readEntry, TAG } from '../src/ldap/messages.ts';
import { resultError } from '../src/ldap/results.ts';
import { type MutationCounts, readMutations } from './mutations.ts';
import { entryMessage, resultMessage, searchDone } from './simulatedLdap.ts';

const SEEDS = [
  entryMessage(5, 'CN=a,DC=lab', { cn: ['a'], objectSid: [Buffer.alloc(28, 1)], member: ['x', 'y', 'z'] }),
  searchDone(5, Buffer.from('cookie')),
  resultMessage(5, TAG.searchDone, 10, 'text', berContext(3, berOctets('ldap://x'))),
];

/** @throws errors of readers other than BerError */
export const readMutatedAnswers = (count: number): MutationCounts =>
  readMutations(SEEDS, count, readAnswer, BerError);

function readAnswer(bytes: Buffer): void {
  const length = messageLength(bytes, 0);
  if (length === undefined || length > bytes.length) throw new BerError('the rest of a message is missing');
  const reader = new BerReader(bytes, 0, length).enter(0x30);
  reader.integer();
  const tag = reader.peek();
  const body = reader.enter();
  if (tag === TAG.entry) readEntry(body);
  else if (body.integer(0x0a) !== 0) resultError(1, body, 'search');
  nextPage(reader.hasMore ? reader.enter(TAG.controls) : undefined);
}
