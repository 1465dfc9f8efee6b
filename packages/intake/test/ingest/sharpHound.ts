/** Records of SharpHound files, as small as readers accept them. */

export function collection(type: string, ...records: readonly object[]): object {
  return { data: records, meta: { methods: 0x7ffff, type, count: records.length, version: 6 } };
}

export function ace(principal: string, right: string, isInherited = false): object {
  return { PrincipalSID: principal, PrincipalType: 'Group', RightName: right, IsInherited: isInherited };
}

export function userRecord(id: string, members: object = {}): object {
  return { ObjectIdentifier: id, Properties: { name: `user ${id}` }, Aces: [], ...members };
}

export function groupRecord(id: string, members: object = {}): object {
  return { ObjectIdentifier: id, Properties: { name: `group ${id}` }, Aces: [], Members: [], ...members };
}

export function computerRecord(id: string, members: object = {}): object {
  return { ObjectIdentifier: id, Properties: { name: `computer ${id}` }, Aces: [], ...members };
}
