/** The end of a plan that does not meet its goal: further changes toward it, as questions for users who know what is needed. */
import type { PlanRecord } from '@clew/api';
import { decisionsSentence } from '@clew/model';
import { Breakable } from '../../parts/Breakable.tsx';
import { Cost } from '../../parts/Cost.tsx';
import { cleanText } from '../../text/cleanText.ts';

export function Decisions({ plan }: { readonly plan: PlanRecord }) {
  if (plan.decisions.length === 0) return null;
  return (
    <section className="card decisions" aria-labelledby="decisions">
      <h2 id="decisions">Decisions</h2>
      <p className="quiet">{decisionsSentence(plan.decisions)}</p>
      <ol>
        {plan.decisions.map(({ text, packages, cost }) => (
          <li key={packages.map(({ key }) => key).join(' ')}>
            <details>
              <summary>
                <Breakable text={cleanText(text)} /> <Cost cost={cost} isSum={packages.length > 1} />
              </summary>
              {packages.map(({ key, title, fix, check, risk }) => (
                <dl key={key} className="facts">
                  <dt>Change</dt>
                  <dd>{cleanText(title)}</dd>
                  <dt>Apply</dt>
                  <dd>{cleanText(fix)}</dd>
                  <dt>Verify</dt>
                  <dd>{cleanText(check)}</dd>
                  <dt>Risk</dt>
                  <dd>{cleanText(risk)}</dd>
                </dl>
              ))}
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}
