# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# What the tests over ./lab share. A test sets `room` and `LAB` and sources this from the top of the
# checkout. Every case prints one line: 'ok ROOM/NAME' or 'not ok ROOM/NAME: what was seen'.
bad=0
work=$(mktemp -d)
# What is brought into guests fits their kernel. Where a time is the verdict, a kernel that checks itself has `slow` times as much: a card is up
# after 56 s on it, and after 9 on the stock one.
case " $* " in *' --kernel debug '*) variant=-debug slow=6 ;; *) variant='' slow=1 ;; esac
tools=build/tb-lab$variant
# The pair of guests that a session of tests shares (guests_up) stays for the next one, unless the session is interrupted.
trap 'closest; [ -n "${SHARED:-}" ] || ./lab down > /dev/null 2>&1; rm -rf "$work"' EXIT
trap 'SHARED=; exit 130' INT TERM

ok() { echo "ok $room/$1"; }
not_ok() { echo "not ok $room/$1: $2"; bad=1; }
# same NAME WANTED SEEN
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "wanted '$2', got '$3'"; fi; }
# The exit status of a command; its output is kept in $work/out, out of the way.
status_of() { "$@" > "$work/out" 2>&1; echo $?; }
# on HOST SECONDS COMMAND...: under a limit in the guest, and one for a guest that does not answer. SECONDS is what a command takes at most on two
# cores that have other work; it is ended after PATIENCE (5) times that: a limit is there for what hangs, never for what is slow.
patience=${PATIENCE:-5}
# comes SECONDS COMMAND...: waits until the command succeeds, as long
comes() { local end=$((SECONDS + $1 * patience)); shift; until "$@"; do [ $SECONDS -lt $end ] || return 1; sleep 0.2; done; }
on() {
  local t0=${EPOCHREALTIME/./} s what
  timeout -k 5 $(($2 * patience + 30)) ./lab exec "$1" -- timeout -k $((2 * patience)) $(($2 * patience)) "${@:3}" < /dev/null
  s=$?
  what=${*:3}
  echo "$(((${EPOCHREALTIME/./} - t0) / 1000)) $2 ${what//$'\n'/ }" | cut -c 1-200 >> "$work/limits"
  return $s
}
# What came closest to its limit; LIMITS=FILE: all of them, as 'MS SECONDS COMMAND'.
closest() {
  [ -e "$work/limits" ] || return 0
  [ -z "${LIMITS:-}" ] || cat "$work/limits" >> "$LIMITS"
  awk -v p="$patience" '$1 / $2 > most { most = $1 / $2; line = $0 } END { $0 = line; ms = $1; limit = $2 * p; $1 = $2 = ""
    printf "# closest to its limit: %.1f of %d s:%.100s\n", ms / 1000, limit, $0 }' "$work/limits"
}
# passes NAME HOST SECONDS COMMAND...
passes() {
  on "$2" "$3" "${@:4}" > "$work/out" 2>&1
  local s=$?
  if [ $s -eq 0 ]; then ok "$1"; else not_ok "$1" "exit status $s: $(tail -n 2 "$work/out" | tr '\n' ' ')"; fi
}
# shows NAME HOST PATTERN COMMAND...: its output holds the (extended) pattern
shows() {
  on "$2" 20 "${@:4}" > "$work/out" 2>&1
  if grep -qE -- "$3" "$work/out"; then ok "$1"; else not_ok "$1" "no '$3' in: $(head -c 300 "$work/out" | tr '\n' ' ')"; fi
}
# becomes NAME HOST PATTERN COMMAND...: as shows, of what takes a while
becomes() { comes 20 showing "${@:2}"; shows "$@"; }
showing() { on "$1" 20 "${@:3}" 2>&1 | grep -qE -- "$2"; }
# serve HOST COMMAND...: in the background; returns when it listens, or has ended
serve() {
  local h=$1 comm; shift
  server_host=$h
  # behind 'env NAME=VALUE', or a script of ours that enters a namespace, stands who listens
  case $1 in env) comm=$3 ;; /run/*) comm=$2 ;; *) comm=$1 ;; esac
  server=$(./lab exec -d "$h" -- sh -c "exec timeout $((200 * patience)) \"\$@\" > /run/weft/server.log 2>&1" sh "$@") || return 1
  comes 30 on "$h" 10 sh -c "kill -0 $server 2> /dev/null || exit 0; rdma res show cm_id 2> /dev/null | grep 'state LISTEN' | grep -q 'comm ${comm:0:15} ' || ss -Htlnp | grep -q '\"$comm\"'"
}
# The server has a moment to end by itself; then it is ended.
served() {
  ./lab exec "$server_host" -- sh -c "for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 $server 2> /dev/null || exit 0; sleep 0.2; done; kill $server; for i in \$(seq $((50 * patience))); do kill -0 $server 2> /dev/null || exit 0; sleep 0.2; done" < /dev/null > /dev/null 2>&1
}
# between NAME SECONDS SERVER-HOST SERVER-COMMAND -- CLIENT-HOST CLIENT-COMMAND...
between() {
  local name=$1 limit=$2 sh=$3 s=(); shift 3
  while [ "$1" != -- ]; do s+=("$1"); shift; done; shift
  serve "$sh" "${s[@]}"
  passes "$name" "$1" "$limit" "${@:2}"
  served
}
# rpings NAME SECONDS SERVER-HOST CLIENT-HOST COUNT SIZE: rping ends with exit status 0 when its
# connection is lost as well; with -v it prints a line for each round trip that it has compared. The
# server is told one round trip more, so that the client ends first: in rping the thread that hears of the
# end of a connection writes the state that the last message has just set, and the last line is lost. What it says
# of events comes behind its lines, as a line of them in the midst of a full buffer would break one.
rping_alone="rping \"\$@\" 2> /run/rping.err; s=\$?; cat /run/rping.err; exit \$s"
rpings() {
  local n=0 lines
  serve "$3" rping -s -C "$(($5 + 1))" -S "$6" -V
  on "$4" "$2" sh -c "$rping_alone" rping -c -v -a "$(address "$3")" -C "$5" -S "$6" -V > "$work/out" 2>&1
  n=$?
  lines=$(grep -ac '^ping data' "$work/out")
  if [ $n -eq 0 ] && [ "$lines" -eq "$5" ]; then ok "$1"; else
    not_ok "$1" "exit status $n after $lines of $5: $(grep -av '^ping data' "$work/out" | tail -n 2 | tr '\n' ' ')"
  fi
  served
}
address() { if [ "$1" = siw ]; then echo 10.0.0.9; else echo "10.0.0.$(($(printf '%d' "'$1") - 96))"; fi; }

# moves NAME HOST BYTES COMMAND...: what the card of HOST has to place meanwhile, and no network device takes
# A card that is busy may not answer in time: it is asked again, as nothing is no number.
card_stat() {
  local n
  for _ in 1 2 3 4 5; do
    n=$(./lab stats "$1" | sed -n "s/^$2 //p")
    if [[ $n =~ ^[0-9]+$ ]]; then break; fi
  done
  [[ $n =~ ^[0-9]+$ ]] || not_ok "the card of $1 says $2" "it gives no answer" >&2
  echo "${n:-0}"
}
moves() {
  local name=$1 h=$2 beats=$(($3 / 64)) placed frames; shift 3
  placed=$(card_stat "$h" rx_placed_beats) frames=$(card_stat "$h" l2_rx_frames)
  "$@"
  placed=$(($(card_stat "$h" rx_placed_beats) - placed)) frames=$(($(card_stat "$h" l2_rx_frames) - frames))
  if [ "$placed" -ge "$beats" ]; then ok "$name went through the card"; else not_ok "$name went through the card" "$placed beats, at least $beats"; fi
  # what the network device gets meanwhile are its neighbours' questions
  if [ "$frames" -lt 100 ]; then ok "$name did not go beside it"; else not_ok "$name did not go beside it" "$frames frames"; fi
}

# The process that is the wire: stopped, it takes no frame, as a link partner that sends PAUSE for ever.
wire_process() {
  local top
  top=$(./lab status | sed -n 's/.*supervisor \([0-9]*\).*/\1/p')
  pgrep -f "weft-wire .*$(tr '\0' '\n' < "/proc/$top/cmdline" | grep -m 1 '^/tmp/weft-')/wire.control"
}

