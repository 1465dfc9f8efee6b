/**
 * Prices of closing templates and of removing the right to enroll: closing a template with dangerous settings of its own is
 * cheap, and a template that Microsoft ships is in use.
 *
 * Rule: `docs/plan.md#prices`.
 */
import { type AnalysisContext, largeDefaultGroups, Oid } from '@clew/analysis';
import { hasKind, nameOf, objectIdOf } from '@clew/graph';
import { NodeKind } from '@clew/model';
import type { RepairKind } from '../../repairs/repairKinds.ts';
import type { Administration } from './administration.ts';
import { groupSizes } from './groupSizes.ts';
import { type Damage, damage, type PriceFacts } from './reasons.ts';

/** Purposes that permit requests on behalf of others. */
const FOR_OTHERS: readonly string[] = [Oid.certificateRequestAgent, Oid.anyPurpose];
const ENROLLS_ALONE = /AUTO_ENROLLMENT/;

/**
 * Templates that give a default group the right to enroll when they are installed, with their directory names, which are the same
 * in every language, and the suffix of the group's id.
 */
const SHIPPED: readonly { readonly names: readonly string[]; readonly holder: RegExp }[] = [
  { names: ['USER', 'USERSIGNATURE', 'EFS', 'CLIENTAUTH'], holder: /-513$/ },
  { names: ['MACHINE', 'WORKSTATION'], holder: /-515$/ },
  {
    names: [
      ...['DOMAINCONTROLLER', 'DOMAINCONTROLLERAUTHENTICATION', 'KERBEROSAUTHENTICATION'],
      'DIRECTORYEMAILREPLICATION',
    ],
    holder: /(-516|-498|-S-1-5-9)$/,
  },
];

export class CertificatePrices {
  readonly #context: AnalysisContext;
  readonly #administration: Administration;

  constructor(context: AnalysisContext, administration: Administration) {
    this.#context = context;
    this.#administration = administration;
  }

  /** @param object a template, or an authority */
  ofEnrollment(object: number, holder: number): Damage {
    const { graph } = this.#context;
    const size = this.#size(holder);
    const isDefaultGroup = largeDefaultGroups(this.#context).all.has(holder);
    if (!isDefaultGroup && this.#administration.isGone(holder)) return damage('left');
    if (hasKind(graph, object, NodeKind.EnterpriseCA))
      return isDefaultGroup ? damage('authority', size) : damage('design');
    if (!this.#isDangerous(object))
      return damage(this.#isShipped(object, holder) ? 'default' : 'design', size);
    return damage(this.#context.use(groupSizes).isBroad(holder) ? 'intruder' : 'in-use', size);
  }

  ofSetting(kind: RepairKind, template: number): Damage {
    const { properties } = this.#context;
    // The console cannot edit templates of version 1; requesters that need their own subject would get no certificate.
    if (this.#isVersion1(template)) return damage('outage');
    if (!this.#isDangerous(template)) return damage('design');
    const enrollsAlone = ENROLLS_ALONE.test(properties.text('enrollmentflag', template) ?? '');
    return damage(kind === 'template-approval' && enrollsAlone ? 'in-use' : 'dangerous-setting');
  }

  ofPublication(template: number): Damage {
    if (!this.#isDangerous(template)) return damage('default');
    return damage(this.#isVersion1(template) ? 'replace' : 'dangerous-setting');
  }

  #isShipped(template: number, holder: number): boolean {
    const { graph } = this.#context;
    const name = nameOf(graph, template).split('@')[0].toUpperCase();
    return SHIPPED.some((row) => row.names.includes(name) && row.holder.test(objectIdOf(graph, holder)));
  }

  #isVersion1(template: number): boolean {
    return this.#context.properties.number('schemaversion', template) === 1;
  }

  /** Whether requesters can name others, request on behalf of others, or get a certificate without the identity of its owner. */
  #isDangerous(template: number): boolean {
    const { properties } = this.#context;
    const purposes = properties.list('effectiveekus', template);
    const isFree =
      properties.flag('enrolleesuppliessubject', template) === true &&
      properties.flag('requiresmanagerapproval', template) !== true;
    return (
      isFree ||
      properties.flag('nosecurityextension', template) === true ||
      purposes?.length === 0 ||
      FOR_OTHERS.some((purpose) => purposes?.includes(purpose))
    );
  }

  #size(holder: number): PriceFacts {
    return { principals: this.#context.use(groupSizes).of(holder) };
  }
}
