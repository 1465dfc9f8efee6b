#!/usr/bin/env python3
"""Writes declared changes of a kit as LDIF for ldbmodify, as the engines of the kit describe them; a second implementation.

usage: changes.py SAM_LDB SMB_CONF < JSON
Input: {"mode": "apply" | "undo", "changes": [{"id", "engine", "settings", "target"?, "saved"?}]}.
Output: {"parts": [{"controls": [...], "ldif": "..."}], "saved": {id: facts to restore}}.
The changes of one call must concern different objects: each is written over the present state.
"""

import base64, json, re, sys
from samba import param
from samba.auth import system_session
from samba.dcerpc import misc, security
from samba.ndr import ndr_pack, ndr_unpack
from samba.samdb import SamDB
import ldb

sam, conf = sys.argv[1:]
asked = json.load(sys.stdin)
lp = param.LoadParm()
lp.load(conf)
db = SamDB(url=sam, session_info=system_session(lp), lp=lp)
DOMAIN = str(db.domain_dn())
CONFIGURATION = str(db.get_config_basedn())
INHERITED, INHERIT_ONLY, CONTAINER = 16, 8, 2
ALLOWED, ALLOWED_OBJECT = 0, 5
READ_CONTROL = 0x20000
DENIED = (1, 6)
parts = {}


def write(controls, text):
    parts.setdefault(tuple(controls), []).append(text)


def read(base, attributes):
    return db.search(base, ldb.SCOPE_BASE, attrs=attributes)[0]


def dn(base):
    return str(db.search(base, ldb.SCOPE_BASE, attrs=["dn"])[0].dn)


def texts(base, attribute):
    return [str(value) for value in read(base, [attribute]).get(attribute, [])]


def guid_base(base):
    return "<GUID=" + str(ndr_unpack(misc.GUID, read(base, ["objectGUID"])["objectGUID"][0])) + ">"


def named(base):
    return "dn:: " + base64.b64encode(dn(base).encode()).decode() + "\n"


def value(attribute, raw):
    raw = raw if isinstance(raw, bytes) else raw.encode()
    return f"{attribute}:: {base64.b64encode(raw).decode()}\n"


def modify(base, controls, *steps):
    """@param steps (operation, attribute, values)"""
    lines = "".join(
        f"{operation}: {attribute}\n" + "".join(value(attribute, one) for one in values) + "-\n"
        for operation, attribute, values in steps
    )
    write(controls, f"{named(base)}changetype: modify\n{lines}\n")


def check(change):
    """The object is the collected one: domain and class."""
    settings = change["settings"]
    if settings["Domain"]["Sid"] != str(db.get_domain_sid()):
        raise SystemExit(f"{change['id']}: another domain")
    kind = settings.get("Class", "group" if change["engine"] == "Member" else "")
    if kind and kind not in texts(settings.get("Object") or settings["Group"], "objectClass"):
        raise SystemExit(f"{change['id']}: another class")


# ---- access lists ----------------------------------------------------------------------------------------------------
def schema_ids(name):
    found = db.search(str(db.get_schema_basedn()), ldb.SCOPE_ONELEVEL, f"(lDAPDisplayName={name})", ["schemaIDGUID"])
    return [str(ndr_unpack(misc.GUID, one["schemaIDGUID"][0])) for one in found]


def descriptor(base, attribute, sections):
    found = db.search(base, ldb.SCOPE_BASE, attrs=[attribute], controls=[f"sd_flags:1:{sections}"])[0]
    return ndr_unpack(security.descriptor, found[attribute][0]) if attribute in found else None


def marks_of(settings):
    marks = []
    for mark in settings["Marks"]:
        types = list(mark["Types"]) + [one for name in mark["Attributes"] for one in schema_ids(name)]
        if not mark["Attributes"] or types:
            marks.append((mark["Mask"], types))
    return marks


def fits(ace, settings, marks, passed_on, below):
    """@return the rights that stay in an entry that gives the right; false for other entries"""
    if ace.type not in (ALLOWED, ALLOWED_OBJECT) or ace.flags & INHERITED or str(ace.trustee) != settings["Principal"]:
        return False
    if not ace.flags & CONTAINER if passed_on else ace.flags & INHERIT_ONLY:
        return False
    kind = heir = ""
    if ace.type == ALLOWED_OBJECT:
        kind = str(ace.object.type) if ace.object.flags & 1 else ""
        heir = str(ace.object.inherited_type) if ace.object.flags & 2 else ""
    if passed_on and heir and heir not in below:
        return False
    mask = ace.access_mask & 0xFFFFFFFF
    is_full = not kind and (mask & 0xF01FF == 0xF01FF or bool(mask & 0x10000000))
    if is_full and not settings["TakesFullControl"]:
        return False
    if is_full or not settings["Marks"]:
        return {"left": 0}
    meant = [bits for bits, types in marks if mask & bits == bits and (kind in types if types else not kind)]
    gone = 0
    for bits in meant:
        gone |= bits
    # The right to read the list stays with what is left of the entry.
    return bool(meant) and {"left": mask & ~(gone & ~READ_CONTROL) if mask & ~gone else 0}


