/**
 * Changes for findings that no repair of the plan closes: account settings have a script, all others the steps of their remedy, with the
 * reason. Rule: `docs/kits.md#findings-outside-the-plan`.
 */
import type { KitFacts, KitObject } from '@clew/planning';
import type { KitTexts, Plan } from './change.ts';
import { accountBits } from './directoryChanges.ts';
import { DISABLED, FOR_SERVICES, REASONS, SETTINGS } from './findingTables.ts';
import { RULES_OF_USE, UNWATCHED } from './findingWatch.ts';
import { NotScripted } from './ids.ts';
import type { Watch } from './watchRules.ts';

/** A finding about one object, with the remedy of its type. */
export interface FindingRemedy {
  /** Id of the finding type. */
  readonly type: string;
  readonly object: KitObject;
  readonly steps: readonly string[];
  readonly use: AccountUse;
}

/** Uses of an account for which a script would be wrong. */
export interface AccountUse {
  /** Whether it has a service principal name; null if that was not collected. */
  readonly runsServices: boolean | null;
  readonly isController: boolean;
  readonly isOfTrust: boolean;
}

function reasonOfUse(
  type: string,
  { runsServices, isController, isOfTrust }: AccountUse,
): string | undefined {
  if (isOfTrust)
    return 'It is the account of a trust, which the domain controllers maintain: change the trust instead.';
  if (isController && SETTINGS.get(type) === DISABLED)
    return 'It is a domain controller: demote it, or remove its metadata if it no longer exists.';
  const reason = FOR_SERVICES.get(type);
  if (reason === undefined || runsServices === false) return undefined;
  return runsServices
    ? `The account has a service principal name. ${reason}`
    : `The collection does not show whether the account has a service principal name. ${reason}`;
}

const NO_ENGINE = 'The scripts of change kits cannot make this change.';

/** @returns the change of the account setting, or the steps of the remedy with the reason why there is no script */
export function planOfFinding({ type, object, steps, use }: FindingRemedy): Plan {
  const setting = SETTINGS.get(type);
  if (setting === undefined) return { why: REASONS.get(type) ?? NO_ENGINE, steps };
  const reason = reasonOfUse(type, use);
  if (reason !== undefined) return { why: reason, steps };
  try {
    return { ...accountBits(object, setting.operation, setting.bits), remedy: steps };
  } catch (error) {
    if (!(error instanceof NotScripted)) throw error;
    return { why: error.message, steps };
  }
}

/** A change outside the plan, which a finding needs. */
export interface RemedyInput extends KitTexts {
  readonly facts: Omit<KitFacts, 'kind'> & { readonly kind: 'remedy' };
  readonly remedy: FindingRemedy;
}

/** The number of principals that lose access by a remedy is not counted. */
export function remedyInput(remedy: FindingRemedy, texts: Omit<KitTexts, 'affected'>): RemedyInput {
  const { type, object } = remedy;
  return {
    facts: {
      ...{ id: `remedy ${type} ${object.objectId}`, kind: 'remedy', object },
      ...{ relations: [], removed: [], values: valuesOf(remedy), facts: {} },
    },
    ...{ ...texts, affected: null, remedy },
  };
}

/** The declared values of the change. */
function valuesOf({ type, object }: FindingRemedy): KitFacts['values'] {
  const setting = SETTINGS.get(type);
  if (setting === undefined) return [];
  const { property, wanted } = setting;
  return [{ object, property, now: !wanted, wanted }];
}

const NO_EVENT = 'No security log event is known that shows the use of this weakness.';

/** @returns rules for the use of the weakness, until the change is made */
export function watchFinding({ type, object: { sid } }: Pick<FindingRemedy, 'type' | 'object'>): Watch {
  const ruleOf = RULES_OF_USE.get(type);
  if (ruleOf === undefined) return { rules: [], unwatched: [UNWATCHED.get(type) ?? NO_EVENT] };
  if (sid === null) return { rules: [], unwatched: ['The collection has no SID of the account.'] };
  return { rules: [ruleOf(sid)], unwatched: [] };
}
