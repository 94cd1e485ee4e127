#!/usr/bin/env bash
# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
# build/two-hosts.sh [KILLS]: grids on two hosts made of two network namespaces, joined by 1 Gb/s with a delay of 0.2 ms each way: so
# many executors are killed with signal 9 at random moments (20), the link is cut for 3 s, a host stops for 3 s; then both ways of
# faces are timed. Needs root, ip and tc; a kernel without netem needs Python 3 and TUN devices. RATE is other megabits a second,
# DELAY other microseconds.
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-20} rate=${RATE:-1000} delay=${DELAY:-200} relay=
clean() {
  [ -z "$relay" ] || kill "$relay" 2> /dev/null || true
  ip netns del stencil-1 2> /dev/null || true
  ip netns del stencil-2 2> /dev/null || true
}
# Queues delay what two virtual devices exchange. Fails where the kernel has no such queues.
link_by_queues() {
  ip link add stencil-1 netns stencil-1 type veth peer name stencil-2 netns stencil-2
  for name in stencil-1 stencil-2; do
    tc -n "$name" qdisc add dev "$name" root netem delay "${delay}us" rate "${rate}mbit" 2> /dev/null ||
      { ip -n "$name" link del "$name"; return 1; }
  done
}
# A process delays packets. It hands over each by itself, so that packets are larger than Ethernet's usual ones.
link_by_relay() {
  coproc RELAY { exec python3 build/delayed_link.py stencil-1 stencil-2 "${rate}e6" "${delay}e-6"; }
  relay=$RELAY_PID
  read -r -u "${RELAY[0]}" # ready
  for name in stencil-1 stencil-2; do
    ip -n "$name" link set "$name" mtu 9000
  done
}
clean
trap clean EXIT
ip netns add stencil-1
ip netns add stencil-2
link_by_queues || link_by_relay
for host in 1 2; do
  name=stencil-$host
  ip -n "$name" addr add "10.77.0.$host/24" dev "$name"
  ip -n "$name" link set "$name" up
  ip -n "$name" link set lo up
done
ip netns exec stencil-1 mvn -o -pl spark-grids -am test -Dtest="${TESTS:-GridTwoHostsSparkTest}" -Dsurefire.failIfNoSpecifiedTests=false \
    "-Dstencil.test.hosts=$kills"
