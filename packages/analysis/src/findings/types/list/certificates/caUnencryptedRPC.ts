import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { authoritiesWhere } from './common.ts';

export const caUnencryptedRPC = {
  kind: 'list',
  id: 'CAUnencryptedRPC',
  title: 'CA Accepts Unencrypted Requests (ESC11)',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'moderate',
  family: relay,
  remedy: {
    risk: 'An attacker can relay unencrypted requests and get a certificate in the name of the computer that sent them.',
    fix: 'Set the flag IF_ENFORCEENCRYPTICERTREQUEST on the CA, and restart its service.',
    steps: [
      'Check that no client older than Windows Vista enrolls with the CA.',
      'Set the flag in the interface flags of the CA (certutil -setreg CA\\InterfaceFlags +IF_ENFORCEENCRYPTICERTREQUEST).',
      'Restart the certificate service.',
    ],
    verify: ['certutil -getreg CA\\InterfaceFlags shows the flag, and enrollment still works.'],
    care: 'Clients that cannot encrypt their requests can no longer enroll.',
  },
  what: 'A CA accepts unencrypted requests over RPC.',
  needs: ['rpcencryptionenforced'],
  find: (facts) => authoritiesWhere(facts, 'rpcencryptionenforced', false),
} as const satisfies ListFindingType;
