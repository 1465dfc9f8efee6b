/**
 * Steps for templates of version 1, which the console cannot edit: a copy has a later version, but keeps the settings and the access
 * control list of its template, so its steps depend on the faults of the template.
 */
import { type AnalysisContext, Oid } from '@clew/analysis';
import { listed } from './listed.ts';

/** A template of version 1, and the settings that its copy must not keep. */
export interface CopiedTemplate {
  readonly name: string;
  readonly isSubjectSupplied: boolean;
  readonly isForAnyPurpose: boolean;
  readonly isForAgents: boolean;
  /** Whether its certificates lack the security extension. */
  readonly lacksExtension: boolean;
  /** Whether users or computers enroll automatically, which approval would stop. */
  readonly enrollsAlone: boolean;
}

const ENROLLS_ALONE = /AUTO_ENROLLMENT/;

/** @returns undefined unless the node is a template of version 1 */
export function copiedTemplate(
  { properties }: AnalysisContext,
  node: number,
  name: string,
): CopiedTemplate | undefined {
  if (properties.number('schemaversion', node) !== 1) return undefined;
  const purposes = properties.list('effectiveekus', node);
  return {
    name,
    isSubjectSupplied: properties.flag('enrolleesuppliessubject', node) === true,
    isForAnyPurpose: purposes?.length === 0 || purposes?.includes(Oid.anyPurpose) === true,
    isForAgents: purposes?.includes(Oid.certificateRequestAgent) === true,
    lacksExtension: properties.flag('nosecurityextension', node) === true,
    enrollsAlone: ENROLLS_ALONE.test(properties.text('enrollmentflag', node) ?? ''),
  };
}

/** A setting that a repair asks for, whatever the other faults of the template are. */
type WantedSetting = 'subject' | 'approval';

const APPROVAL = 'select "CA certificate manager approval" on the Issuance Requirements tab';
/** Flags of the name: MS-CRTD 2.28. A template with none of them issues certificates that name nobody. */
export const NAME_FROM_DIRECTORY =
  'with the user principal name (UPN) for users or the DNS name for computers';
const SUBJECT = `choose "Build from this Active Directory information" on the Subject Name tab, ${NAME_FROM_DIRECTORY}`;

/** @returns empty if no setting of the template is at fault, only its enrollees */
function settingsOf(template: CopiedTemplate): string[] {
  const { isSubjectSupplied, isForAnyPurpose, isForAgents, lacksExtension, enrollsAlone } = template;
  return [
    ...(isSubjectSupplied ? [`${SUBJECT}, or, if requesters must supply names, ${APPROVAL}`] : []),
    ...(isForAnyPurpose
      ? ['keep only the application policies that its users need on the Extensions tab, without Any Purpose']
      : []),
    ...(isForAgents && !enrollsAlone ? [APPROVAL] : []),
    ...(lacksExtension ? ['clear NO_SECURITY_EXTENSION (0x80000) in msPKI-Enrollment-Flag'] : []),
  ];
}

const WANTED: Readonly<Record<WantedSetting, string>> = { approval: APPROVAL, subject: SUBJECT };

/**
 * @param templates at least one
 * @param place the authorities that publish the copies
 */
export function copyFirst(
  templates: readonly CopiedTemplate[],
  place: string,
  wanted?: WantedSetting,
): string {
  const all = listed(templates.map(({ name }) => name));
  const isOne = templates.length === 1;
  const settings = new Map<string, string[]>();
  for (const one of templates) {
    const steps = wanted === undefined ? settingsOf(one).join('; ') : WANTED[wanted];
    if (steps !== '') settings.set(steps, [...(settings.get(steps) ?? []), one.name]);
  }
  const edits = [...settings].map(([steps, names]) =>
    isOne ? `In the copy, ${steps}.` : `In the copy of ${listed(names)}, ${steps}.`,
  );
  return [
    `First duplicate ${all} in the Certificate Templates console: ${isOne ? 'the copy has' : 'copies have'} version 2, but ${isOne ? 'keeps' : 'keep'} all settings and permissions.`,
    ...edits,
    `On the Security tab of ${isOne ? 'the copy' : 'each copy'}, grant Enroll only to a group of the requesters in the issued requests, and write permissions only to Tier Zero administrators.`,
    `Publish ${isOne ? 'it' : 'them'} on ${place}; users of the old ${isOne ? 'template' : 'templates'} then request certificates from the ${isOne ? 'copy' : 'copies'}.`,
  ].join(' ');
}

const VALUES: Readonly<Record<WantedSetting, string>> = {
  subject:
    'clear ENROLLEE_SUPPLIES_SUBJECT (0x1) in msPKI-Certificate-Name-Flag, and, if it has no other flag of a name, set SUBJECT_ALT_REQUIRE_UPN (0x2000000) for users or SUBJECT_ALT_REQUIRE_DNS (0x8000000) for computers,',
  approval: 'set PEND_ALL_REQUESTS (0x2) in msPKI-Enrollment-Flag',
};

/** The steps of a setting of a template that the console cannot edit. */
export function copyWith(copied: CopiedTemplate, wanted: WantedSetting): string {
  const place = `the CAs that publish ${copied.name}`;
  return `The Certificate Templates console cannot edit ${copied.name}, which has version 1. ${copyFirst([copied], place, wanted)} Then delete ${copied.name} under Certificate Templates of these CAs. As an alternative, ${VALUES[wanted]} of ${copied.name} itself with ADSI Edit or a script, and check that its enrollees still get certificates.`;
}
