import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const printSpoolerOnDC = {
  kind: 'list',
  id: 'PrintSpoolerOnDC',
  title: 'Print Spooler Running on Domain Controller',
  ...classed({ platform: 'ad', category: 'RL', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: relay,
  remedy: {
    fix: 'Stop the print spooler on the domain controller, and disable it.',
    care: 'The domain controller no longer removes unavailable printers from the directory. If it is also a print server, move its printers to another server first.',
  },
  what: 'The print spooler runs on a domain controller, so attackers can coerce the domain controller to authenticate.',
  needs: ['spooler'],
  find: (facts) => facts.controllers.and(facts.is('spooler', true)),
} as const satisfies ListFindingType;
