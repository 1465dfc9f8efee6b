/** Findings on their way to a host platform. */
import { SEVERITIES, type Severity } from '@clew/api';

/** Findings of one type in one zone of one environment. */
export interface Triple {
  readonly environmentId: string;
  readonly zoneId: number;
  readonly findingType: string;
}

/** `reopen`: an acceptance has ended. */
export type ItemKind = 'create' | 'reopen' | 'update' | 'close';

export type ItemStatus = 'active' | 'accepted' | 'remediated' | 'orphaned' | 'deprecated';

export type { Severity };

/** Unknown values count as low. */
export const severityOf = (text: string): Severity =>
  SEVERITIES.find((severity) => severity === text.toLowerCase()) ?? 'low';

export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);

export interface Principal {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly environment: string;
}

export interface FindingFacts extends Triple {
  readonly id: number;
  readonly environmentName: string;
  readonly zoneName: string;
  readonly severity: Severity;
  /** One sentence; absent if the service has none. */
  readonly severityReason?: string;
  /** Type of the finding that represents this one; absent if none does. */
  readonly partOf?: string;
  /** Its number; absent if unknown. */
  readonly partOfId?: number;
  /** 0 to 100. */
  readonly exposurePercentage: number;
  readonly exposureCount: number;
  /** 0 to 100. */
  readonly impactPercentage: number;
  readonly impactCount: number;
  readonly accepted: boolean;
  readonly acceptedUntil: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Absent for list findings. */
  readonly source?: Principal;
  readonly target: Principal;
}

export interface ItemPayload {
  readonly finding: FindingFacts;
  readonly status: ItemStatus;
  /** Text of the reason, for updates and closings. */
  readonly reason: string;
  /** The record from the service, as JSON; empty if only its state is known. */
  readonly details: string;
}

export interface OutboxItem extends Triple {
  /** Its subject (`naturalKey`). */
  readonly key: string;
  readonly kind: ItemKind;
  /** Equal for each delivery. */
  readonly eventId: string;
  readonly payload: ItemPayload;
}

export interface WaitingItem extends OutboxItem {
  readonly seq: number;
  readonly attempts: number;
}

/** Items that go to the host together, fixed before the first attempt, so that a repetition is identical. */
export interface PlannedBatch extends Triple {
  readonly id: string;
  readonly kind: ItemKind;
  /** Number of the part, from 1. */
  readonly part: number;
  readonly parts: number;
  /** Items of all parts. */
  readonly total: number;
  /** Index of the first item among all, from 1. */
  readonly first: number;
}

/** The texts of a finding type; empty if unavailable. */
export interface FindingTexts {
  readonly title: string;
  readonly shortDescription: string;
  readonly shortRemediation: string;
  readonly longRemediation: string;
}
