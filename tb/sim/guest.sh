#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guest.sh KERNEL NIC OUT: boots a guest whose only program is guest_init against the card NIC
# (the test double), under TCG. Passes when the guest says so and the recording of the run replays.
set -u
kernel=$1 nic=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d /tmp/weft-guest.XXXXXX)
nic_pid=
trap '[ -z "$nic_pid" ] || kill "$nic_pid" 2>/dev/null; rm -rf "$dir"' EXIT

mkdir -p "$dir/root/usr/bin" "$dir/root/usr/share/misc" "$out"
cc -O1 -static -I"$here/../../abi/gen" -o "$dir/root/init" "$here/guest_init.c" || exit 1
if lspci=$(command -v lspci); then
  cp "$lspci" "$dir/root/usr/bin/lspci"
  ldd "$lspci" | grep -o '/[^ ]*' | while read -r lib; do
    mkdir -p "$dir/root$(dirname "$lib")" && cp -L "$lib" "$dir/root$lib"
  done
fi
(cd "$dir/root" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$dir/initrd"

"$nic" --name a --vfio "$dir/vfio" --control "$dir/control" --record "$dir" 2>"$out/nic.log" &
nic_pid=$!
for _ in $(seq 100); do [ -S "$dir/control" ] && break; sleep 0.05; done

timeout 120 qemu-system-x86_64 -display none -no-reboot -serial "file:$out/guest.log" \
  -machine q35,accel=tcg,memory-backend=m0 -m 256 \
  -object memory-backend-memfd,id=m0,size=256M,share=on \
  -device pcie-root-port,id=rp0,chassis=1 \
  -device '{"driver":"vfio-user-pci","bus":"rp0","socket":{"type":"unix","path":"'"$dir/vfio"'"},"x-msg-timeout":600000}' \
  -kernel "$kernel" -initrd "$dir/initrd" -append 'console=ttyS0 quiet panic=-1' >"$out/qemu.log" 2>&1
kill "$nic_pid"; wait "$nic_pid"; status=$?
nic_pid=
if [ $status -ne 0 ] || ! grep -q 'GUEST PASSED' "$out/guest.log"; then
  echo "guest: failed (card's exit status $status); logs in $out"
  tail -n 20 "$out"/*.log
  exit 1
fi
"$nic" --replay "$dir" --name a || exit 1
echo "guest: passed"
