#!/usr/bin/env bash
# A Samba Active Directory domain controller in a network namespace of its own, reachable from this host alone.
#
#   lab.sh up DIRECTORY NAMESPACE NUMBER TEMPLATES   fills and starts the controller of clewlab.test at 10.77.NUMBER.10
#   lab.sh down DIRECTORY NAMESPACE NUMBER           ends what runs in the namespace, and removes it
#
# Filling a controller takes half a minute of CPU time: TEMPLATES keeps one, which each lab copies. Its passwords expire, so it is made
# again each week.
#
# Needs root, iproute2 and Debian's samba, samba-ad-dc, samba-ad-provision, samba-dsdb-modules, samba-vfs-modules, winbind, ldb-tools,
# python3-samba and python3-cryptography. Accounts: administrator / Pass-word-9-Admin, clew-reader / Read-only-9-Account (an ordinary
# user). BULK=20000 adds that many users, and a fortieth of groups of 60 members. TRUSTED=1 adds a second forest, other.test, at
# 10.77.NUMBER.11 in the same namespace, with a trust in both directions, a group and an account that refer to the other forest.
set -euo pipefail
command=$1 directory=$2 namespace=$3 number=$4 templates=${5:-}
net=10.77.$number address=10.77.$number.10 other=10.77.$number.11 here=$(dirname "$(readlink -f "$0")")
inside() { ip netns exec "$namespace" "$@"; }

down() {
  for signal in TERM KILL; do
    for pid in $(ip netns pids "$namespace" 2>/dev/null || true); do kill -s "$signal" "$pid" 2>/dev/null || true; done
    for _ in $(seq 20); do
      [ -z "$(ip netns pids "$namespace" 2>/dev/null || true)" ] && break
      sleep 0.1
    done
  done
  ip link del "lab$number-0" 2>/dev/null || true
  ip netns del "$namespace" 2>/dev/null || true
  rm -rf "/etc/netns/$namespace"
}

network() {
  ip netns add "$namespace"
  ip -n "$namespace" link set lo up
  ip -n "$namespace" addr add "$address/32" dev lo
  ip link add "lab$number-0" type veth peer name "lab$number-1"
  ip link set "lab$number-1" netns "$namespace"
  ip -n "$namespace" addr add "$net.2/24" dev "lab$number-1"
  ip -n "$namespace" link set "lab$number-1" up
  ip addr add "$net.1/24" dev "lab$number-0"
  ip link set "lab$number-0" up
  ip route add "$address/32" via "$net.2"
  mkdir -p "/etc/netns/$namespace" /run/samba/winbindd
  printf 'search clewlab.test\nnameserver %s\noptions timeout:1 attempts:1\n' "$address" > "/etc/netns/$namespace/resolv.conf"
}

# settings DIRECTORY SETTING: services without NetBIOS and DNS updates, and places below the directory.
settings() {
  sed -i "s#^\[global\]#[global]\n\tserver services = s3fs, rpc, ldap, cldap, kdc, drepl, kcc, dns, winbindd\n\tpid directory = $1\n\tncalrpc dir = $1/ncalrpc\n\t$2#; s#/var/log/samba/#$1/#; /dns forwarder/d" "$1/etc/smb.conf"
}

# provision DIRECTORY
provision() {
  inside samba-tool domain provision --realm=CLEWLAB.TEST --domain=CLEWLAB --host-name=dc1 --host-ip="$address" \
    --adminpass='Pass-word-9-Admin' --server-role=dc --dns-backend=SAMBA_INTERNAL --targetdir="$1" \
    --option="interfaces=$address" --option='bind interfaces only=yes' --quiet
  settings "$1" "dsdb:schema update allowed = yes"
  inside /usr/bin/python3 "$here/populate.py" "$1/private/sam.ldb" "$1/planted.json" \
    --conf "$1/etc/smb.conf" --sysvol "$1/state/sysvol" ${BULK:+--bulk $BULK}
  # A real controller registers these names itself (samba_spnupdate): without them there is no Kerberos ticket for LDAP.
  printf 'dn: CN=DC1,OU=Domain Controllers,DC=clewlab,DC=test\nchangetype: modify\nadd: servicePrincipalName\nservicePrincipalName: ldap/dc1.clewlab.test\nservicePrincipalName: ldap/DC1\n' |
    ldbmodify -H "$1/private/sam.ldb"
  chmod a+rx "$1" "$1/state"
  chmod -R a+rX "$1/state/sysvol"
  printf '%s %s\n' "$1" "$address" > "$1/made"
}

