/**
 * Compares findings with the state of the host platform, and adds changes to report to the outbox. Rule:
 * `docs/integration.md#reported-changes`.
 */

import { eventIdOf } from '../findings/alerts.ts';
import { type FindingFacts, type ItemKind, type ItemStatus, severityRank } from '../findings/items.ts';
import type { ConnectorState, KnownItem } from '../state/connectorState.ts';
import type { ConnectorSettings } from './settings.ts';

/** Percentage points of exposure or impact that are worth a message. */
const NOTEWORTHY_POINTS = 5;
/** Minimum time between two messages about changes of one finding, unless it became more severe. */
const QUIET_MS = 24 * 3_600_000;

export interface Counts {
  created: number;
  updated: number;
  closed: number;
}

type IntakeSettings = Pick<ConnectorSettings, 'minimumSeverity' | 'includeAccepted' | 'includeParts'>;

/** Whether the settings select the finding, once its environment, zone and type are selected. */
export const isSelected = (settings: IntakeSettings, finding: FindingFacts): boolean =>
  severityRank(finding.severity) >= severityRank(settings.minimumSeverity) &&
  (settings.includeAccepted || !finding.accepted) &&
  !isLeftOutPart(settings, finding);

const isLeftOutPart = ({ includeParts }: IntakeSettings, { partOf }: FindingFacts): boolean =>
  !includeParts && partOf !== undefined;

export class Intake {
  readonly counts: Counts = { created: 0, updated: 0, closed: 0 };
  readonly #settings: IntakeSettings;
  readonly #now: () => number;

