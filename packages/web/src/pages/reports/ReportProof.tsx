/** The proof of started plans in a report. */
import type { ReportContent } from '@clew/api';
import { Breakable } from '../../parts/Breakable.tsx';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatDate, formatDay } from '../../text/formats.ts';

type Proof = NonNullable<ReportContent['proof']>;

export function ReportProof({ proof }: { readonly proof: Proof }) {
  const { change_count, proved_count, overdue_count, repairs } = proof;
  return (
    <section>
      <h2>Proof</h2>
      <p>
        {proved_count} of {counted(change_count, 'change')} of started plans proved by an analysis
        {countsText(proof)}
        {overdue_count > 0 && `, ${counted(overdue_count, 'repair')} overdue`}.
      </p>
      {repairs.length === 0 && <p className="quiet">Nothing changed in this period.</p>}
      {repairs.map((repair, at) => (
        // Masked titles may be equal, so the index is the key.
        <RepairProof key={at} repair={repair} />
      ))}
    </section>
  );
}

type Counts = Pick<Proof, 'came_back_count' | 'contradicted_count' | 'not_seen_count'>;

function countsText({ came_back_count, contradicted_count, not_seen_count }: Counts): string {
  return [
    ...(came_back_count > 0 ? [`, ${came_back_count} exist again`] : []),
    ...(contradicted_count > 0 ? [`, ${contradicted_count} contradicted`] : []),
    ...(not_seen_count > 0 ? [`, ${not_seen_count} not seen again, which is not proof`] : []),
  ].join('');
}

function claimsText(claims: NonNullable<Proof['repairs'][number]['claims']>): string {
  const parts = [
    [claims.agrees, 'agree with the collection'],
    [claims.disagrees, 'disagree with the collection'],
    [claims.waits, 'wait for a collection'],
    [claims['not-made'], 'say that nothing was made'],
  ] as const;
  return parts.flatMap(([count, text]) => (count === 0 ? [] : [`${count} ${text}`])).join(', ');
}

function RepairProof({ repair }: { readonly repair: Proof['repairs'][number] }) {
  const { title, change_count, proved_count, due, overdue, at, facts, effect, claims } = repair;
  return (
    <div className="report-card">
      <header>
        <h3>
          <Breakable text={cleanText(title)} />
        </h3>
        {at !== null && <span className="quiet">{formatDate(at)}</span>}
      </header>
      <p className="quiet">
        {proved_count} of {counted(change_count, 'change')} proved{countsText(repair)}
        {due !== null && `, ${overdue ? 'overdue since' : 'due'} ${formatDay(due)}`}
      </p>
      {claims !== undefined && <p>Transcripts and backups of kits: {claimsText(claims)}</p>}
      {effect !== '' && <p>The card {effect}</p>}
      {facts.length > 0 && (
        <ul>
          {facts.map((fact, at) => (
            // Masked facts may be equal.
            <li key={at}>
              <Breakable text={cleanText(fact)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
