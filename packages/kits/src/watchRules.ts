/**
 * Detection rules for the steps that a change would prevent: until it is made, they detect these steps.
 *
 * Rule: `docs/kits.md#detection-rules`.
 */
import type { KitFacts, KitRelation } from '@clew/planning';
import { CERTIFICATES, issued, NAMELESS_TEMPLATE, rulesOfRelation, UNWANTED_LOGON } from './relationRules.ts';
import type { WatchRule } from './sigma.ts';

export interface Watch {
  readonly rules: readonly WatchRule[];
  /** Uses of relationships that no rule detects, with the reasons. */
  readonly unwatched: readonly string[];
}

const windows = { product: 'windows', service: 'security' } as const;

/** Certificate requests that use the setting. */
function rulesOfSetting({ kind, object }: KitFacts): WatchRule[] {
  if (kind.startsWith('template-')) return [issued(object)].filter((found) => typeof found !== 'string');
  if (kind === 'authority-san-flag')
    return [
      {
        ...windows,
        title: 'A certificate is issued with a name from an attribute of its request',
        fields: { EventID: [4887], 'Attributes|contains': ['SAN:'] },
        needs: CERTIFICATES,
        ...{ falsePositives: 'Web servers whose requests contain additional names' },
      },
    ];
  if (kind === 'domain-computer-quota')
    return [
      {
        ...{ ...windows, title: 'An account joins a computer to the domain' },
        fields: { EventID: [4741] },
        needs: 'Computer Account Management on domain controllers',
        falsePositives:
          'Administrators who join computers, and hosts that create computer accounts, such as failover clusters',
      },
    ];
  return [];
}

/** @returns one rule per event that shows a step of the change */
export function watchOf(facts: KitFacts): Watch {
  const settings = rulesOfSetting(facts);
  if (facts.removed.length > 0 || settings.length > 0) return watchAll(settings, facts.removed, 'change');
  const reason = facts.kind.startsWith('template-')
    ? `Certificates of the template: ${NAMELESS_TEMPLATE}`
    : 'Clew has no rule for the use of this setting; the change may list other events to check.';
  return { rules: [], unwatched: [reason] };
}

/** @returns one rule per event that shows the use of one of the relationships */
export const watchRelations = (relations: readonly KitRelation[]): Watch => watchAll([], relations, 'step');

function watchAll(
  settings: readonly WatchRule[],
  relations: readonly KitRelation[],
  whole: 'change' | 'step',
): Watch {
  const all = [...settings];
  const unwatched = new Set<string>();
  for (const relation of relations) {
    for (const found of rulesOfRelation(relation))
      if (typeof found === 'string') unwatched.add(`${relation.relation}: ${found}`);
      else all.push(found);
  }
  const distinct = [...new Map(withoutPairs(all).map((rule) => [JSON.stringify(rule), rule])).values()];
  const left = distinct.length - MAX_RULES;
  if (left > 0)
    unwatched.add(
      `${left} further rules of this ${whole} are omitted: the kit contains at most ${MAX_RULES}.`,
    );
  return { rules: distinct.slice(0, MAX_RULES), unwatched: [...unwatched] };
}

/** One rule for all accounts and computers of logons, because none of these accounts should use any of these computers. */
function withoutPairs(rules: readonly WatchRule[]): WatchRule[] {
  const merged = new Map<string, WatchRule>();
  for (const rule of rules) {
    const { TargetUserSid = [], Computer = [], ...others } = rule.fields;
    const isLogon = rule.title === UNWANTED_LOGON;
    const key = JSON.stringify({ ...rule, fields: isLogon ? others : rule.fields });
    const known = isLogon ? merged.get(key) : undefined;
    if (known === undefined) merged.set(key, rule);
    else
      merged.set(key, {
        ...known,
        fields: {
          ...known.fields,
          ...(TargetUserSid.length > 0 && {
            TargetUserSid: [...new Set([...(known.fields.TargetUserSid ?? []), ...TargetUserSid])],
          }),
          Computer: [...new Set([...(known.fields.Computer ?? []), ...Computer])],
        },
      });
  }
  return [...merged.values()];
}

/** Maximum rules per change or step: a change about many sessions has this many. */
const MAX_RULES = 20;