  constructor(settings: IntakeSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /**
   * Processes a finding in its current version.
   * @param state in a transaction
   * @param key its subject
   * @param details its record as JSON
   */
  async take(state: ConnectorState, key: string, finding: FindingFacts, details: string): Promise<void> {
    const known = await state.item(key);
    if (known === undefined || isOver(known.status)) {
      const closed = known?.findingId === finding.id ? known.life : await state.closedLife(key, finding.id);
      await this.#open(state, key, finding, details, closed);
    } else if (known.findingId !== finding.id) {
      // The finding ended and reappeared between two runs.
      await this.#close(state, known, known.facts, 'remediated', 'remediated, and found again');
      await this.#open(state, key, finding, details);
    } else {
      await this.#compare(state, known, finding, details);
    }
  }

  /** Ends a finding that no longer exists. @param reason in words; default: the status */
  async end(
    state: ConnectorState,
    finding: FindingFacts,
    status: ItemStatus,
    reason: string = status,
  ): Promise<void> {
    const known = await state.itemOfFinding(finding, finding.id);
    if (known === undefined || isOver(known.status)) return;
    await this.#close(state, known, finding, status, reason);
  }

  /** Ends a finding of which only the values sent to the host are known. */
  endKnown(state: ConnectorState, known: KnownItem, status: ItemStatus, reason: string): Promise<void> {
    return this.#close(state, known, known.facts, status, reason);
  }

  /** The host has the finding without a text of its type, and the text is available now. */
  async correctTexts(state: ConnectorState, known: KnownItem): Promise<void> {
    const { key, facts, status, life } = known;
    // Undelivered items are delivered with the texts at that time.
    if (!known.delivered || (status === 'accepted' && !this.#settings.includeAccepted)) return;
    const reason = 'the texts of the finding type are now available';
    await this.#tell(state, key, 'update', facts, { status, details: '', reason, life });
    this.counts.updated++;
  }

  /** @param closed the life in which this finding was closed by mistake: it still exists */
  async #open(
    state: ConnectorState,
    key: string,
    finding: FindingFacts,
    details: string,
    closed?: number,
  ): Promise<void> {
    if (!isSelected(this.#settings, finding)) return;
    const status = finding.accepted ? 'accepted' : 'active';
    const life = closed === undefined ? 0 : closed + 1;
    await state.putItem({
      ...knownOf(key, finding),
      status,
      ...{ life, hostId: '', delivered: false, toldAt: 0 },
    });
    const [kind, reason] = closed === undefined ? (['create', 'found'] as const) : REOPENED;
    await this.#tell(state, key, kind, finding, { status, details, reason, life });
    this.counts[kind === 'create' ? 'created' : 'updated']++;
  }

  async #compare(
    state: ConnectorState,
    known: KnownItem,
    finding: FindingFacts,
    details: string,
  ): Promise<void> {
    // The host keeps the incident of the finding that represents this one.
    if (isLeftOutPart(this.#settings, finding))
      return this.#close(state, known, finding, 'deprecated', partOfWhole(finding));
    const status = finding.accepted ? 'accepted' : 'active';
    if (status !== known.status) {
      const isAccepted = status === 'accepted';
      const reason = isAccepted ? acceptanceOf(finding) : 'the acceptance has ended';
      const kind = this.#settings.includeAccepted ? 'update' : isAccepted ? 'close' : 'reopen';
      const life = known.life + (isAccepted ? 0 : 1);
      await state.putItem({ ...known, ...knownOf(known.key, finding), status, life });
      await this.#tell(state, known.key, kind, finding, { status, details, reason, life });
      this.counts[kind === 'close' ? 'closed' : 'updated']++;
      return;
    }
    // The finding was reported to the host as closed.
    if (status === 'accepted' && !this.#settings.includeAccepted) return;
    const waiting = await state.waitingOf(known.key);
    const told = waiting.findLast(({ isReplaceable }) => !isReplaceable)?.facts ?? known.facts;
    const changes = changesOf(told, finding);
    // The finding changed back before the change was reported to the host.
    if (changes.length === 0) return state.withdraw(known.key);
    const eventId = eventIdOf(known.key, 'update', finding, { life: known.life, status });
    if (waiting.some((each) => each.eventId === eventId)) return;
    const isWorse = severityRank(finding.severity) > severityRank(told.severity);
    const notBefore = isWorse ? 0 : known.toldAt + QUIET_MS;
    const reason = changes.join(', ');
    await this.#tell(
      state,
      known.key,
      'update',
      finding,
      { status, details, reason, life: known.life },
      notBefore,
    );
    this.counts.updated++;
  }

  async #close(
    state: ConnectorState,
    known: KnownItem,
    finding: FindingFacts,
    status: ItemStatus,
    reason: string,
  ): Promise<void> {
    await state.putItem({ ...known, status });
    await this.#tell(state, known.key, 'close', finding, { status, details: '', reason, life: known.life });
    this.counts.closed++;
  }

  async #tell(
    state: ConnectorState,
    key: string,
    kind: ItemKind,
    finding: FindingFacts,
    { status, details, reason, life }: Telling,
    notBefore = 0,
  ): Promise<void> {
    const { environmentId, zoneId, findingType } = finding;
    const eventId = eventIdOf(key, kind, finding, { life, status });
    const payload = { finding, status, reason, details };
    const waits = notBefore > this.#now() ? notBefore : 0;
    await state.enqueue({ environmentId, zoneId, findingType, key, kind, eventId, payload }, waits);
  }
}

const REOPENED = ['reopen', 'it was closed, but the finding still exists'] as const;

interface Telling {
  readonly status: ItemStatus;
  readonly details: string;
  readonly reason: string;
  readonly life: number;
}

export const isOver = (status: ItemStatus): boolean => status !== 'active' && status !== 'accepted';

const knownOf = (key: string, finding: FindingFacts) => ({
  key,
  environmentId: finding.environmentId,
  zoneId: finding.zoneId,
  findingType: finding.findingType,
  findingId: finding.id,
  facts: finding,
});

const partOfWhole = ({ partOf, partOfId }: FindingFacts): string =>
  `not remediated: ${partOfId === undefined ? 'a finding' : `finding ${partOfId}`} of type ${partOf} represents it`;

function acceptanceOf({ acceptedUntil }: FindingFacts): string {
  const isEndless = acceptedUntil === '' || acceptedUntil.startsWith('9999');
  return isEndless
    ? 'risk accepted until further notice'
    : `risk accepted until ${acceptedUntil.slice(0, 10)}`;
}

function changesOf(known: FindingFacts, finding: FindingFacts): string[] {
  const moved = (name: string, before: number, now: number): string[] =>
    Math.abs(now - before) > NOTEWORTHY_POINTS ? [`${name} ${before} % to ${now} %`] : [];
  return [
    ...(known.severity === finding.severity ? [] : [`severity ${known.severity} to ${finding.severity}`]),
    ...moved('exposure', known.exposurePercentage, finding.exposurePercentage),
    ...moved('impact', known.impactPercentage, finding.impactPercentage),
  ];
}
