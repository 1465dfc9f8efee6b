import { templateRights } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const templatePublishedUnresolved = {
  kind: 'list',
  id: 'TemplatePublishedUnresolved',
  title: 'CA Publishes Unknown Template',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: templateRights,
  remedy: {
    risk: 'The name waits to be taken: it decides about certificates as soon as a template of that name exists.',
    fix: 'Remove the unknown template from the list of published templates of the CA.',
    steps: [
      'Compare the list of the CA (certutil -catemplates) with the templates in the directory.',
      'Check that the template was deleted, and is not merely hidden from the collector.',
      'Remove the name from the list.',
    ],
    verify: ['Every name on the list belongs to a template that exists.'],
    care: 'A template that the collector may not read looks unknown, too.',
  },
  what: 'A certification authority publishes a template that does not exist; anyone who creates one of that name decides which certificates it issues.',
  needs: ['unresolvedpublishedtemplates'],
  find: (facts) =>
    facts
      .of('EnterpriseCA')
      .filter((node) => facts.texts('unresolvedpublishedtemplates', node).some((name) => name !== '')),
} as const satisfies ListFindingType;
