/**
 * Judges one change of a plan by the planted flaws of the organization. Prices are not used; of the texts, only whether one asks for a copy
 * before a template is retired. Only Microsoft's default templates are identified by name, because their names are the same in all
 * languages.
 */

import { hasKind, nameOf, objectIdOf } from '@clew/graph';
import { NodeKind } from '@clew/model';
import { type AnalyzedWorld, packageText, type Repair, type RepairKind } from '@clew/planning';
import { relationKey, type Truth } from './plantedTruth.ts';

/**
 * a: undoes a planted relation, or a setting or habit that is wrong in itself. b: breaks a part of the organization without flaws. c:
 * removes a Microsoft default. d: closes a hole, but not as an administrator would.
 */
export type Mark = 'a' | 'b' | 'c' | 'd';

export interface Verdict {
  readonly mark: Mark;
  readonly reason: string;
}

interface Question {
  readonly world: AnalyzedWorld;
  readonly truth: Truth;
  readonly repair: Repair;
}

interface Rule extends Verdict {
  readonly applies: (question: Question) => boolean;
}

const SHIPPED_TEMPLATES = /^(USER|MACHINE|DOMAINCONTROLLER|KERBEROSAUTHENTICATION|SUBCA|WEBSERVER)@/;
/** Everyone, Authenticated Users, built-in groups of every domain by relative id, other built-in groups, controllers of the forest. */
const DEFAULT_GROUPS = /(-S-1-1-0|-S-1-5-11|-51[2-9]|-52[0-9]|-498|-S-1-5-32-\d+|-S-1-5-9)$/;

const ofTemplates = new Set<RepairKind>([
  ...(['template-subject', 'template-approval', 'template-security-extension'] as const),
  ...(['unpublish-template', 'remove-enrollment'] as const),
]);

const idOf = ({ world }: Question, node: number): string => objectIdOf(world.context.graph, node);

const isPlanted = ({ world, truth, repair }: Question): boolean =>
  repair.change.removed.some((edge) => truth.planted.has(relationKey(world.context.graph, edge)));

/** The template that the change concerns, if any. */
function templateOf({ world, repair: { kind, object, principal } }: Question): number | undefined {
  const template = kind === 'unpublish-template' ? principal : object;
  const isTemplate =
    ofTemplates.has(kind) &&
    template !== undefined &&
    hasKind(world.context.graph, template, NodeKind.CertTemplate);
  return isTemplate ? template : undefined;
}

function isShippedTemplate(question: Question): boolean {
  const template = templateOf(question);
  return template !== undefined && SHIPPED_TEMPLATES.test(nameOf(question.world.context.graph, template));
}

/** Whether the card asks for a copy before the template is retired. */
const isCopiedFirst = ({ world, repair }: Question): boolean =>
  /^First duplicate /.test(
    packageText(world, { kind: repair.kind, subjects: [repair.object], repairs: [repair] }).fix,
  );

function isWrongTemplate(question: Question): boolean {
  const template = templateOf(question);
  return template !== undefined && question.truth.wrong.has(idOf(question, template));
}

/** Whether the change writes a setting of an object that has a planted one. */
const isWrongSetting = (question: Question): boolean =>
  question.repair.change.properties.some(({ node }) => question.truth.wrong.has(idOf(question, node)));

const isOf = (kind: RepairKind) => (question: Question) => question.repair.kind === kind;

const isOfDefaultGroup = (question: Question): boolean =>
  question.repair.principal !== undefined && DEFAULT_GROUPS.test(idOf(question, question.repair.principal));

function isSessionOutside({ world, repair: { kind, object, principal } }: Question): boolean {
  const zone = world.zones[0]?.members;
  return kind === 'keep-off' && zone?.has(principal as number) === true && !zone.has(object);
}

