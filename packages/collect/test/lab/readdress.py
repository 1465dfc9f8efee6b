#!/usr/bin/env python3
"""Gives the names of a copied controller their new address: usage: readdress.py SAM_LDB CONF OLD NEW"""

import sys
from samba import param
from samba.auth import system_session
from samba.dcerpc import dnsp
from samba.ndr import ndr_pack, ndr_unpack
from samba.samdb import SamDB
import ldb

sam, conf, old, new = sys.argv[1:]
lp = param.LoadParm()
lp.load(conf)
lp.set("ldb:nosync", "true")
db = SamDB(url=sam, session_info=system_session(lp), lp=lp)
db.transaction_start()
for zones in ("DomainDnsZones", "ForestDnsZones"):
    for found in db.search(f"DC={zones},{db.domain_dn()}", ldb.SCOPE_SUBTREE, "(objectClass=dnsNode)", ["dnsRecord"]):
        records = [ndr_unpack(dnsp.DnssrvRpcRecord, one) for one in found.get("dnsRecord", [])]
        named = [one for one in records if one.wType == dnsp.DNS_TYPE_A and one.data == old]
        if not named:
            continue
        for one in named:
            one.data = new
        message = ldb.Message(found.dn)
        message["dnsRecord"] = ldb.MessageElement([ndr_pack(one) for one in records], ldb.FLAG_MOD_REPLACE, "dnsRecord")
        db.modify(message)
db.transaction_commit()
