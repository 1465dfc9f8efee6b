/** Turns "card 3 of the plan" in sentences of the service into a link to the card, and "plan" into a link to the plan. */
import { Link } from 'wouter';
import { useSaid } from '../../parts/oneDomain.ts';
import { numberedPath } from '../fix/planFigures.ts';

const CARD = /^(.*?)(card (\d+)) of (the plan)(.*)$/s;

/** @param text a sentence from the service that may name a card of the plan */
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