def places_of(settings, marks):
    """Bases of the lists, and whether their entries are passed on."""
    below = schema_ids(texts(settings["Object"], "objectClass")[-1])
    for place in settings["Places"]:
        if place["Kind"] == "AdminSDHolder":
            yield f"CN=AdminSDHolder,CN=System,{DOMAIN}", False, below
        elif place["Kind"] != "Above":
            yield place["Base"], place["Kind"] == "Container", below
        else:
            name = dn(place["Base"])
            while name not in (DOMAIN, CONFIGURATION) and not descriptor(name, "nTSecurityDescriptor", 4).type & 0x1000:
                name = str(ldb.Dn(db, name).parent())
                if any(fits(ace, settings, marks, True, below) for ace in descriptor(name, "nTSecurityDescriptor", 4).dacl.aces):
                    yield guid_base(name), True, below
                    break


def put(base, attribute, whole, sections):
    modify(base, [f"sd_flags:1:{sections}"], ("replace", attribute, [ndr_pack(whole)]))


def packed(ace):
    return base64.b64encode(ndr_pack(ace)).decode()


def apply_list(settings, _target):
    attribute = settings["Attribute"]
    if settings["Operation"] == "SetOwner":
        whole = descriptor(settings["Object"], attribute, 1)
        if str(whole.owner_sid) != settings["Principal"]:
            raise SystemExit("not the collected owner")
        saved = {"Owner": str(whole.owner_sid)}
        whole.owner_sid = security.dom_sid(settings["NewOwner"])
        put(settings["Object"], attribute, whole, 1)
        return saved
    marks, entries = marks_of(settings), []
    for base, passed_on, below in places_of(settings, marks):
        whole = descriptor(base, attribute, 4)
        gone = [
            (at, ace, found["left"])
            for at, ace in enumerate(whole.dacl.aces)
            if (found := fits(ace, settings, marks, passed_on, below))
        ]
        entries += [{"Base": base, "At": at, "Ace": packed(ace), "Left": left} for at, ace, left in gone]
        acl = security.acl()
        acl.revision = whole.dacl.revision
        for _, ace, left in gone:
            ace.access_mask = left
        places = [at for at, _, left in gone if not left]
        keep = [ace for at, ace in enumerate(whole.dacl.aces) if at not in places]
        acl.aces, acl.num_aces = keep, len(keep)
        whole.dacl = acl
        put(base, attribute, whole, 4)
    if not entries:
        raise SystemExit(f"no entry fits: {json.dumps(settings)}")
    return {"Entries": entries}


def undo_list(settings, saved):
    attribute = settings["Attribute"]
    if settings["Operation"] == "SetOwner":
        whole = descriptor(settings["Object"], attribute, 1)
        whole.owner_sid = security.dom_sid(saved["Owner"])
        return put(settings["Object"], attribute, whole, 1)
    for base in dict.fromkeys(one["Base"] for one in saved["Entries"]):
        whole = descriptor(base, attribute, 4)
        aces = list(whole.dacl.aces)
        for one in saved["Entries"]:
            if one["Base"] != base:
                continue
            old = ndr_unpack(security.ace, base64.b64decode(one["Ace"]))
            left = ndr_unpack(security.ace, base64.b64decode(one["Ace"]))
            left.access_mask = one["Left"]
            reduced = [at for at, ace in enumerate(aces) if packed(ace) == packed(left)]
            if one["Left"] and reduced:
                aces[reduced[0]] = old
                continue
            place = min(one["At"], len(aces))
            for at, ace in enumerate(aces):
                if ace.flags & INHERITED and at < place:
                    place = at
                if not ace.flags & INHERITED and ace.type in DENIED and at >= place:
                    place = at + 1
            aces.insert(place, old)
        acl = security.acl()
        acl.revision = whole.dacl.revision
        acl.aces, acl.num_aces = aces, len(aces)
        whole.dacl = acl
        put(base, attribute, whole, 4)


# ---- attributes ------------------------------------------------------------------------------------------------------
LINK = re.compile(r"\[[^\]]*\]")