# --- a pair of guests for several tests, one behind the other
# What a test must leave as it found it, in a host: its devices and addresses, that its card has not died, objects, and what tests bring or set.
# Addresses of a link are not in it (they come when they are found to be nobody's), nor neighbours that were asked for.
guest_state='
  for i in /sys/class/net/*; do echo "${i##*/} mtu $(cat $i/mtu) carrier $(cat $i/carrier 2> /dev/null) flags $(cat $i/flags) $(cat $i/address)"; done
  ip -br -4 addr show; ip -br -6 addr show scope global; ip -4 route; ip neigh show nud permanent
  rdma link; rdma res show | sed "s/^[0-9]*: //"
  devlink health show | sed -E "s/(recover [0-9]+).*/\1/"
  cat /proc/sys/kernel/tainted /proc/sys/vm/nr_hugepages
  grep -oE "^(weft_lab|weft_rdma|weft|kmem|kverbs|nvmet_rdma|nvme_rdma) " /proc/modules | sort
  cat /sys/kernel/tracing/kprobe_events 2> /dev/null
  awk "\$2 == \"/mnt\"" /proc/mounts
  ps -eo comm= | grep -E "^(rping|ucmatose|iperf3|weft-|ib_|qperf|fio|fi_|rstream|python3|rdma_)" | sort'
