/**
 * A process that serves a large simulated directory: users in groups of a thousand, computers and units. Prints its address as one line of
 * JSON.
 */
import { descriptorBytes, sidBytes } from './descriptors.ts';
import { SimulatedDirectory } from './simulatedDirectory.ts';

const DOMAIN = 'S-1-5-21-71-72-73';
const BASE = 'DC=large,DC=test';
const PER_GROUP = 1_000;
/** Objects per unit. */
const PER_UNIT = 500;
/** Number of different access lists, as in a domain with delegation. */
const LISTS = 400;
const COMPUTERS = 5;

const objects = Number(process.argv[2]);
const directory = new SimulatedDirectory('dc1.large.test', BASE, DOMAIN);
const lists = Array.from({ length: LISTS }, (_, at) =>
  descriptorBytes(
    'S-1-5-32-544',
    Array.from({ length: 25 }, (_entry, rid) => ({
      sid: `${DOMAIN}-${1_000 + ((at * 25 + rid) % 900)}`,
      mask: 0xf01ff,
    })),
  ),
);
for (let at = 0; at < objects; at += 1) {
  const unit = `OU=Unit ${Math.floor(at / PER_UNIT)},${BASE}`;
  const list = lists[at % LISTS];
  if (at % PER_UNIT === 0)
    directory.put(unit, { objectClass: ['top', 'organizationalUnit'], nTSecurityDescriptor: [list] });
  const isComputer = at % COMPUTERS === 0;
  directory.put(`CN=Object ${at},${unit}`, {
    objectClass: isComputer ? ['top', 'user', 'computer'] : ['top', 'user'],
    ...{ objectSid: [sidBytes(`${DOMAIN}-${2_000 + at}`)], sAMAccountName: [`object${at}`] },
    ...{ sAMAccountType: [isComputer ? '805306369' : '805306368'], nTSecurityDescriptor: [list] },
    ...{ userAccountControl: ['512'], primaryGroupID: ['513'], whenCreated: ['20240102030405.0Z'] },
    ...{
      userPrincipalName: [`object${at}@large.test`],
      displayName: [`Object ${at}`],
      pwdLastSet: ['133500000000000000'],
    },
  });
}
for (let from = 0; from < objects; from += PER_GROUP)
  directory.put(`CN=Group ${from},${BASE}`, {
    objectClass: ['top', 'group'],
    ...{ objectSid: [sidBytes(`${DOMAIN}-${1_000 + from / PER_GROUP}`)], sAMAccountName: [`group${from}`] },
    ...{ groupType: ['-2147483646'], nTSecurityDescriptor: [lists[0]] },
    member: Array.from(
      { length: Math.min(PER_GROUP, objects - from) },
      (_, at) => `<SID=${DOMAIN}-${2_000 + from + at}>;CN=Object ${from + at},${BASE}`,
    ),
  });
const { port, authority } = await directory.serve();
process.stdout.write(`${JSON.stringify({ port, authority })}\n`);
