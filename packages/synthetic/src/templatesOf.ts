/**
 * The certificate templates of a forest. Shape 3 has dozens of custom templates in addition to those of every forest;
 * most are open to everybody and harmless, but a few let their audience impersonate others.
 */
import { audienceOfForest } from './audience.ts';
import { type DomainPlan, domainStream, prefixedGroup, roleGroup, wellKnownGroup } from './plan.ts';
import { below, pick } from './random.ts';
import type { Principal } from './records.ts';
import { EKU, TEMPLATES, type Template } from './templates.ts';
import type { DomainWorld } from './world.ts';

export interface PublishedTemplate extends Template {
  /** Names of the authorities that issue the template. */
  readonly publishers: readonly string[];
}

const known = new WeakMap<DomainWorld, readonly PublishedTemplate[]>();

export function templatesOf(world: DomainWorld): readonly PublishedTemplate[] {
  const made = known.get(world) ?? [...usualTemplates(world.plan), ...furtherTemplates(world)];
  known.set(world, made);
  return made;
}

function usualTemplates(plan: DomainPlan): PublishedTemplate[] {
  const { authorities } = plan.traits;
  const draw = domainStream(plan, 'publishers');
  return TEMPLATES.filter(({ name }) => plan.shape !== 3 || isUsual(plan, name)).map((template, index) => ({
    ...(plan.hasFlaws ? template : withoutFlaw(template)),
    publishers: authorities
      .filter((_, at) => template.isPublished && (at === 0 || draw(index, at) < 0.4))
      .map(({ name }) => name),
  }));
}

/**
 * @returns the correct template: requests that name others and requests of agents need approval and are not open to everybody, and
 * certificates contain the SID of their owner
 */
function withoutFlaw(template: Template): Template {
  if (!FLAWED.has(template.name)) return template;
  const enrollmentFlags = template.enrollmentFlags.filter((flag) => flag !== 'NO_SECURITY_EXTENSION');
  return {
    ...template,
    ...(template.name === 'LEGACY MAPPING'
      ? { enrollmentFlags }
      : { enrollmentFlags: [...enrollmentFlags, 'PEND_ALL_REQUESTS'] }),
    ...(template.name === 'VPN LEGACY' && {
      enrollers: (plan) => (plan.hasKeyAdmins ? [] : template.enrollers(plan)),
    }),
  };
}

const FLAWED: ReadonlySet<string> = new Set(['VPN LEGACY', 'LEGACY MAPPING', 'ENROLLMENT AGENT']);

/** Whether this forest has a standard template with its flaw; in shape 3, only some do. */
function isUsual(plan: DomainPlan, name: string): boolean {
  const { isTiered, hasWeakMapping } = plan.traits;
  if (name === 'VPN LEGACY') return false;
  if (name === 'LEGACY MAPPING') return hasWeakMapping;
  if (name === 'ENROLLMENT AGENT' || name === 'SMARTCARD BY AGENT') return !isTiered;
  return true;
}

const TOPICS = [
  ...[
    'WIFI',
    'VPN',
    'MAIL',
    'PRINT',
    'SCAN',
    'PROXY',
    'MOBILE',
    'KIOSK',
    'BADGE',
    'SQL',
    'WEB',
    'ADFS',
    'SAP',
  ],
  ...['CITRIX', 'FIREWALL', 'SWITCH', 'MONITORING', 'BACKUP', 'SIGNING', 'TEST'],
] as const;

export const furtherTemplateName = (index: number): string =>
  `${TOPICS[index % TOPICS.length]} ${2009 + ((index * 7) % 17)}${index < TOPICS.length ? '' : ` V${1 + Math.floor(index / TOPICS.length)}`}`;

/** Number of further templates with a flaw, which are the first ones. */
export const dangerousTemplates = (plan: DomainPlan): number => {
  const draw = domainStream(plan, 'dangerous-templates');
  return plan.traits.furtherTemplates === 0 || draw(0) < 0.35 ? 0 : 1 + below(8, draw(1) ** 2);
};

const PURPOSES = [
  [EKU.clientAuthentication],
  [EKU.clientAuthentication, EKU.serverAuthentication],
  [EKU.clientAuthentication, EKU.secureMail, EKU.fileEncryption],
  [EKU.serverAuthentication],
  [EKU.serverAuthentication],
  [EKU.secureMail],
  [EKU.codeSigning],
  [EKU.clientAuthentication, EKU.smartCardLogon],
] as const;

const BY_DIRECTORY = ['SUBJECT_ALT_REQUIRE_UPN', 'SUBJECT_REQUIRE_DIRECTORY_PATH'] as const;

function furtherTemplates({ plan, forest }: DomainWorld): PublishedTemplate[] {
  const { authorities, furtherTemplates: count } = plan.traits;
  const draw = domainStream(plan, 'further-templates');
  const dangerous = dangerousTemplates(plan);
  return Array.from({ length: count }, (_, index): PublishedTemplate => {
    const name = furtherTemplateName(index);
    const audience = index < dangerous ? audienceOfForest(plan, forest, draw(index, 0)) : [];
    const isDangerous = audience.length > 0;
    // Requests that name others need approval, unless this is the flaw of the template. Without the flaw, no one may enroll.
    const namesOthers = isDangerous || draw(index, 1) < 0.2;
    const ekus = isDangerous
      ? pick<readonly string[]>(
          [[EKU.clientAuthentication], PURPOSES[1], ['2.5.29.37.0'], [], [EKU.requestAgent], PURPOSES[3]],
          draw(index, 2),
        )
      : pick<readonly string[]>(PURPOSES, draw(index, 2));
    const isPublished = authorities.map((_, at) => (isDangerous ? at === 0 : draw(index, 10 + at) < 0.3));
    return {
      ...{ name, displayName: name, schemaVersion: pick([2, 2, 2, 4] as const, draw(index, 3)), ekus },
      ...{
        isPublished: isPublished.includes(true),
        validity: pick(['1 year', '2 years', '5 years'], draw(index, 4)),
      },
      enrollmentFlags:
        namesOthers && !(isDangerous && plan.hasFlaws) ? ['PEND_ALL_REQUESTS'] : ['AUTO_ENROLLMENT'],
      nameFlags: namesOthers ? ['ENROLLEE_SUPPLIES_SUBJECT'] : BY_DIRECTORY,
      enrollers: (of) => (isDangerous ? (plan.hasFlaws ? audience : []) : usualEnrollers(of, draw(index, 5))),
      publishers: authorities.filter((_, at) => isPublished[at]).map(({ name: authority }) => authority),
    };
  });
}

/** Two thirds are open to all users, all computers or both. */
function usualEnrollers(plan: DomainPlan, luck: number): Principal[] {
  if (luck < 0.3) return [wellKnownGroup(plan, 513)];
  if (luck < 0.5) return [wellKnownGroup(plan, 515)];
  if (luck < 0.66) return [prefixedGroup(plan, 'S-1-5-11')];
  if (luck < 0.85) return [roleGroup(plan, 'T1_SERVER_ADMINS'), wellKnownGroup(plan, 512)];
  return [roleGroup(plan, 'T0_PKI_ADMINS')];
}