state_of() { on "$1" 20 sh -c "$guest_state" 2>&1; }
wire_state() { ./lab status | sed -n 's/^wire: //p'; }
# as_it_was HOST FILE: waits for what takes a while to go; the difference is in $work/differs
as_it_was() { comes 10 looks_as "$@"; }
looks_as() { state_of "$1" > "$work/state.now"; diff "$2" "$work/state.now" > "$work/differs"; }
# guests_up [OPTION...]: hosts a and b ($hosts: others), with cards that work. With SHARED=1 and no option it is the pair of guests that the test
# before has left, when that is as it was at its start; a pair that is damaged ends here, with what is wrong, and harms no test but the one that did it.
# The state at the start of a pair is kept beside its logs. What a kernel has said so far is not this test's (kernel_log).
guests_up() {
  local h kept=build/labs/$LAB why='' fresh=1
  if [ -n "${SHARED:-}" ] && ./lab status > /dev/null 2>&1; then
    fresh=''
    [ $# -eq 0 ] || why="it has options of its own"
    [ "$(wire_state)" = up ] || why="the wire is '$(wire_state)'"
    for h in a b; do
      [ -n "$why" ] || as_it_was $h "$kept/state.$h" || why="$h is not as it was: $(grep '^[<>]' "$work/differs" | head -n 4 | tr '\n' ' ')"
    done
    [ -n "$why" ] || on a 30 sh -c 'for i in 1 2 3 4 5 6 7 8; do ping -q -c 1 -W 2 10.0.0.2 && exit 0; done; exit 1' > /dev/null 2>&1 || why="a cannot reach b"
    if [ -n "$why" ]; then
      echo "# the guests of the test before are not used: $why"
      ./lab down > /dev/null 2>&1
      fresh=1
    fi
  fi
  if [ -n "$fresh" ] && ! ./lab up --hosts "${hosts:=a,b}" "$@" > "$work/up" 2>&1; then
    not_ok "up" "$(grep -v supervisor "$work/up" | tail -n 3 | tr '\n' ' ')"
    ./lab down > /dev/null 2>&1
    exit 1
  fi
  for h in ${hosts//,/ }; do
    if [ -n "$fresh" ]; then state_of "$h" > "$kept/state.$h"; fi
    # what is slow is not hung
    on "$h" 10 sh -c "echo 'tb/lab: $room begins' > /dev/kmsg; echo $((48 * patience)) > /proc/sys/kernel/hung_task_timeout_secs"
  done
  ok "up"
}
hosts=${hosts:-a,b}
# kernel_log HOST: what its kernel has said since this test began
kernel_log() { on "$1" 20 dmesg | awk '/tb\/lab: .* begins/ { n = 0 } { line[n++] = $0 } END { for (i = 0; i < n; i++) print line[i] }'; }
# left_as_found: a test that shares its guests ends with it
left_as_found() {
  local h
  for h in ${hosts//,/ }; do
    if as_it_was "$h" "build/labs/$LAB/state.$h"; then ok "$h is left as it was found"; else
      not_ok "$h is left as it was found" "$(grep '^[<>]' "$work/differs" | head -n 4 | tr '\n' ' ')"; fi
  done
}

# --- processes that are killed while their queues are full (tb/lab/hostile.c), from a to a sink on b
sink() {
  ./lab exec -d b -- sh -c 'exec /run/hostile sink 7400 > /run/sink.log 2>&1' > /dev/null
  comes 30 on b 5 grep -q ready /run/sink.log
}
# fill N QPS: how many of N processes came to have the queues of QPS connections full
fill() {
  local i
  for i in $(seq "$1"); do ./lab exec -d a -- sh -c "exec /run/hostile fill 10.0.0.2 7400 $2 > /run/fill.$i 2>&1" > /dev/null; done
  on a 90 sh -c "for t in \$(seq 600); do n=\$(cat /run/fill.* | grep -c full); [ \$n -ge $1 ] && break; sleep 0.5; done; echo \$n; rm -f /run/fill.*"
}
# unfilled SECONDS: kills them; how long the last of them took to end, in ms
unfilled() { on a "$1" sh -c 'pkill -9 -x hostile; t=$(date +%s%3N); while pgrep -x hostile > /dev/null; do sleep 0.05; done; echo $(($(date +%s%3N) - t))'; }
no_objects() { shows "$1" "$2" 'pd 0 cq 0 qp 0 cm_id 0 mr 0 ctx 0' sh -c 'for i in $(seq 40); do rdma res show | grep -q "qp 0 cm_id 0 mr 0 ctx 0" && break; sleep 1; done; rdma res show'; }

# --- NVMe over Fabrics: a RAM disk of b, as /dev/nvme0n1 of a
nvme_target='set -e
  mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
  modprobe nvmet-rdma; modprobe brd rd_nr=1 rd_size=98304
  cd /sys/kernel/config/nvmet
  mkdir subsystems/weft; echo 1 > subsystems/weft/attr_allow_any_host
  mkdir subsystems/weft/namespaces/1; echo /dev/ram0 > subsystems/weft/namespaces/1/device_path; echo 1 > subsystems/weft/namespaces/1/enable
  mkdir ports/1; cd ports/1
  echo 10.0.0.2 > addr_traddr; echo rdma > addr_trtype; echo 4420 > addr_trsvcid; echo ipv4 > addr_adrfam
  ln -s /sys/kernel/config/nvmet/subsystems/weft subsystems/weft'
nvme_no_target='set -e; cd /sys/kernel/config/nvmet; rm ports/1/subsystems/weft; rmdir ports/1; echo 0 > subsystems/weft/namespaces/1/enable
  rmdir subsystems/weft/namespaces/1 subsystems/weft; modprobe -r nvmet-rdma'
nvme_connect='modprobe nvme-rdma && echo $((30 * '$patience')) > /sys/module/nvme_core/parameters/io_timeout && echo transport=rdma,traddr=10.0.0.2,trsvcid=4420,nqn=weft,nr_io_queues=1,queue_size=32,keep_alive_tmo=600 > /dev/nvme-fabrics
  for i in $(seq 1000); do [ -b /dev/nvme0n1 ] && exit 0; sleep 0.2; done; exit 1'
nvme_disconnect='echo 1 > /sys/class/nvme/nvme0/delete_controller; for i in $(seq 1000); do [ -e /sys/class/nvme/nvme0 ] || exit 0; sleep 0.2; done; exit 1'

# --- NFS over RDMA: a server on b
# What a server writes lies in memory. Nobody reclaims, so there is no grace period to wait for. Each connection has three regions for
# each request that it may have under way, which the server asks the card for one by one.
nfs_server='set -e
  mount -t tmpfs -o size=256m tmpfs /srv; modprobe rpcrdma; echo 16 > /proc/sys/sunrpc/svc_rdma/max_requests; modprobe nfsd
  mountpoint -q /proc/fs/nfsd || mount -t nfsd nfsd /proc/fs/nfsd
  mkdir -p /run/rpcbind /var/lib/nfs/v4recovery; pgrep rpcbind > /dev/null || rpcbind -w
  echo "/srv 10.0.0.0/24(rw,no_root_squash,insecure,async,no_subtree_check,fsid=0)" > /etc/exports
  exportfs -a; rpc.nfsd --rdma=20049 --grace-time 10 --lease-time 10 4; rpc.mountd; echo Y > /proc/fs/nfsd/v4_end_grace
  cat /proc/fs/nfsd/portlist; grep -q "rdma 20049" /proc/fs/nfsd/portlist'
nfs_no_server='umount /srv 2> /dev/null; rpc.nfsd 0; exportfs -ua; pkill rpc.mountd; umount /srv; modprobe -r rpcrdma; ! mountpoint -q /srv'

# --- iSER: a RAM disk of b, as /dev/sda of a
iser_iqn=iqn.2026-01.org.weft:ram
# LIO opens a TCP portal at the address and port, then isert its own there: a card has a TCP of its own, but not the same ports as
# the host, so both need the port mapper, which is a daemon of rdma-core, and a driver that asks it (devlink's parameter port_map). targetcli would want a system bus: this is what it writes.
iser_mapper='d=$(devlink dev | head -n 1); devlink dev param set $d name port_map value true cmode driverinit && devlink dev reload $d || exit; modprobe iw_cm; pgrep -x iwpmd > /dev/null || iwpmd; for i in $(seq 50); do ss -Hulnp | grep -q iwpmd && exit 0; sleep 0.2; done; exit 1'
iser_tpg=/sys/kernel/config/target/iscsi/$iser_iqn/tpgt_1
iser_target="set -e
  mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
  modprobe brd rd_nr=1 rd_size=98304; modprobe iscsi_target_mod; modprobe target_core_iblock; modprobe ib_isert
  cd /sys/kernel/config/target; mkdir -p core/iblock_0/ram iscsi; cd core/iblock_0/ram; echo udev_path=/dev/ram0 > control; echo 1 > enable
  mkdir -p $iser_tpg; cd $iser_tpg; mkdir lun/lun_0; ln -s /sys/kernel/config/target/core/iblock_0/ram lun/lun_0/ram
  echo 0 > attrib/authentication; echo 1 > attrib/generate_node_acls; echo 1 > attrib/cache_dynamic_acls; echo 0 > attrib/demo_mode_write_protect
  mkdir np/10.0.0.2:3260"
iser_portal="cd $iser_tpg && echo 1 > np/10.0.0.2:3260/iser && grep -q 1 np/10.0.0.2:3260/iser && echo 1 > enable"
# A connection that is gone has its regions to give back one by one. LIO of 6.12 ends the session behind that, and touches the portal group
# then, even if that was removed meanwhile (list_del corruption in transport_deregister_session_configfs): its threads go first.
iser_no_target="set -e
  for i in \$(seq 200); do pgrep -x 'iscsi_t[tr]x' > /dev/null || break; sleep 0.5; done
  cd $iser_tpg; echo 0 > enable; rm lun/lun_0/ram; rmdir lun/lun_0 np/10.0.0.2:3260; cd /sys/kernel/config/target
  rmdir iscsi/$iser_iqn/tpgt_1 iscsi/$iser_iqn core/iblock_0/ram core/iblock_0
  for i in \$(seq 200); do modprobe -r ib_isert 2> /dev/null && exit 0; sleep 0.5; done; exit 1"
# For each connection isert registers 128 regions, one behind the other, before it answers: on a simulated card that takes longer than
# the 15 s that open-iscsi waits.
iser_connect="set -e
  modprobe ib_iser; mkdir -p /run/lock/iscsi; [ -s /etc/iscsi/initiatorname.iscsi ] || echo InitiatorName=iqn.2026-01.org.weft:a > /etc/iscsi/initiatorname.iscsi
  pgrep -x iscsid > /dev/null || iscsid
  iscsiadm -m node -T $iser_iqn -p 10.0.0.2:3260 -I iser -o new
  set_to() { iscsiadm -m node -T $iser_iqn -p 10.0.0.2:3260 -o update -n \$1 -v \$2; }
  set_to node.conn[0].timeo.login_timeout 300; set_to node.conn[0].timeo.noop_out_interval 0; set_to node.conn[0].timeo.noop_out_timeout 0
  set_to node.session.cmds_max 16; set_to node.session.queue_depth 8
  iscsiadm -m node -T $iser_iqn -p 10.0.0.2:3260 -I iser --login
  iscsiadm -m session -P 1 | grep -q 'Transport: iser' || iscsiadm -m session | grep -q '^iser'
  modprobe sd_mod; for i in \$(seq 100); do [ -b /dev/sda ] && exit 0; sleep 0.2; done; exit 1"

# --- for the tests of the driver, with the tools of tb/lab/guest
bring_tools() {
  for h; do
    ./lab push "$h" $tools/weft_lab.ko /run/weft_lab.ko && ./lab push "$h" $tools/weft-lab /run/weft-lab &&
      ./lab exec "$h" -- chmod 755 /run/weft-lab < /dev/null || not_ok "tools" "not in $h"
  done
}
interface() { ./lab exec "$1" -- sh -c 'basename "$(ls -d /sys/class/net/en* | head -n 1)"' < /dev/null; }
slot() { ./lab exec "$1" -- sh -c 'basename "$(readlink /sys/bus/pci/drivers/weft/0*)"' < /dev/null; }
# fault HOST PARAMETER=VALUE...: of module weft_lab; no_fault prints how many calls were kept back
fault() { on "$1" 20 insmod /run/weft_lab.ko "${@:2}" > "$work/fault" 2>&1 || { not_ok "fault ${*:2}" "$(tail -n 1 "$work/fault")"; return 1; }; }
no_fault() { on "$1" 20 sh -c 'cat /sys/module/weft_lab/parameters/hits; rmmod weft_lab'; }
own_stat() { on "$1" 20 sh -c 'ethtool -S $(basename $(ls -d /sys/class/net/en* | head -n 1))' | sed -n "s/^ *$2: //p"; }
# pings NAME HOST [ADDRESS]: the first answer may take long, as neighbours are asked for again
pings() { passes "$1" "$2" 30 sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do ping -q -c 1 -W 2 ${3:-10.0.0.2} > /dev/null && exec ping -q -c 2 -i 0.2 -W 20 ${3:-10.0.0.2}; done; exit 1"; }
# QEMU 11's vfio-user client sometimes ends with an assertion of its own (error_setv) when the card's
# process goes while something is under way: that says nothing of the driver, and is tried again.
# kill_scene NAME FUNCTION: whose host is a
kill_scene() {
  local was=$bad
  for _ in 1 2 3; do
    "$2" > "$work/scene" 2>&1
    ./lab status | grep -q '^a: gone' && ./lab logs a | grep -q 'error_setv: Assertion' || { cat "$work/scene"; return; }
    bad=$was
    echo "# $1: QEMU fell, once more"
    ./lab restart a > /dev/null 2>&1
  done
  echo "skip $room/$1: QEMU falls over its own assertion"
}
# Nothing that the kernel would not say of itself.
no_splat() {
  kernel_log "$1" > "$work/dmesg"
  if [ ! -s "$work/dmesg" ] || ! on "$1" 20 true; then
    not_ok "no splat in $1" "it does not answer"
    ./lab logs "$1" 2> /dev/null | tail -n 30 | sed "s/^/# $1: /"
  elif grep -qE 'WARNING|BUG|Oops|Call Trace|hung task|blocked for more|refcount|use-after|rcu: INFO|page_pool_release_retry' "$work/dmesg"; then
    not_ok "no splat in $1" "$(grep -E 'WARNING|BUG|Oops|hung|blocked|refcount|rcu: INFO|page_pool' "$work/dmesg" | head -n 2 | tr '\n' ' ')"
    sed "s/^/# $1: /" "$work/dmesg" | tail -n 60
  else
    ok "no splat in $1"
  fi
  [ -z "$variant" ] || { still_checks "$1"; no_leak "$1"; }
}
# Checks that have ended say nothing: lockdep's end with its first report or when its tables are full, those of DMA when memory for them was
# short, and of its errors only the first is printed.
still_checks() {
  same "$1 still checks itself" "locks 1 DMA N, 0 errors" "$(on "$1" 20 sh -c 'mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
    cd /sys/kernel/debug/dma-api; echo "locks $(sed -n "s/.*debug_locks: *//p" /proc/lockdep_stats) DMA $(cat disabled), $(cat error_count) errors"' 2>&1)"
}
# Of the driver's: what kmemleak says at its second look, as the first one is of what changes meanwhile. One that has given up refuses to look.
no_leak() {
  local s
  on "$1" 200 sh -c 'mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
    cd /sys/kernel/debug; echo scan > kmemleak && sleep 6 && echo scan > kmemleak && cat kmemleak' > "$work/leaks" 2>&1
  s=$?
  if [ $s -ne 0 ]; then not_ok "no leak in $1" "no look: exit status $s, $(tail -n 1 "$work/leaks")"
  elif grep -q 'weft' "$work/leaks"; then
    not_ok "no leak in $1" "$(grep -c '^unreferenced' "$work/leaks") objects"
    sed "s/^/# $1: /" "$work/leaks" | head -n 60
  else
    ok "no leak in $1"
  fi
}
