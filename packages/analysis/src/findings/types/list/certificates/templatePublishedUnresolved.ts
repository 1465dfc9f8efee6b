import { templateRights } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const templatePublishedUnresolved = {
  kind: 'list',
  id: 'TemplatePublishedUnresolved',
  title: 'CA Publishes Unknown Template',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: templateRights,
  remedy: {
    risk: 'Anyone who creates a template with this name decides which certificates the CA issues from it.',
    fix: 'Remove the unknown template from the published templates of the CA.',
    steps: [
      "Compare the CA's list (certutil -catemplates) with the templates in the directory.",
      'Check that the template is really deleted, and not only unreadable for the collector.',
      'Remove the name from the list.',
    ],
    verify: ['Every name on the list belongs to a template that exists.'],
    care: 'A template that the collector cannot read looks unknown, too.',
  },
  what: 'A CA publishes a template that does not exist.',
  needs: ['unresolvedpublishedtemplates'],
  find: (facts) =>
    facts
      .of('EnterpriseCA')
      .filter((node) => facts.texts('unresolvedpublishedtemplates', node).some((name) => name !== '')),
} as const satisfies ListFindingType;