/** The first matching rule decides; without one, the kind of the change decides. */
const RULES: readonly Rule[] = [
  { mark: 'a', reason: 'a planted relation goes', applies: isPlanted },
  {
    ...{ mark: 'd', reason: 'the template is used as it was shipped: a copy comes first' },
    applies: (question) =>
      isOf('unpublish-template')(question) && isShippedTemplate(question) && !isCopiedFirst(question),
  },
  {
    ...{ mark: 'a', reason: 'a copy with safe settings replaces the template' },
    applies: (question) => isOf('unpublish-template')(question) && isShippedTemplate(question),
  },
  { mark: 'c', reason: 'the template is as Microsoft ships it', applies: isShippedTemplate },
  {
    ...{ mark: 'd', reason: 'the people who need the template lose it: its setting is wrong' },
    applies: (question) => isOf('remove-enrollment')(question) && isWrongTemplate(question),
  },
  { mark: 'a', reason: 'the template is dangerous by its settings', applies: isWrongTemplate },
  { mark: 'a', reason: 'a planted setting is put right', applies: isWrongSetting },
  { mark: 'a', reason: 'an account of Tier Zero works outside of it', applies: isSessionOutside },
  {
    ...{ mark: 'c', reason: 'Windows gives it to this group' },
    applies: (question) => LOSES_AS_SHIPPED.has(question.repair.kind) && isOfDefaultGroup(question),
  },
  {
    ...{ mark: 'c', reason: 'it is in this group of Windows by design' },
    applies: (question) =>
      isOf('remove-member')(question) && DEFAULT_GROUPS.test(idOf(question, question.repair.object)),
  },
];

const LOSES_AS_SHIPPED = new Set<RepairKind>([
  ...(['remove-permission', 'change-owner', 'remove-enrollment', 'remove-local-member'] as const),
]);

const harmless = 'the template is harmless';
const everywhere = 'the setting is right on every machine';

/** Verdicts on changes that affect nothing planted, by kind. */
const OTHERWISE: Readonly<Record<RepairKind, Verdict>> = {
  'template-subject': { mark: 'b', reason: harmless },
  'template-approval': { mark: 'b', reason: harmless },
  'template-security-extension': { mark: 'b', reason: harmless },
  'unpublish-template': { mark: 'b', reason: harmless },
  'remove-enrollment': { mark: 'b', reason: 'the group needs its certificates' },
  'authority-san-flag': { mark: 'a', reason: everywhere },
  'authority-web-enrollment': { mark: 'a', reason: everywhere },
  'authority-rpc-encryption': { mark: 'a', reason: everywhere },
  'authority-extensions': { mark: 'a', reason: everywhere },
  'controllers-certificate-binding': { mark: 'a', reason: everywhere },
  'controllers-certificate-mapping': { mark: 'a', reason: everywhere },
  'controllers-ldap-signing': { mark: 'a', reason: everywhere },
  'controllers-channel-binding': { mark: 'a', reason: everywhere },
  'controllers-netlogon-exceptions': { mark: 'a', reason: everywhere },
  'computer-smb-signing': { mark: 'a', reason: everywhere },
  'domain-smb-signing': { mark: 'a', reason: everywhere },
  'domain-computer-quota': { mark: 'a', reason: everywhere },
  'separate-logons': { mark: 'a', reason: 'Tier Zero has no business on other machines' },
  'remove-permission': { mark: 'b', reason: 'the delegation is part of the design' },
  'change-owner': { mark: 'b', reason: 'the owner is part of the design' },
  'remove-member': { mark: 'b', reason: 'the member belongs to the group' },
  'remove-local-member': { mark: 'b', reason: 'the member administers or uses the host' },
  'remove-policy-member': { mark: 'b', reason: 'the policy gives the hosts their administrators' },
  'remove-logon-right': { mark: 'b', reason: 'people work there' },
  'keep-off': { mark: 'b', reason: 'the account works there' },
  'unlink-policy': { mark: 'b', reason: 'the policy is in use' },
  'move-object': { mark: 'b', reason: 'the object is where it belongs' },
  'remove-delegation': { mark: 'b', reason: 'the service needs its delegation' },
  'clear-sid-history': { mark: 'b', reason: 'the account was migrated' },
  'filter-trust': { mark: 'b', reason: 'the trust is in use' },
  'protect-host': { mark: 'b', reason: 'the host is where it belongs' },
  'remove-role': { mark: 'b', reason: 'it is the role of an administrator' },
  unsynchronize: { mark: 'b', reason: 'the person needs the account on both sides' },
  'remove-relation': { mark: 'b', reason: 'the relation is part of the design' },
};

/** @param repair of a plan of the organization from which `truth` was read */
export function verdictOf(world: AnalyzedWorld, truth: Truth, repair: Repair): Verdict {
  const question = { world, truth, repair };
  const { mark, reason } = RULES.find(({ applies }) => applies(question)) ?? OTHERWISE[repair.kind];
  return { mark, reason };
}
