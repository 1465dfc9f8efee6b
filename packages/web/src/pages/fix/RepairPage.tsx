/** One card on its own page: the exact changes, the paths that they cut, and the remaining ones. */
import { Link } from 'wouter';
import { useAddress } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { PlanCard } from './PlanCard.tsx';
import { Computing } from './PlanView.tsx';
import { MAX_CARDS, usePlan } from './usePlan.ts';

export default function RepairPage({ id }: { readonly id: string }) {
  const address = useAddress();
  const query = usePlan(address, MAX_CARDS);
  return (
    <div className="page">
      <p className="crumbs">
        <Link href="/fix">Fix first</Link>
      </p>
      <Answer query={query} what="the repair" lines={8}>
        {(data) => {
          if (!('cards' in data)) return <Computing progress={data} />;
          const at = data.cards.findIndex(({ key }) => key === id);
          const card = data.cards[at];
          if (card === undefined)
            return (
              <>
                <h1>This repair is not in the plan</h1>
                <Empty title="No longer needed, or left out">
                  <p>
                    The plan of the newest analysis does not have it. <Link href="/fix">Fix first</Link> has
                    the repairs of now.
                  </p>
                </Empty>
              </>
            );
          return (
            <PlanCard
              card={card}
              number={at + 1}
              zone={data.asset_group_tag_id}
              before={data.cards[at - 1]?.exposure ?? data.before}
              env={address.get('env')}
              isPage
            />
          );
        }}
      </Answer>
    </div>
  );
}
