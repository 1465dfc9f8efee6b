/** The cost of a repair for the defender, from 1 to 4 squares; the number where it exceeds the cost of one change. */
import { COST_UNIT, costText } from '@clew/model';

const SQUARES = [1, 2, 3, 4] as const;
const WORDS = ['low', 'moderate', 'high', 'very high'] as const;

export function Cost({ cost }: { readonly cost: number }) {
  const level = Math.min(SQUARES.length, Math.max(1, Math.round(cost)));
  const number = costText(cost);
  const words = `Cost ${number}: ${WORDS[level - 1]} (${COST_UNIT}).`;
  return (
    <span className="cost" title={words}>
      <span className="unseen">{words}</span>
      {SQUARES.map((square) => (
        <i key={square} className={square <= level ? 'full' : ''} aria-hidden="true" />
      ))}
      {cost > SQUARES.length && <span aria-hidden="true">{number}</span>}
    </span>
  );
}
