import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** LmCompatibilityLevel 5: refuse LM and NTLM. */
const STRICT = 5;

export const controllerWeakLmLevel = {
  kind: 'list',
  id: 'ControllerWeakLmLevel',
  title: 'Domain Controllers Accepting LM or NTLMv1',
  ...classed({ platform: 'ad', category: 'RL', scope: 'hygiene', nature: 'safeguard', floor: 'high' }),
  family: relay,
  remedy: {
    risk: 'An attacker can crack the account key from an NTLMv1 response within hours, and can relay NTLMv1 authentication to LDAP.',
    fix: 'On the domain controllers, set "Network security: LAN Manager authentication level" to "Send NTLMv2 response only. Refuse LM & NTLM" (LmCompatibilityLevel = 5).',
  },
  what: 'A domain controller accepts LM or NTLMv1.',
  needs: ['lmcompatibilitylevel'],
  find: (facts) =>
    facts.controllers.filter((node) => (facts.number('lmcompatibilitylevel', node) ?? STRICT) < STRICT),
} as const satisfies ListFindingType;
