/** Certificate services objects as written by the collectors that read them; differences are in `Form`. */
import { acesOf, typed } from './parts.ts';
import {
  type CollectorFile,
  fieldsOfTemplate,
  idIn,
  type SourceForest,
  THUMBPRINT,
  take,
} from './sourceForest.ts';

export interface CertificateForm {
  readonly file: (type: string, data: readonly object[]) => CollectorFile;
  /** `HostingComputer` of the CA. */
  readonly host: string | null;
  readonly templateFields: readonly string[];
  /** Further properties and members of the CA. */
  readonly authority: { readonly Properties: object; readonly members: object };
}

export function certificateServices(forest: SourceForest, form: CertificateForm): CollectorFile[] {
  const base = { domain: forest.name, domainsid: forest.sid, isaclprotected: false };
  const object = (word: string, Properties: object, members: object = {}): object => ({
    ObjectIdentifier: idIn(forest, word),
    Properties: { ...base, name: `${word}@${forest.name}`, distinguishedname: `CN=${word}`, ...Properties },
    ...{
      Aces: acesOf(forest, idIn(forest, word)),
      IsDeleted: false,
      IsACLProtected: false,
      ContainedBy: null,
    },
    ...members,
  });
  const certificate = {
    ...{ certthumbprint: THUMBPRINT, certname: THUMBPRINT, certchain: [THUMBPRINT] },
    ...{ hasbasicconstraints: false, basicconstraintpathlength: 0 },
  };
  const { sid } = forest;
  return [
    form.file('rootcas', [object('ROOT', certificate, { DomainSID: sid })]),
    form.file('ntauthstores', [object('STORE', { certthumbprints: [THUMBPRINT] }, { DomainSID: sid })]),
    form.file('enterprisecas', [
      object(
        'AUTHORITY',
        {
          ...{ ...certificate, caname: 'AUTHORITY', dnshostname: `srv1.${forest.name.toLowerCase()}` },
          ...{ flags: '', unresolvedpublishedtemplates: [], ...form.authority.Properties },
        },
        {
          HostingComputer: form.host,
          EnabledCertTemplates: [typed([idIn(forest, 'TEMPLATE'), 'CertTemplate'])],
          ...form.authority.members,
        },
      ),
    ]),
    form.file('certtemplates', [object('TEMPLATE', take(fieldsOfTemplate(forest), form.templateFields))]),
  ];
}
