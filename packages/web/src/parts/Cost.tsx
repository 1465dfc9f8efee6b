/** The cost of a repair for the defender, from 1 to 4 squares; the number where it exceeds the cost of one change. */

const SQUARES = [1, 2, 3, 4] as const;
const WORDS = ['low', 'moderate', 'high', 'very high'] as const;

export function Cost({ cost }: { readonly cost: number }) {
  const level = Math.min(SQUARES.length, Math.max(1, Math.round(cost)));
  const number = String(Math.round(cost * 10) / 10);
  const words = `Cost ${number}: ${WORDS[level - 1]}. Work and risk for you, from 1 for one change of no risk.`;
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
