/** "card 3 of the plan", as the service says it of a finding: a link to the card, and one to the plan. */
import { Link } from 'wouter';
import { useSaid } from '../../parts/oneDomain.ts';
import { numberedPath } from '../fix/planFigures.ts';

const CARD = /^(.*?)(card (\d+)) of (the plan)(.*)$/s;

/** @param text a sentence of the service that may name a card of the plan */
export function PlanText({ text }: { readonly text: string }) {
  const said = useSaid();
  const [, before, words, number, plan, after] = CARD.exec(said(text)) ?? [];
  if (number === undefined) return said(text);
  return (
    <>
      {before}
      <Link href={numberedPath(Number(number))}>{words}</Link> of <Link href="/fix">{plan}</Link>
      {after}
    </>
  );
}