# Copies the template of these scripts, with its directory and address replaced by those of this lab. Of several labs that start together,
# the first one makes it.
fill() {
  local from was
  mkdir -p "$templates"
  (
    flock 9
    find "$templates" -mindepth 1 -maxdepth 1 -type d -mtime +6 -exec rm -rf {} +
    if [ -e "$template" ]; then
      cp -a "$template/." "$directory"
    else
      provision "$directory"
      rm -rf "$templates/draft"
      cp -a "$directory" "$templates/draft"
      mv -T "$templates/draft" "$template"
    fi
  ) 9> "$templates/lock"
  read -r from was < "$directory/made"
  [ "$from $was" = "$directory $address" ] && return
  grep -rlIZ --exclude-dir=sysvol "$from" "$directory" | xargs -0 sed -i "s#$from#$directory#g"
  sed -i "s#$was#$address#g" "$directory/etc/smb.conf"
  /usr/bin/python3 "$here/readdress.py" "$directory/private/sam.ldb" "$directory/etc/smb.conf" "$was" "$address"
}

# The controller made its key and certificate when it started, which took seconds.
keep_certificate() (
  flock 9
  # A lab that started later may have removed an old template.
  [ ! -d "$template/private/tls" ] || [ -e "$template/private/tls/key.pem" ] || cp -a "$directory/private/tls/." "$template/private/tls"
) 9> "$templates/lock"

# start DIRECTORY ADDRESS: starts a controller, and waits for its certificate.
start() {
  (
    cd "$1"
    # The place where libwbclient finds winbindd is fixed: each controller sees one of its own there.
    mkdir -p "$1/winbindd"
    inside setsid bash -c 'mount --bind "$1/winbindd" /run/samba/winbindd && exec samba -s "$1/etc/smb.conf" -F --no-process-group' \
      samba "$1" < /dev/null > "$1/console.log" 2>&1 &
  )
  for _ in $(seq 600); do
    inside bash -c "exec 3<>/dev/tcp/$2/636" 2>/dev/null && return
    sleep 0.1
  done
  echo "the controller does not answer: $1/log.*" >&2
  exit 1
}

# A second forest, which trusts the first one and is trusted by it.
trusted() {
  local second=$directory/other
  ip -n "$namespace" addr add "$other/32" dev lo
  ip route add "$other/32" via "$net.2"
  inside samba-tool domain provision --realm=OTHER.TEST --domain=OTHER --host-name=dc2 --host-ip="$other" \
    --adminpass='Pass-word-9-Admin' --server-role=dc --dns-backend=SAMBA_INTERNAL --targetdir="$second" \
    --option="interfaces=$other" --option='bind interfaces only=yes' --quiet
  settings "$second" "dns forwarder = $address"
  printf 'dn: CN=DC2,OU=Domain Controllers,DC=other,DC=test\nchangetype: modify\nadd: servicePrincipalName\nservicePrincipalName: ldap/dc2.other.test\nservicePrincipalName: ldap/DC2\n' |
    ldbmodify -H "$second/private/sam.ldb"
  start "$second" "$other"
  # Both controllers need a while until all their services answer.
  for _ in $(seq 30); do
    inside samba-tool domain trust create OTHER.TEST --type=forest --direction=both --create-location=both \
      -U 'Administrator@OTHER.TEST%Pass-word-9-Admin' -s "$directory/etc/smb.conf" > "$directory/trust.log" 2>&1 && break
    sleep 2
  done
  grep -q '^Success' "$directory/trust.log" || { cat "$directory/trust.log" >&2; exit 1; }
  refer "$directory" u02 "$second" Partners target CN=Users,DC=other,DC=test
  samba-tool user create visitor 'Pass-word-9-Visitor' -H "$second/private/sam.ldb" -s "$second/etc/smb.conf"
  refer "$second" visitor "$directory" Visitors visited CN=Users,DC=clewlab,DC=test
}

# refer FROM ACCOUNT TO GROUP NEW PLACE: the account of one forest becomes a member of a new group of the other, with full control of a new account there.
refer() {
  local sid options=(-H "$3/private/sam.ldb" -s "$3/etc/smb.conf")
  sid=$(ldbsearch -H "$1/private/sam.ldb" "(sAMAccountName=$2)" objectSid | sed -n 's/^objectSid: //p')
  samba-tool group add "$4" --group-scope=Domain "${options[@]}"
  samba-tool group addmembers "$4" "$sid" "${options[@]}"
  samba-tool user create "$5" 'Pass-word-9-Target' "${options[@]}"
  samba-tool dsacl set --objectdn="CN=$5,$6" --sddl="(A;;GA;;;$sid)" "${options[@]}" > /dev/null
}

up() {
  template=$templates/$({ cat "$here"/{lab.sh,populate.py}; samba --version; echo "${BULK:-}"; } | sha256sum | cut -c1-16)
  network
  if [ -e "$directory/private/sam.ldb" ]; then :; elif [ -n "$templates" ]; then fill; else provision "$directory"; fi
  if [ -n "${TRUSTED:-}" ]; then sed -i "s#^\[global\]#[global]\n\tdns forwarder = $other#" "$directory/etc/smb.conf"; fi
  start "$directory" "$address"
  if [ -n "$templates" ]; then keep_certificate; fi
  if [ -n "${TRUSTED:-}" ]; then trusted; fi
}

"$command"
