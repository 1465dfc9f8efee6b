/**
 * The defender's cost of a repair, as 1 to 4 squares, or as a number if it exceeds the cost of one change. The squares and their
 * words describe a single repair, so the sum of several is only a number.
 */
import { COST_SUM_UNIT, COST_UNIT, costLevel, costText, costWords, MAX_COST_LEVEL } from '@clew/model';

const SQUARES = Array.from({ length: MAX_COST_LEVEL }, (_, at) => at + 1);

interface CostProps {
  readonly cost: number;
  /** Whether it is the sum of several repairs. */
  readonly isSum?: boolean;
}

export function Cost({ cost, isSum = false }: CostProps) {
  if (isSum)
    return (
      <span className="cost" title={`Cost ${costText(cost)}, ${COST_SUM_UNIT}.`}>
        Cost {costText(cost)}
      </span>
    );
  const level = costLevel(cost);
  const words = `Cost ${costWords(cost)}: ${COST_UNIT}.`;
  return (
    <span className="cost" title={words}>
      <span className="unseen">{words}</span>
      {SQUARES.map((square) => (
        <i key={square} className={square <= level ? 'full' : ''} aria-hidden="true" />
      ))}
      {cost > SQUARES.length && <span aria-hidden="true">{costText(cost)}</span>}
    </span>
  );
}
