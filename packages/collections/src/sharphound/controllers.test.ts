/** Domain controllers from collectors that do not mark them. */
import { expect, it } from 'vitest';
import { readOne } from '../../test/index.ts';

const DOMAIN = 'S-1-5-21-1-1-1';
const edgesOf = async (members: object, properties: object = {}) =>
  (
    await readOne('computers', { ObjectIdentifier: `${DOMAIN}-1000`, Properties: properties, ...members })
  ).edges.filter((edge) => !edge.includes('-MemberOf->'));
const DC_FOR = [`${DOMAIN}-1000(Computer) -DCFor-> ${DOMAIN}(Domain) hasacl`];

it.each([
  [
    'its primary group',
    { PrimaryGroupSID: `${DOMAIN}-516` },
    { unconstraineddelegation: true, domainsid: DOMAIN },
  ],
  ['its primary group alone', { PrimaryGroupSID: `${DOMAIN}-516` }, {}],
  [
    'the bit of its account',
    { PrimaryGroupSID: `${DOMAIN}-515` },
    { useraccountcontrol: 0x82000, domainsid: DOMAIN },
  ],
])('are recognized by %s', async (_, members, properties) => {
  expect(await edgesOf(members, properties)).toEqual(DC_FOR);
});

it.each([
  ['a word of the collector', { PrimaryGroupSID: `${DOMAIN}-516`, IsDC: false, DomainSID: DOMAIN }, {}],
  [
    'another primary group',
    { PrimaryGroupSID: `${DOMAIN}-515` },
    { useraccountcontrol: 0x1000, domainsid: DOMAIN },
  ],
  ['a read-only controller', { PrimaryGroupSID: `${DOMAIN}-521` }, { domainsid: DOMAIN }],
])('are not recognized with %s', async (_, members, properties) => {
  expect(await edgesOf(members, properties)).toEqual([]);
});
