#!/usr/bin/env bash
# A Samba Active Directory domain controller in a network namespace of its own, reachable from this host alone.
#
#   lab.sh up DIRECTORY NAMESPACE NUMBER      provisions, fills and starts the controller of clewlab.test at 10.77.NUMBER.10
#   lab.sh down DIRECTORY NAMESPACE NUMBER    ends what runs in the namespace, and removes it
#
# Needs root, iproute2 and Debian's samba, samba-ad-dc, samba-ad-provision, samba-dsdb-modules, samba-vfs-modules, winbind, ldb-tools,
# python3-samba and python3-cryptography. Accounts: administrator / Pass-word-9-Admin, clew-reader / Read-only-9-Account (an ordinary
# user). BULK=20000 adds that many users, and a fortieth of groups of 60 members.
set -euo pipefail
command=$1 directory=$2 namespace=$3 number=$4
net=10.77.$number address=10.77.$number.10 here=$(dirname "$(readlink -f "$0")")
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

provision() {
  inside samba-tool domain provision --realm=CLEWLAB.TEST --domain=CLEWLAB --host-name=dc1 --host-ip="$address" \
    --adminpass='Pass-word-9-Admin' --server-role=dc --dns-backend=SAMBA_INTERNAL --targetdir="$directory" \
    --option="interfaces=$address" --option='bind interfaces only=yes' --quiet
  # NetBIOS and DNS updates are left out.
  sed -i "s#^\[global\]#[global]\n\tserver services = s3fs, rpc, ldap, cldap, kdc, drepl, kcc, dns, winbindd\n\tpid directory = $directory\n\tncalrpc dir = $directory/ncalrpc\n\tdsdb:schema update allowed = yes#; s#/var/log/samba/#$directory/#; /dns forwarder/d" "$directory/etc/smb.conf"
  inside /usr/bin/python3 "$here/populate.py" "$directory/private/sam.ldb" "$directory/planted.json" \
    --conf "$directory/etc/smb.conf" --sysvol "$directory/state/sysvol" ${BULK:+--bulk $BULK}
  # A real controller registers these names itself (samba_spnupdate): without them there is no Kerberos ticket for LDAP.
  printf 'dn: CN=DC1,OU=Domain Controllers,DC=clewlab,DC=test\nchangetype: modify\nadd: servicePrincipalName\nservicePrincipalName: ldap/dc1.clewlab.test\nservicePrincipalName: ldap/DC1\n' |
    ldbmodify -H "$directory/private/sam.ldb"
  chmod a+rx "$directory" "$directory/state"
  chmod -R a+rX "$directory/state/sysvol"
}

up() {
  network
  [ -e "$directory/private/sam.ldb" ] || provision
  (
    cd "$directory"
    # The place where libwbclient finds winbindd is fixed: each controller sees one of its own there.
    mkdir -p "$directory/winbindd"
    inside setsid bash -c 'mount --bind "$1/winbindd" /run/samba/winbindd && exec samba -s "$1/etc/smb.conf" -F --no-process-group' \
      samba "$directory" < /dev/null > "$directory/console.log" 2>&1 &
  )
  for _ in $(seq 600); do
    inside bash -c "exec 3<>/dev/tcp/$address/636" 2>/dev/null && exit 0
    sleep 0.1
  done
  echo "the controller does not answer: $directory/log.*" >&2
  exit 1
}

"$command"
