/** Requests about zones, their selectors and members. */
import type { Known, RequestTable } from './known.ts';

export function zoneRequests({ idOf, member, made }: Known): RequestTable {
  const group = made.get('CreateAssetGroup') ?? 1;
  const zone = made.get('CreateAssetGroupTag') ?? 1;
  const selector = made.get('CreateAssetGroupTagSelector') ?? 1;
  const seeds = [{ type: 1, value: idOf.get('User') }];
  return {
    FindEnvironments: { body: { object_ids: [idOf.get('User')] } },
    CreateAssetGroupTag: {
      body: { name: 'Servers of the shop', description: 'Tills and what they need', type: 2 },
    },
    UpdateAssetGroupTag: { params: { asset_group_tag_id: zone }, body: { description: 'Tills' } },
    DeleteAssetGroupTag: { params: { asset_group_tag_id: zone } },
    CreateAssetGroupTagSelector: {
      params: { asset_group_tag_id: zone },
      body: { name: 'One account', description: 'It manages the tills', seeds },
    },
    UpdateAssetGroupTagSelector: {
      params: { asset_group_tag_id: zone, asset_group_tag_selector_id: selector },
      body: { description: 'It manages all tills' },
    },
    DeleteAssetGroupTagSelector: {
      params: { asset_group_tag_id: zone, asset_group_tag_selector_id: selector },
    },
    PreviewSelectors: { body: { seeds } },
    AssetGroupTagSearch: { body: { query: 'ADMIN', tag_type: 1 } },
    SearchAssetGroupTagHistory: { body: { query: 'shop' } },
    CertifyOrRevokeObjects: { body: { member_ids: [member.id], action: 1, note: 'Reviewed' } },
    CreateAssetGroup: { body: { name: 'Tills', tag: 'tills' } },
    UpdateAssetGroup: { params: { asset_group_id: group }, body: { name: 'All tills' } },
    DeleteAssetGroup: { params: { asset_group_id: group } },
    UpdateAssetGroupSelectors: {
      params: { asset_group_id: group },
      body: [{ action: 'add', selector_name: 'till', sid: idOf.get('User') }],
    },
    UpdateAssetGroupSelectorsDeprecated: {
      params: { asset_group_id: group },
      body: [{ action: 'add', selector_name: 'till', sid: idOf.get('User') }],
    },
    DeleteAssetGroupSelector: {
      params: {
        asset_group_id: group,
        asset_group_selector_id: made.get('UpdateAssetGroupSelectorsDeprecated') ?? 1,
      },
    },
  };
}