def apply_attribute(settings, _target):
    base, name, operation = settings["Object"], settings["Attribute"], settings["Operation"]
    if operation == "RemoveSid":
        found = [str(ndr_unpack(security.dom_sid, one)) for one in read(base, [name]).get(name, [])]
        gone = [sid for sid in found if sid == settings["Values"][0]]
        # Only a domain controller accepts this change; the database does so with these controls.
        modify(base, ["relax:0", "local_oid:1.3.6.1.4.1.7165.4.3.12:0"], ("delete", name, gone))
        return {"Gone": len(gone)}
    wanted = list(settings["Values"]) + [one for each in settings["ValuesOf"] for one in texts(each["Base"], each["Attribute"])]
    now = texts(base, name)
    if operation == "BuildSubject":
        number = int(now[0]) if now else 0
        machine = int((texts(base, "flags") or ["0"])[0]) & 0x40
        added = 0 if number & settings["Names"] else settings["NameOfMachine" if machine else "NameOfUser"]
        modify(base, [], ("delete", name, [str(number)]), ("add", name, [str((number & ~settings["Number"]) | added)]))
        return {"Number": number, "WasSet": bool(now), "Added": added}
    if operation in ("ClearBits", "SetBits", "SetNumber"):
        number = int(now[0]) if now else 0
        bits = settings["Number"]
        wanted = {"ClearBits": number & ~bits, "SetBits": number | bits, "SetNumber": bits}[operation]
        old = [("delete", name, [str(number)])] if now else []
        modify(base, [], *old, ("add", name, [str(wanted)]))
        return {"Number": number, "WasSet": bool(now)}
    if operation == "RemoveLink":
        links = LINK.findall("".join(now))
        named = [re.sub(r"\s*,\s*", ",", link.lower()) for link in links]
        gone = [(at, link) for at, link in enumerate(links) if f"/{wanted[0]};" in named[at]]
        rest = "".join(link for at, link in enumerate(links) if at not in [place for place, _ in gone])
        modify(base, [], ("replace", name, [rest or " "]))
        return {"Links": [{"At": at, "Link": link} for at, link in gone]}
    def goes(text):
        if operation == "RemoveServices":
            pieces = text.split("/")
            return len(pieces) > 1 and pieces[1].split(":")[0].lower() in wanted
        return text.lower() in [one.lower() for one in wanted]

    gone = [text for text in now if goes(text)]
    modify(base, [], ("delete", name, gone))
    return {"Values": gone}


def undo_attribute(settings, saved):
    base, name = settings["Object"], settings["Attribute"]
    if "Gone" in saved:
        raise SystemExit("a SID history cannot be restored")
    now = texts(base, name)
    if "Number" in saved:
        number, bits = int(now[0]), settings["Number"] | saved.get("Added", 0)
        if settings["Operation"] != "SetNumber":
            wanted = (number & ~bits) | (saved["Number"] & bits)
            return modify(base, [], ("delete", name, [now[0]]), ("add", name, [str(wanted)]))
        steps = [("add", name, [str(saved["Number"])])] if saved["WasSet"] else []
        return modify(base, [], ("delete", name, [now[0]]), *steps)
    if "Links" in saved:
        links = LINK.findall("".join(now))
        for one in saved["Links"]:
            links.insert(min(one["At"], len(links)), one["Link"])
        return modify(base, [], ("replace", name, ["".join(links)]))
    modify(base, [], ("add", name, saved["Values"]))


# ---- members and places ----------------------------------------------------------------------------------------------
def apply_member(settings, _target):
    member = dn(settings["Member"])
    modify(settings["Group"], [], ("delete", "member", [member]))
    return {"Member": member}


def undo_member(settings, saved):
    modify(settings["Group"], [], ("add", "member", [saved["Member"]]))


def move(base, parent):
    name = ldb.Dn(db, dn(base))
    first = f"{name.get_rdn_name()}={ldb.Dn.__str__(name).split('=', 1)[1][: -len(str(name.parent())) - 1]}"
    above = base64.b64encode(dn(parent).encode()).decode()
    write([], f"{named(base)}changetype: modrdn\nnewrdn:: {base64.b64encode(first.encode()).decode()}\ndeleteoldrdn: 1\nnewsuperior:: {above}\n\n")


def apply_move(settings, target):
    if dn(settings["OldParent"]) != str(ldb.Dn(db, dn(settings["Object"])).parent()):
        raise SystemExit("the object is in another container")
    if dn(f"<GUID={target}>").lower().endswith(dn(settings["OldParent"]).lower()):
        raise SystemExit("the new container is inside the collected one")
    move(settings["Object"], f"<GUID={target}>")
    return {"OldParent": settings["OldParent"]}


def undo_move(settings, saved):
    move(settings["Object"], saved["OldParent"])


ENGINES = {
    "AccessList": (apply_list, undo_list),
    "Attribute": (apply_attribute, undo_attribute),
    "Member": (apply_member, undo_member),
    "Move": (apply_move, undo_move),
}
saved = {}
for change in asked["changes"]:
    check(change)
    forth, back = ENGINES[change["engine"]]
    if asked["mode"] == "apply":
        saved[change["id"]] = forth(change["settings"], change.get("target"))
    else:
        back(change["settings"], change["saved"])
json.dump({"parts": [{"controls": list(controls), "ldif": "".join(texts)} for controls, texts in parts.items()], "saved": saved}, sys.stdout)
